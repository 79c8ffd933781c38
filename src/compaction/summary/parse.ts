import { CompactionFailure } from '../failure.ts';
import { notesForm, type SummaryForm } from './form.ts';
import type { SummaryReply } from './model.ts';

const thinking = /<(think|thinking|analysis|scratchpad)>[\s\S]*?<\/\1>/gi;
const unclosedThinking = /<(think|thinking|analysis|scratchpad)>[\s\S]*$/i;

/**
 * The summary in a model's reply: what stands between the tags, or the whole reply where there are none and the form
 * does without. Thinking that a model leaves in its text is no part of it.
 *
 * @throws {CompactionFailure} where there is no usable summary
 */
export function parseSummary(
  reply: SummaryReply,
  { tag, needsTag }: Pick<SummaryForm, 'tag' | 'needsTag'> = notesForm,
): string {
  const { content, finishReason } = reply;
  if (finishReason === 'length') {
    throw new CompactionFailure('summary-cut-off', 'The summary was cut off at its output limit.');
  }
  if (content === '') throw new CompactionFailure('summary-empty', 'The model returned no text.');
  if (content.trim() === '') {
    throw new CompactionFailure('summary-whitespace', 'The model returned nothing but white space.');
  }
  const spoken = content.replace(thinking, '').replace(unclosedThinking, '');
  if (spoken.trim() === '') {
    throw new CompactionFailure(
      'summary-reasoning-only',
      'The model returned its reasoning, but no summary.',
    );
  }
  const opening = new RegExp(`<${tag}>`, 'i');
  const tagged = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'i').exec(spoken);
  if (tagged === null && opening.test(spoken)) {
    throw new CompactionFailure('summary-unclosed', 'The summary breaks off before its closing tag.');
  }
  if (tagged === null && needsTag) {
    throw new CompactionFailure('summary-unclosed', `The model's reply has no <${tag}>.`);
  }
  const summary = (tagged?.[1] ?? spoken).trim();
  if (summary === '') throw new CompactionFailure('summary-empty', 'The summary is empty.');
  return summary;
}
