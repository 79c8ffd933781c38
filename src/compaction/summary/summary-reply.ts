import { engineSentences } from '../../language/engine-english.ts';
import { CompactionFailure } from '../records/reason.ts';
import { notesForm, type SummaryForm } from './summary-form.ts';
import type { SummaryReply } from './summary-model.ts';

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
    throw new CompactionFailure('summary-cut-off', engineSentences.say('summaryCutOff'));
  }
  if (content === '') throw new CompactionFailure('summary-empty', engineSentences.say('noText'));
  if (isBlank(content)) {
    throw new CompactionFailure('summary-whitespace', engineSentences.say('onlyWhitespace'));
  }
  const spoken = withoutThoughts(content, {
    until: new RegExp(isJson ? `<${tag}>|[[{]` : `<${tag}>`, 'gi'),
    takesOpenOnes: true,
  });
  if (isBlank(spoken)) {
    throw new CompactionFailure('summary-reasoning-only', engineSentences.say('onlyReasoning'));
  }
  const opening = new RegExp(`<${tag}>`, 'i');
  const tagged = textInTag(spoken, tag);
  // A text in JSON may hold the tags as well, so that only the JSON itself tells where it ends.
  if (isJson && (opening.test(spoken) || !needsTag)) return spoken.trim();
  if (tagged === undefined && opening.test(spoken)) {
    throw new CompactionFailure('summary-unclosed', engineSentences.say('summaryUnclosed'));
  }
  if (tagged === undefined && needsTag) {
    throw new CompactionFailure('summary-unclosed', engineSentences.say('noTag', { tag }));
  }
  const summary = withoutThoughts(tagged ?? spoken, {}).trim();
  if (isBlank(summary)) throw new CompactionFailure('summary-empty', engineSentences.say('summaryIsEmpty'));
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

/**
 * A text without the thinking that a model left in it, in tags. Every search goes on where the last one ended, so that
 * no text takes more time than its length.
 *
 * @param until what the answer begins with, as a global expression: thoughts behind that are part of it
 * @param takesOpenOnes whether a thought without an end takes the rest of the text with it, or stays
 */
export function withoutThoughts(
  text: string,
  { until, takesOpenOnes = false }: { readonly until?: RegExp; readonly takesOpenOnes?: boolean },
): string {
  const opening = /<(think|thinking|analysis|scratchpad)>/gi;
  const endless = new Set<string>();
  const kept: string[] = [];
  let from = 0;
  let answer = -1;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    if (until !== undefined && answer < from) answer = nextPlace(until, text, from);
    if (answer >= 0 && answer < tag.index) break;
    const name = (tag[1] ?? '').toLowerCase();
    const closing = new RegExp(`</${name}>`, 'gi');
    const end = endless.has(name) ? Infinity : nextPlace(closing, text, tag.index);
    if (end === Infinity) {
      if (takesOpenOnes) return kept.join('') + text.slice(from, tag.index);
      endless.add(name);
      continue;
    }
    kept.push(text.slice(from, tag.index));
    from = closing.lastIndex;
    opening.lastIndex = from;
  }
  return kept.join('') + text.slice(from);
}

/** Where an expression is found next, with its `lastIndex` behind that; infinitely far where it is not. */
function nextPlace(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? Infinity;
}
