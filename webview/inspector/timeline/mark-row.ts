import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { isByHand, startName, strategyName } from '../../shared/compaction-words.ts';
import { element, type ItemView, KeyedList, plainButton } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { leftEdgeOf } from './chart-drawing.ts';
import type { Range } from './timeline-data.ts';

/** Minimum distance between marks in pixels. Closer marks are merged, because users could not point at them. */
const nearest = 18;
/** Minimum pixels for an icon with the beginning of a name. With less space, only the icon is shown. */
const leastForName = 48;
/** Minimum pixels from a mark to the end of the chart. With less space, the label is before the mark. */
const leastAtEnd = 70;

interface Placed {
  readonly key: string;
  readonly x: number;
  /** Space for the label up to the next mark or the end, in pixels. */
  readonly room: number;
  /** True if the label is before the mark, because the mark is close to the end. */
  readonly isBefore: boolean;
  readonly marks: readonly MarkPoint[];
}

/** The marks above the bars, which stand for events between requests. Each links to its compaction. */
export class MarkRow {
  readonly element = element('div', { class: 'marks' });
  private readonly rows: KeyedList<Placed>;
  private readonly onOpen: (recordId: string) => void;

  constructor(onOpen: (recordId: string) => void) {
    this.onOpen = onOpen;
    this.rows = new KeyedList<Placed>(this.element, {
      keyOf: ({ key }) => key,
      create: (placed) => this.view(placed),
      isSame: (shown, placed) => JSON.stringify(shown) === JSON.stringify(placed),
    });
  }

  render(marks: readonly MarkPoint[], range: Range, width: number): void {
    const shown = marks.filter(({ atCall }) => atCall >= range.from && atCall <= range.to);
    const groups: { x: number; marks: MarkPoint[] }[] = [];
    for (const mark of shown) {
      const x = Math.min(width - 1, leftEdgeOf(mark.atCall, { range, width }));
      const last = groups.at(-1);
      // If labels of two marks share the space between them, they need twice as much.
      const least = width - x < leastAtEnd ? 2 * nearest : nearest;
      if (last !== undefined && x - last.x < least) last.marks.push(mark);
      else groups.push({ x, marks: [mark] });
    }
    this.rows.render(
      groups.map((group, index): Placed => {
        const next = groups[index + 1]?.x;
        const isBefore = next === undefined && width - group.x < leastAtEnd;
        const isShared = index === groups.length - 2 && width - (next ?? 0) < leastAtEnd;
        const after = ((next ?? width) - group.x) / (isShared ? 2 : 1);
        const before = group.x - (groups[index - 1]?.x ?? -group.x);
        return { key: `${index}`, ...group, room: isBefore ? before / 2 : after, isBefore };
      }),
    );
  }

  private view(first: Placed): ItemView<Placed> {
    const row = element('div', { class: 'timeline-mark' });
    const update = (placed: Placed) => {
      row.style.left = `${placed.x}px`;
      row.classList.toggle('is-before', placed.isBefore);
      row.style.setProperty('--room', `${placed.room}px`);
      row.replaceChildren(this.button(placed));
    };
    update(first);
    return { element: row, update };
  }

  private button({ marks, room }: Placed): HTMLElement {
    const mark = mostTelling(marks);
    const compactions = marks.filter(isMade);
    const several = compactions.length > 1;
    const text = several
      ? inspectorTexts.timeline.several({ count: compactions.length })
      : markName(compactions[0] ?? mark);
    const labels = marks.map(markText).join(inspectorTexts.timeline.betweenEvents);
    const named = marks.length === 1 ? labels : inspectorTexts.timeline.severalLabel({ labels });
    // The accessible name contains the visible words, so that voice control finds them.
    const label = inspectorTexts.timeline.openMark({
      label: several ? `${text} · ${named}` : named,
      request: mark.atCall + 1,
    });
    const name = room < leastForName ? [] : [element('span', {}, text)];
    const content = [icon(mark.type === 'overflow' ? 'warning' : 'compaction'), ...name];
    const recordId = recordOf(mark);
    const kind = `mark-button mark-of-${mark.type}`;
    return recordId === undefined
      ? element('span', { class: kind, title: labels }, ...content)
      : plainButton(
          { class: kind, title: labels, 'aria-label': label },
          () => this.onOpen(recordId),
          ...content,
        );
  }
}

/** False for an attempt that changed nothing, and for messages that the user hid. */
export function isMade(mark: MarkPoint): boolean {
  return mark.type === 'compaction' && mark.status === 'applied' && !isByHand(mark.strategy);
}

/** The mark that stands for several: an overflow if there is one, else an applied compaction, else the last mark. */
export function mostTelling(marks: readonly MarkPoint[]): MarkPoint {
  const found =
    marks.find(({ type }) => type === 'overflow') ??
    marks.findLast((mark) => mark.type === 'compaction' && mark.status === 'applied') ??
    marks.at(-1);
  if (found === undefined) throw new Error('There is no mark.');
  return found;
}

/** Id of the compaction to which a mark links. */
export function recordOf(mark: MarkPoint): string | undefined {
  return mark.type === 'restore' ? undefined : mark.recordId;
}

const words = inspectorTexts.timeline.marks;

/** Describes an event with its numbers. */
export function markText(mark: MarkPoint): string {
  switch (mark.type) {
    case 'compaction': {
      const { strategy, status, tokensBefore, tokensAfter } = mark;
      const what =
        status === 'applied'
          ? words.applied({
              strategy: strategyName(strategy),
              before: tokensBefore,
              after: tokensAfter,
            })
          : words.notApplied({ strategy: strategyName(strategy), status: inspectorTexts.statuses[status] });
      const start = startName(mark.start);
      return start === undefined ? what : words.started({ what, start });
    }
    case 'overflow':
      return words.overflow({ tokens: mark.tokens });
    case 'undo':
      return words.undo({ count: mark.compactions });
    case 'restore':
      return words.restore({ count: mark.messages });
  }
}

/** The name of the strategy or event, without numbers. */
function markName(mark: MarkPoint): string {
  return mark.type === 'compaction'
    ? strategyName(mark.strategy)
    : inspectorTexts.timeline.markNames[mark.type];
}
