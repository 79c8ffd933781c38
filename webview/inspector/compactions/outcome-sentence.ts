import { html, type TemplateResult } from 'lit';
import type { Coverage } from '../../../src/protocol/engine-terms.ts';
import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { listSeparator, strategyName } from '../../shared/compaction-words.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.record;

/** Kinds of facts in the order in which they matter. */
const order: readonly MissingKind[] = ['files', 'commands', 'userMessages', 'errors', 'identifiers'];

/** A kind of facts, with the number before a compaction and the number that it lost. */
interface KindLoss {
  readonly kind: MissingKind;
  readonly total: number;
  readonly lost: number;
}

/** The kinds of facts that a compaction lost. */
export function lostKinds(coverage: Coverage): readonly KindLoss[] {
  return countedKinds(coverage).filter(({ lost }) => lost > 0);
}

/** The kinds of facts that a context had before a compaction. */
export function countedKinds(coverage: Coverage): readonly KindLoss[] {
  return order.flatMap((kind) => {
    const { kept, total } = coverage[kind];
    return total === 0 ? [] : [{ kind, total, lost: total - kept }];
  });
}

/** Stands in a sentence for parts that are drawn in bold. */
const place = '\u0000';

/** The outcome of a compaction in one sentence: the facts that it lost, or why nothing changed. */
export function outcomeSentence(record: RecordView): unknown {
  const { status, coverage, byKindAfter } = record;
  if (status !== 'applied') return unchangedSentence(record);
  const undone = record.isUndone ? `${words.wasUndone}${inspectorTexts.betweenSentences}` : '';
  const lost = lostKinds(coverage);
  if (lost.length > 0) {
    const sentence = byKindAfter.summary > 0 ? words.summaryMisses : words.contextMisses;
    return html`${undone}${withParts(
      sentence({ parts: place }),
      lost.map(({ kind, total, lost: count }) => words.counted[kind]({ count, total })),
    )}`;
  }
  // Names and errors are not what the user is afraid to lose.
  const kept = countedKinds(coverage).filter(({ kind }) => kind !== 'identifiers' && kind !== 'errors');
  if (kept.length === 0) return undone + words.nothingThere;
  const parts = kept.map(({ kind, total }) => words.counted[kind]({ count: total, total }));
  return html`${undone}${withParts(words.allKept({ parts: place }), parts)}`;
}

/** The sentence with the parts in their place, in bold. */
function withParts(sentence: string, parts: readonly string[]): TemplateResult {
  const [start = '', end = ''] = sentence.split(place);
  const last = parts.length - 1;
  return html`${start}${parts.map(
    (part, index) => html`${index === 0 ? '' : index === last ? words.and : listSeparator}<b>${part}</b>`,
  )}${end}`;
}

function unchangedSentence({ status, requestedStrategy, reason }: RecordView): string {
  if (status === 'applied') return '';
  const what = inspectorTexts.outcomes[status]({ strategy: strategyName(requestedStrategy) });
  const because = reason === undefined ? what : inspectorTexts.because({ what, reason: unended(reason) });
  return [inspectorTexts.sentence({ what: because }), inspectorTexts.nothingChanged].join(
    inspectorTexts.betweenSentences,
  );
}

/** Removes the full stop of a sentence in either language. */
export function unended(sentence: string): string {
  return sentence.replace(/[.。]\s*$/u, '');
}
