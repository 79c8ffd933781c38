import { CompactionFailure } from '../failure.ts';
import { notesForm, type SummaryForm } from './form.ts';
import type { SummaryReply } from './model.ts';

const thinking = /<(think|thinking|analysis|scratchpad)>[\s\S]*?(?:<\/\1>|$)/i;
const closedThinking = new RegExp(thinking.source.replace('|$', ''), 'gi');

/**
 * The summary in a model's reply: what stands between the tags, or the whole reply where there are none and the form
 * does without. Thinking that a model leaves in its text is no part of it; a tag that a text of JSON names is.
 *
 * @throws {CompactionFailure} where there is no usable summary
 */
export function parseSummary(
  reply: SummaryReply,
  { tag, needsTag, isJson = false }: Pick<SummaryForm, 'tag' | 'needsTag' | 'isJson'> = notesForm,
): string {
  const { content, finishReason } = reply;
  if (finishReason === 'length') {
    throw new CompactionFailure('summary-cut-off', 'The summary was cut off at its output limit.');
  }
  if (content === '') throw new CompactionFailure('summary-empty', 'The model returned no text.');
  if (content.trim() === '') {
    throw new CompactionFailure('summary-whitespace', 'The model returned nothing but white space.');
  }
  const spoken = withoutThinking(content, isJson ? `<${tag}>|[[{]` : `<${tag}>`);
  if (spoken.trim() === '') {
    throw new CompactionFailure(
      'summary-reasoning-only',
      'The model returned its reasoning, but no summary.',
    );
  }
  const opening = new RegExp(`<${tag}>`, 'i');
  const tagged = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'i').exec(spoken);
  // A text in JSON may hold the tags as well, so that only the JSON itself tells where it ends.
  if (isJson && (opening.test(spoken) || !needsTag)) return spoken.trim();
  if (tagged === null && opening.test(spoken)) {
    throw new CompactionFailure('summary-unclosed', 'The summary breaks off before its closing tag.');
  }
  if (tagged === null && needsTag) {
    throw new CompactionFailure('summary-unclosed', `The model's reply has no <${tag}>.`);
  }
  const summary = (tagged?.[1] ?? spoken).replace(closedThinking, '').trim();
  if (summary === '') throw new CompactionFailure('summary-empty', 'The summary is empty.');
  return summary;
}

/** A reply without the thinking before its answer; a thought that has no end takes the rest with it. */
function withoutThinking(content: string, answer: string): string {
  let spoken = content;
  for (let thought = thinking.exec(spoken); thought !== null; thought = thinking.exec(spoken)) {
    const begins = spoken.search(new RegExp(answer, 'i'));
    if (begins >= 0 && begins < thought.index) break;
    spoken = spoken.slice(0, thought.index) + spoken.slice(thought.index + thought[0].length);
  }
  return spoken;
}
