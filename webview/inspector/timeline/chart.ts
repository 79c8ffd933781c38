import { css, html, nothing, type TemplateResult } from 'lit';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import type { UsageView } from '../../../src/protocol/inspector.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { styled } from '../../shared/styled.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { axisWidth, drawing } from './chart-drawing.ts';
import { described, markNames, mostTelling, recordOf } from './request-words.ts';
import {
  type Column,
  costBottom,
  headHeight,
  type Layout,
  layoutOf,
  plotBottom,
  type Range,
} from './timeline-layout.ts';
import type { Call } from '../state/timeline-state.ts';

const words = inspectorTexts.timeline;

/** Number of columns by which Page Up and Page Down move. */
const page = 10;
/** Distance in pixels that a pointer must move to select a range. */
const steady = 4;
/** Minimum pixels for an icon with the beginning of a name. */
const leastForName = 48;

/** The requests that the user inspects, has selected, or sees alone. */
export interface Looking {
  /** Index of the inspected request; the number of requests for the events after the last one. */
  readonly place?: number | undefined;
  readonly selected?: Range | undefined;
  readonly zoom?: Range | undefined;
}

interface ChartProps extends Looking {
  readonly calls: readonly Call[];
  readonly marks: readonly MarkPoint[];
  readonly usage: UsageView;
  /** Accessible name of the chart: a sentence about what it shows. */
  readonly name: string;
  readonly onLook: (change: Looking) => void;
  readonly onOpen: (recordId: string) => void;
}

