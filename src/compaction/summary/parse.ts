import { CompactionFailure } from '../failure.ts';
import { notesForm, type SummaryForm } from './form.ts';
import type { SummaryReply } from './model.ts';
import { withoutThoughts } from './thoughts.ts';

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
  if (isBlank(content)) {
    throw new CompactionFailure('summary-whitespace', 'The model returned nothing but white space.');
  }
  const spoken = withoutThoughts(content, {
    until: new RegExp(isJson ? `<${tag}>|[[{]` : `<${tag}>`, 'gi'),
    takesOpenOnes: true,
  });
  if (isBlank(spoken)) {
    throw new CompactionFailure(
      'summary-reasoning-only',
      'The model returned its reasoning, but no summary.',
    );
  }
  const opening = new RegExp(`<${tag}>`, 'i');
  const tagged = textInTag(spoken, tag);
  // A text in JSON may hold the tags as well, so that only the JSON itself tells where it ends.
  if (isJson && (opening.test(spoken) || !needsTag)) return spoken.trim();
  if (tagged === undefined && opening.test(spoken)) {
    throw new CompactionFailure('summary-unclosed', 'The summary breaks off before its closing tag.');
  }
  if (tagged === undefined && needsTag) {
    throw new CompactionFailure('summary-unclosed', `The model's reply has no <${tag}>.`);
  }
  const summary = withoutThoughts(tagged ?? spoken, {}).trim();
  if (isBlank(summary)) throw new CompactionFailure('summary-empty', 'The summary is empty.');
  return summary;
}

/** Says nothing, whatever invisible characters it is made of. */
function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}]/u.test(text);
}

/** What stands between the first tag of a name and its end; undefined where it has none. */
function textInTag(text: string, tag: string): string | undefined {
  const opening = new RegExp(`<${tag}>`, 'i').exec(text);
  if (opening === null) return undefined;
  const start = opening.index + opening[0].length;
  const length = text.slice(start).search(new RegExp(`</${tag}>`, 'i'));
  return length < 0 ? undefined : text.slice(start, start + length);
}
