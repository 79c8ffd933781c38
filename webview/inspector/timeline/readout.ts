import { kinds } from '../../../src/compaction/message.ts';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { element } from '../../shared/dom.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { formatCount, formatPercent, formatTime } from '../../shared/numbers.ts';
import type { Range } from './buckets.ts';
import { markText } from './mark-words.ts';
import type { Call } from './timeline-data.ts';
import { strings } from '../text/inspector-strings.ts';

/** A request in one line of words. */
export function described(
  calls: readonly Call[],
  marks: readonly MarkPoint[],
  index: number,
  marked: Range | undefined,
): string {
  const call = calls[index];
  if (call === undefined) return afterLast(marks, index);
  const selected =
    marked === undefined ? [] : [strings.timeline.selected(formatCount(marked.from + 1), formatCount(marked.to))];
  return strings.timeline.spoken([
    ...selected,
    headline(calls, marks, index, call),
    strings.timeline.kinds(kindsOf(call).map(kindText)),
  ]);
}

/** A request with its exact numbers, to be looked at. */
export function readout(
  calls: readonly Call[],
  marks: readonly MarkPoint[],
  index: number,
): readonly HTMLElement[] {
  const call = calls[index];
  if (call === undefined) return [element('p', {}, afterLast(marks, index))];
  return [
    element('p', {}, headline(calls, marks, index, call)),
    element(
      'p',
      { class: 'readout-kinds dim' },
      ...kindsOf(call).map((part) =>
        element('span', {}, element('i', { class: `swatch kind kind-${part.kind}` }), kindText(part)),
      ),
    ),
  ];
}

/** What happened right before a request. */
export function eventsBefore(marks: readonly MarkPoint[], index: number): string {
  return strings.timeline.events(marks.filter(({ atCall }) => atCall === index).map(markText));
}

/** What happened when no request had come after it yet. */
function afterLast(marks: readonly MarkPoint[], index: number): string {
  const events = eventsBefore(marks, index);
  return events === '' ? '' : strings.timeline.afterLast(events);
}

function headline(calls: readonly Call[], marks: readonly MarkPoint[], index: number, call: Call): string {
  const { reported, cached } = call;
  const events = eventsBefore(marks, index);
  return [
    strings.timeline.request(formatCount(index + 1), formatCount(calls.length)),
    formatTime(call.at),
    strings.timeline.tokens(formatCount(call.tokens)),
    ...(reported === undefined ? [] : [strings.timeline.reported(formatCount(reported))]),
    ...(reported === undefined || cached === undefined || reported === 0
      ? []
      : [strings.timeline.cached(formatPercent(cached / reported))]),
    ...(events === '' ? [] : [strings.timeline.before(events)]),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

interface KindPart {
  readonly kind: (typeof kinds)[number];
  readonly tokens: number;
}

function kindsOf({ byKind }: Call): readonly KindPart[] {
  return kinds
    .map((kind, index) => ({ kind, tokens: byKind[index] ?? 0 }))
    .filter(({ tokens }) => tokens > 0);
}

function kindText({ kind, tokens }: KindPart): string {
  return strings.timeline.kind(kindNames[kind], formatCount(tokens));
}
