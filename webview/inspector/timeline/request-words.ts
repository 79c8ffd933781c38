import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { FailureView, MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { isByHand, kindNames, listed, startName, strategyName } from '../../shared/compaction-words.ts';
import { formatDuration, formatMoney, formatPercent, formatTime } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { Call } from '../state/timeline-state.ts';

const words = inspectorTexts.timeline;

/** A request in one line, without its kinds. At the number of requests, the events after the last request. */
export function headline(calls: readonly Call[], marks: readonly MarkPoint[], index: number): string {
  const call = calls[index];
  const events = eventsBefore(marks, index);
  if (call === undefined) return events === '' ? '' : words.afterLast({ event: events });
  const { reported, cost, isMissed, wire } = call;
  const share = cachedShare(call);
  return [
    words.request({ number: index + 1, count: calls.length }),
    formatTime(call.at),
    words.tokens({ text: call.tokens }),
    reported === undefined ? '' : words.reported({ text: reported }),
    share === '' ? '' : words.cached({ share }),
    isMissed ? words.missed : '',
    cost === undefined ? '' : formatMoney(cost),
    wire?.firstByte === undefined ? '' : words.wire.firstByte({ time: formatDuration(wire.firstByte) }),
    wire === undefined ? '' : words.wire.took({ time: formatDuration(wire.duration) }),
    ...wireNotes(call),
    events === '' ? '' : words.before({ event: events }),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** A request with everything that is known about it, for screen readers. */
export function described(calls: readonly Call[], marks: readonly MarkPoint[], index: number): string {
  const parts = kinds.flatMap((kind, position) => {
    const tokens = calls[index]?.byKind[position] ?? 0;
    return tokens === 0 ? [] : [words.kind({ name: kindNames[kind], tokens })];
  });
  const line = headline(calls, marks, index);
  return parts.length === 0 ? line : [line, listed(parts)].join(words.betweenSpoken);
}

/** The kinds that occur in requests, with their positions in `byKind`. */
export function kindsIn(
  calls: readonly Call[],
): readonly { readonly kind: Kind; readonly position: number }[] {
  return kinds
    .map((kind, position) => ({ kind, position }))
    .filter(({ position }) => calls.some(({ byKind }) => (byKind[position] ?? 0) > 0));
}

/** The reported share of a request that came from the cache; empty if unknown. */
export function cachedShare({ reported, cached }: Call): string {
  return reported === undefined || cached === undefined || reported === 0
    ? ''
    : formatPercent(cached / reported);
}

/** Notes on a recorded request: a retry, a failure. */
export function wireNotes({ wire }: Call): readonly string[] {
  const { retry = 0, isUnchanged = false, failure } = wire ?? {};
  return [
    ...(retry === 0 ? [] : [words.wire.retry({ number: retry })]),
    ...(isUnchanged ? [words.wire.unchanged] : []),
    ...(failure === undefined ? [] : [reasonOf(failure)]),
  ];
}

function reasonOf({ outcome, status = 0, error }: FailureView): string {
  const isRefused = outcome === 'complete' && status >= 400;
  const what = isRefused ? words.wire.status({ status: String(status) }) : words.wire.outcomes[outcome];
  return error === undefined ? what : words.wire.because({ what, error });
}

/** The events right before a request. */
export function eventsBefore(marks: readonly MarkPoint[], index: number): string {
  return marks
    .filter(({ atCall }) => atCall === index)
    .map(markText)
    .join(words.betweenEvents);
}

/** False for an attempt that changed nothing, and for messages that the user hid. */
export function isCompaction(mark: MarkPoint): boolean {
  return isApplied(mark) && !(mark.type === 'compaction' && isByHand(mark.strategy));
}

function isApplied(mark: MarkPoint): boolean {
  return mark.type === 'compaction' && mark.status === 'applied';
}

/** The mark that stands for several. An overflow comes first, then an applied compaction, then the last mark. */
export function mostTelling(marks: readonly MarkPoint[]): MarkPoint | undefined {
  return marks.find(({ type }) => type === 'overflow') ?? marks.findLast(isApplied) ?? marks.at(-1);
}

/** Id of the compaction to which a mark links. */
export function recordOf(mark: MarkPoint | undefined): string | undefined {
  return mark !== undefined && 'recordId' in mark ? mark.recordId : undefined;
}

/** The visible name of marks in one place, and the rest of their accessible name. */
export function markNames(marks: readonly MarkPoint[]): { readonly text: string; readonly rest: string } {
  const compactions = marks.filter(isCompaction);
  const shown = compactions[0] ?? mostTelling(marks);
  const text =
    compactions.length > 1
      ? words.several({ count: compactions.length })
      : shown?.type === 'compaction'
        ? strategyName(shown.strategy)
        : words.markNames[shown?.type ?? 'undo'];
  const labels = marks.map(markText).join(words.betweenEvents);
  const label = words.openMark({ label: labels, request: (marks[0]?.atCall ?? 0) + 1 });
  return { text, rest: label.startsWith(text) ? label.slice(text.length) : ` · ${label}` };
}

function markText(mark: MarkPoint): string {
  switch (mark.type) {
    case 'compaction': {
      const { status, tokensBefore: before, tokensAfter: after } = mark;
      const strategy = strategyName(mark.strategy);
      const what =
        status === 'applied'
          ? words.marks.applied({ strategy, before, after })
          : words.marks.notApplied({ strategy, status: inspectorTexts.statuses[status] });
      const start = startName(mark.start);
      return start === undefined ? what : words.marks.started({ what, start });
    }
    case 'overflow':
      return words.marks.overflow({ tokens: mark.tokens });
    case 'undo':
      return words.marks.undo({ count: mark.compactions });
    case 'restore':
      return words.marks.restore({ count: mark.messages });
    case 'failure':
      return words.marks.failure({ count: mark.count, reason: reasonOf(mark) });
  }
}