/** The chart with marks above its areas, and a position that the pointer and the keys move. */
class TimelineChart extends Component<ChartProps> {
  static override styles = css`
    cb-timeline-chart {
      position: relative;
      display: block;
      min-height: 328px;
      .stage {
        position: absolute;
        inset: ${headHeight}px 0 0 ${axisWidth}px;
        height: ${costBottom - headHeight}px;
        touch-action: pan-y;
        cursor: crosshair;
      }
      .timeline-mark {
        position: absolute;
        z-index: 1;
        top: 0;
        width: 0;
        height: ${plotBottom}px;
        border-inline-start: 1px dotted var(--fg);
        pointer-events: none;
      }
      .mark-button {
        display: flex;
        align-items: center;
        gap: 3px;
        width: max-content;
        max-width: min(var(--room), 170px);
        height: 22px;
        padding: 0 3px;
        overflow: hidden;
        color: var(--dim);
        font-size: var(--small);
        white-space: nowrap;
        pointer-events: auto;
        .is-before > & {
          position: absolute;
          right: 0;
        }
        > span {
          overflow: hidden;
          text-overflow: ellipsis;
        }
      }
      .mark-of-failure > .icon,
      .mark-of-overflow > .icon {
        color: var(--warning);
      }
    }
  `;
  private layout: Layout | undefined;
  /** Everything that the layout depends on. */
  private inputs: readonly unknown[] = [];
  /** Column at which the user began to select a range. */
  private anchor: number | undefined;
  /** Horizontal position at which the pointer went down; undefined while it is up. */
  private pressed: number | undefined;
  private readonly size = new ResizeObserver(() => {
    if (this.layout?.width !== this.room) this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  protected override willUpdate(): void {
    const { calls, marks, usage, zoom } = this.props;
    const { room: width } = this;
    const inputs = [calls, marks, usage, zoom, width];
    if (inputs.every((input, index) => input === this.inputs[index])) return;
    this.inputs = inputs;
    const range = zoom ?? { from: 0, to: calls.length };
    this.layout = width <= 0 ? undefined : layoutOf({ calls, marks, range, usage, width });
  }

  protected override render(): unknown {
    const { layout } = this;
    if (layout === undefined) return nothing;
    const { name, place, selected, calls, marks } = this.props;
    const { from, to } = layout.range;
    const column = place === undefined ? undefined : layout.columns[this.columnOf(place)];
    // A slider must have a value.
    const spoken = place ?? to - 1;
    const { from: first, to: last } = selected ?? { from: 0, to: 0 };
    const range = last - first < 2 ? [] : [words.selected({ from: first + 1, to: last })];
    return html`${layout.marks.map((placed) => markOf(placed, this.props.onOpen))}
      ${drawing({ layout, name, place: column, selected })}
      <div
        class="stage"
        role="slider"
        tabindex="0"
        aria-label=${words.chart}
        aria-description=${words.keys}
        aria-valuemin=${from + 1}
        aria-valuemax=${this.hasEnd ? to + 1 : to}
        aria-valuenow=${spoken + 1}
        aria-valuetext=${[...range, described(calls, marks, column?.peak ?? spoken)].join(words.betweenSpoken)}
        @keydown=${this.keyPressed}
        @pointerdown=${this.pointerDown}
        @pointermove=${this.pointerMoved}
        @pointerup=${this.pointerUp}
        @pointercancel=${this.pointerUp}
        @pointerleave=${this.pointerLeft}
      ></div>`;
  }

  private get room(): number {
    return Math.floor(this.clientWidth) - axisWidth;
  }

  /** True if events followed the last request, so that there is a position after it. */
  private get hasEnd(): boolean {
    const { calls, marks } = this.props;
    return this.layout?.range.to === calls.length && marks.some(({ atCall }) => atCall === calls.length);
  }

  private get columns(): readonly Column[] {
    return this.layout?.columns ?? [];
  }

  /** Position of the column of a request; the number of columns for the position after the last request. */
  private columnOf(index: number): number {
    const found = this.columns.findIndex(({ to }) => index < to);
    return found < 0 ? this.columns.length : found;
  }

  private columnAt({ clientX, currentTarget }: PointerEvent): number {
    const { left, width } = (currentTarget as HTMLElement).getBoundingClientRect();
    const { from, to } = this.layout?.range ?? { from: 0, to: 0 };
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return this.columnOf(Math.min(to - 1, from + Math.floor(share * (to - from))));
  }

  /** Selects the requests from one column to another, which is then inspected. */
  private select(one: number, other: number): void {
    const { columns } = this;
    const [first, last] = [columns[Math.min(one, other)], columns[Math.max(one, other)]];
    const place = columns[other]?.from ?? this.layout?.range.to;
    const selected = first && last && { from: first.from, to: last.to };
    this.props.onLook({ place, selected });
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const { columns } = this;
    const { place, zoom, selected } = this.props;
    const end = this.hasEnd ? columns.length : columns.length - 1;
    const now = place === undefined ? columns.length : this.columnOf(place);
    const next = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - page,
      PageUp: now + page,
      Home: 0,
      End: end,
    }[event.key];
    if (next !== undefined) {
      // A range ends at a request, not after the last one.
      const last = event.shiftKey ? columns.length - 1 : end;
      const column = Math.max(0, Math.min(last, next));
      this.anchor = event.shiftKey ? (this.anchor ?? Math.min(now, last)) : undefined;
      this.select(this.anchor ?? column, column);
    } else if (event.key === 'Enter') this.enter(now);
    else if (event.key === 'Escape' && (selected ?? zoom) !== undefined) {
      this.anchor = undefined;
      this.props.onLook(selected === undefined ? { zoom: undefined } : { selected: undefined });
    } else return;
    event.preventDefault();
  };

  /** Shows only the selected range, or opens the compaction before the inspected column. */
  private enter(now: number): void {
    const { selected, marks, calls } = this.props;
    const { from, to } = this.columns[now] ?? { from: calls.length, to: calls.length + 1 };
    if (this.anchor !== undefined && selected !== undefined) {
      this.anchor = undefined;
      this.props.onLook({ zoom: selected, selected: undefined });
      return;
    }
    const near = marks.filter((mark) => recordOf(mark) && mark.atCall >= from && mark.atCall < to);
    const recordId = recordOf(mostTelling(near));
    if (recordId !== undefined) this.props.onOpen(recordId);
  }

  private readonly pointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const { selected } = this.props;
    this.pressed = event.clientX;
    this.anchor =
      event.shiftKey && selected !== undefined ? this.columnOf(selected.from) : this.columnAt(event);
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  private readonly pointerMoved = (event: PointerEvent): void => {
    const column = this.columnAt(event);
    if (this.pressed === undefined) this.props.onLook({ place: this.columns[column]?.from });
    else if (Math.abs(event.clientX - this.pressed) >= steady) this.select(this.anchor ?? column, column);
  };

  private readonly pointerUp = (event: PointerEvent): void => {
    const column = this.columnAt(event);
    if (this.pressed !== undefined && event.type === 'pointerup') this.select(this.anchor ?? column, column);
    this.pressed = undefined;
    this.anchor = undefined;
  };

  private readonly pointerLeft = ({ currentTarget }: PointerEvent): void => {
    if (this.pressed === undefined && document.activeElement !== currentTarget)
      this.props.onLook({ place: undefined });
  };
}

export const timelineChart = component('cb-timeline-chart', TimelineChart);

/** The marks in one place, which link to a compaction. */
function markOf(
  { marks, x, room, isBefore }: Layout['marks'][number],
  onOpen: (recordId: string) => void,
): TemplateResult {
  const mark = mostTelling(marks);
  const recordId = recordOf(mark);
  const { text, rest } = markNames(marks);
  // The accessible name begins with the visible words, so that voice control finds them.
  const label = text + rest;
  return html`<div
    class="timeline-mark ${isBefore ? 'is-before' : ''}"
    ${styled({ left: `${axisWidth + x}px`, '--room': `${room}px` })}
  >
    <button
      type="button"
      class="mark-button mark-of-${mark?.type ?? 'undo'}"
      title=${label}
      aria-label=${label}
      ?disabled=${recordId === undefined}
      @click=${() => onOpen(recordId ?? '')}
    >
      ${iconTemplate(mark?.type === 'overflow' || mark?.type === 'failure' ? 'warning' : 'compaction')}
      ${room < leastForName ? nothing : html`<span>${text}</span>`}
    </button>
  </div>`;
}
