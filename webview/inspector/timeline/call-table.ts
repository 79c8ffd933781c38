import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { element, plainButton, setAttribute } from '../../shared/dom.ts';
import { formatCount, formatPercent, formatTime } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { markText } from './mark-row.ts';
import { type Call, isBroken, type Range } from './timeline-data.ts';

const words = inspectorTexts.timeline.table;

/** Height of a row in pixels, as in the style sheet. */
const rowHeight = 22;
/** Number of rows that are rendered above and below the visible rows. */
const margin = 12;

/** A table of all requests. Only visible rows are on the page. */
export class CallTable {
  readonly element: HTMLElement;
  private readonly table: HTMLElement;
  private readonly head = element('thead');
  private readonly body = element('tbody');
  private calls: readonly Call[] = [];
  private marks: readonly MarkPoint[] = [];
  private columns: readonly number[] = [];
  private readonly onCompare: (messageId: string) => void;
  private shown = '';

  /** @param onCompare called with the reply to a request, to compare this request with the previous one */
  constructor(onCompare: (messageId: string) => void) {
    this.onCompare = onCompare;
    this.table = element('table', { class: 'call-table', 'aria-label': words.name }, this.head, this.body);
    this.element = element(
      'div',
      { class: 'table-scroller', tabindex: 0, role: 'region', 'aria-label': words.name },
      this.table,
    );
    this.element.addEventListener('scroll', () => this.drawRows());
  }

  render(calls: readonly Call[], marks: readonly MarkPoint[]): void {
    this.calls = calls;
    this.marks = marks;
    this.columns = kinds.flatMap((_kind, index) =>
      calls.some(({ byKind }) => (byKind[index] ?? 0) > 0) ? [index] : [],
    );
    const names = [
      words.request,
      words.time,
      words.total,
      ...this.columns.map((index) => kindNames[kinds[index] ?? 'system']),
      words.reported,
      words.cached,
      words.event,
      words.compared,
    ];
    this.head.replaceChildren(
      element('tr', {}, ...names.map((name) => element('th', { scope: 'col' }, name))),
    );
    setAttribute(this.table, 'aria-rowcount', calls.length + 1);
    this.shown = '';
    this.drawRows();
  }

  private drawRows(): void {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const last = Math.min(
      this.calls.length,
      Math.ceil((scrollTop + Math.max(clientHeight, 300)) / rowHeight) + margin,
    );
    if (this.shown === `${first} ${last}`) return;
    this.shown = `${first} ${last}`;
    const rows = this.calls.slice(first, last).map((call, index) => this.row(call, first + index));
    const focused = this.body.querySelector('tr:focus-within')?.getAttribute('aria-rowindex');
    this.body.replaceChildren(filler(first), ...rows, filler(this.calls.length - last));
    // Otherwise, the focus would be lost when the table scrolls its row away.
    if (typeof focused === 'string')
      this.body
        .querySelector<HTMLElement>(`tr[aria-rowindex="${focused}"] button`)
        ?.focus({ preventScroll: true });
  }

  /** A button to compare a request; undefined if it kept the whole previous request, to have fewer Tab stops. */
  private whyButton(messageId: string, index: number): HTMLElement | undefined {
    if (!isBroken(this.calls, index)) return undefined;
    const label = words.whyLabel({ request: index + 1 });
    return plainButton({ class: 'link', 'aria-label': label }, () => this.onCompare(messageId), words.why);
  }

  private row({ messageId, at, byKind, tokens, reported, cached }: Call, index: number): HTMLElement {
    const share =
      reported === undefined || cached === undefined || reported === 0
        ? ''
        : formatPercent(cached / reported);
    const cells = [
      formatTime(at),
      formatCount(tokens),
      ...this.columns.map((column) => formatCount(byKind[column] ?? 0)),
      reported === undefined ? '' : formatCount(reported),
      share,
      eventsBefore(this.marks, index),
    ];
    return element(
      'tr',
      { 'aria-rowindex': index + 2 },
      element('th', { scope: 'row' }, formatCount(index + 1)),
      ...cells.map((cell) => element('td', {}, cell)),
      element('td', {}, this.whyButton(messageId, index)),
    );
  }
}

/** Space in place of rows that are not rendered. */
function filler(rows: number): HTMLElement {
  const row = element('tr', { 'aria-hidden': 'true', class: 'filler' }, element('td'));
  row.style.height = `${rows * rowHeight}px`;
  return row;
}

/** A request and its events as one line of text. */
export function described(
  calls: readonly Call[],
  marks: readonly MarkPoint[],
  index: number,
  marked: Range | undefined,
): string {
  const call = calls[index];
  if (call === undefined) return afterLast(marks, index);
  const selected =
    marked === undefined ? [] : [inspectorTexts.timeline.selected({ from: marked.from + 1, to: marked.to })];
  return [...selected, headline(calls, marks, index, call), listed(kindsOf(call).map(kindText))].join(
    inspectorTexts.timeline.betweenSpoken,
  );
}

/** A request as text with exact numbers. */
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

/** The events right before a request. */
function eventsBefore(marks: readonly MarkPoint[], index: number): string {
  return marks
    .filter(({ atCall }) => atCall === index)
    .map(markText)
    .join(inspectorTexts.timeline.betweenEvents);
}

/** The events after the last request. */
function afterLast(marks: readonly MarkPoint[], index: number): string {
  const events = eventsBefore(marks, index);
  return events === '' ? '' : inspectorTexts.timeline.afterLast({ event: events });
}

function headline(calls: readonly Call[], marks: readonly MarkPoint[], index: number, call: Call): string {
  const { reported, cached } = call;
  const events = eventsBefore(marks, index);
  return [
    inspectorTexts.timeline.request({ number: index + 1, count: calls.length }),
    formatTime(call.at),
    inspectorTexts.timeline.tokens({ text: call.tokens }),
    ...(reported === undefined ? [] : [inspectorTexts.timeline.reported({ text: reported })]),
    ...(reported === undefined || cached === undefined || reported === 0
      ? []
      : [inspectorTexts.timeline.cached({ share: formatPercent(cached / reported) })]),
    ...(events === '' ? [] : [inspectorTexts.timeline.before({ event: events })]),
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
  return inspectorTexts.timeline.kind({ name: kindNames[kind], tokens });
}
