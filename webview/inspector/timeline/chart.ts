import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { element, setAttribute, setText } from '../../shared/dom.ts';
import { formatShort } from '../../shared/numbers.ts';
import { bucketsOf, type Call, callsPerBar, heightOf, type Range, ticksOf } from './timeline-data.ts';
import { Drawing, heightAt } from './chart-drawing.ts';
import { MarkRow, mostTelling, recordOf } from './mark-row.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

/** Share of the height that stays free above the highest bar and the trigger. */
const headroom = 1.08;
/** A trigger above this multiple of the highest bar is left out, because it would flatten the bars. */
const tooHigh = 4;
/** Number of requests by which Page Up and Page Down move. */
const page = 10;
/** Minimum distance in pixels that a pointer must move to mark a range. */
const steady = 4;

interface ChartContent {
  readonly calls: readonly Call[];
  readonly marks: readonly MarkPoint[];
  readonly trigger: number | undefined;
  /** Size at which a compaction starts in the background, in tokens. */
  readonly background: number | undefined;
}

interface ChartOptions {
  /** Called when the user inspects another request or range; undefined if the user inspects none. */
  onLook(index: number | undefined, marked: Range | undefined): void;
  onZoom(range: Range | undefined): void;
  /** Called when the user selects a request or range by click or key; undefined if nothing is selected any more. */
  onPick(range: Range | undefined): void;
  onOpen(recordId: string): void;
  /** Describes a request for screen readers. */
  describe(index: number, marked: Range | undefined): string;
}

/** The chart: bars, marks above them, and a position that the pointer and the keys move. */
export class Chart {
  readonly element: HTMLElement;
  private readonly options: ChartOptions;
  private readonly drawing = new Drawing();
  private readonly marks: MarkRow;
  private readonly stage: HTMLElement;
  /** Sizes at the gridlines. A screen reader reads the size with each request instead. */
  private readonly axis = element('div', { class: 'axis dim', 'aria-hidden': 'true' });
  private readonly line = element('span', { class: 'trigger-words dim', hidden: true });
  private content: ChartContent = { calls: [], marks: [], trigger: undefined, background: undefined };
  private range: Range = { from: 0, to: 0 };
  private zoom: Range | undefined;
  private width = 0;
  private place: number | undefined;
  private marked: Range | undefined;
  private anchor: number | undefined;
  private picked: Range | undefined;

  constructor(options: ChartOptions) {
    this.options = options;
    this.marks = new MarkRow((recordId) => options.onOpen(recordId));
    this.stage = element(
      'div',
      {
        class: 'stage',
        role: 'slider',
        tabindex: 0,
        'aria-label': inspectorTexts.timeline.chart,
        'aria-description': inspectorTexts.timeline.keys,
      },
      this.drawing.element,
    );
    this.element = element('div', { class: 'chart' }, this.axis, this.marks.element, this.stage, this.line);
    this.stage.addEventListener('keydown', (event) => this.handleKey(event));
    this.stage.addEventListener('pointermove', (event) => {
      if (this.anchor === undefined) this.look(this.indexAt(event), this.pickedRange);
    });
    this.stage.addEventListener('pointerleave', () => {
      if (this.anchor === undefined && document.activeElement !== this.stage)
        this.look(undefined, this.pickedRange);
    });
    this.stage.addEventListener('pointerdown', (event) => this.startBrush(event));
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  get callsPerBar(): number {
    return callsPerBar(this.range, this.width);
  }

  /** True if the trigger is so far above the bars that it has no line. */
  get isTriggerAbove(): boolean {
    const { trigger = 0 } = this.content;
    return trigger > this.peak() * tooHigh;
  }

  /** @param zoom requests to display; by default all */
  render(content: ChartContent, zoom: Range | undefined): void {
    this.content = content;
    this.zoom = zoom;
    this.range = zoom ?? { from: 0, to: content.calls.length };
    this.draw();
    this.look(this.place, this.pickedRange);
  }

  /** The selected range, if it has several requests. */
  private get pickedRange(): Range | undefined {
    return this.picked !== undefined && this.picked.to - this.picked.from > 1 ? this.picked : undefined;
  }

  private pick(range: Range | undefined): void {
    this.picked = range;
    this.options.onPick(range);
  }

  /** Selects a request with the first click, and extends to a range with the second. */
  private pickByClick(index: number): void {
    const { picked } = this;
    const isStart = picked === undefined || this.pickedRange !== undefined;
    this.pick(isStart ? rangeOf(index, index) : rangeOf(picked.from, index));
    this.look(index, this.pickedRange);
  }

  /** The last position. It is after the last request if an event followed that request. */
  private get last(): number {
    const { to } = this.range;
    const { calls, marks } = this.content;
    return to === calls.length && marks.some(({ atCall }) => atCall === to) ? to : to - 1;
  }

  private draw(): void {
    const { calls, marks, trigger, background } = this.content;
    const width = this.stage.clientWidth;
    if (width === 0 || calls.length === 0) return;
    this.width = width;
    const line = this.isTriggerAbove ? undefined : trigger;
    const scale = Math.max(1, this.peak(), line ?? 0) * headroom;
    this.line.hidden = line === undefined;
    if (line !== undefined) {
      const at = inspectorTexts.timeline.trigger({ tokens: line });
      setText(
        this.line,
        background === undefined
          ? at
          : inspectorTexts.timeline.withBackground({ trigger: at, tokens: background }),
      );
      this.line.style.top = `${heightAt(line, scale)}px`;
    }
    const ticks = ticksOf(scale);
    this.axis.replaceChildren(
      ...ticks.map((tick) => {
        const label = element('span', {}, formatShort(tick));
        label.style.top = `${heightAt(tick, scale)}px`;
        return label;
      }),
    );
    this.drawing.draw({
      calls,
      range: this.range,
      buckets: bucketsOf(this.range, width, (index) => heightOf(calls[index])),
      width,
      scale,
      ticks,
      trigger: line,
    });
    this.marks.render(marks, this.range, width);
    this.drawing.select(this.marked);
  }

  private peak(): number {
    let peak = 0;
    for (let index = this.range.from; index < this.range.to; index++) {
      peak = Math.max(peak, heightOf(this.content.calls[index]));
    }
    return peak;
  }

  /** Inspects a request in the displayed range. */
  private look(index: number | undefined, marked?: Range): void {
    const { last } = this;
    const { from, to } = this.range;
    this.place = index === undefined ? undefined : Math.min(last, Math.max(from, index));
    this.marked = marked;
    this.drawing.point(this.place);
    this.drawing.select(marked);
    // A slider must have a value.
    const spoken = this.place ?? to - 1;
    setAttribute(this.stage, 'aria-valuemin', from + 1);
    setAttribute(this.stage, 'aria-valuemax', last + 1);
    setAttribute(this.stage, 'aria-valuenow', spoken + 1);
    setAttribute(this.stage, 'aria-valuetext', this.options.describe(spoken, marked));
    this.options.onLook(this.place, marked);
  }

  private handleKey(event: KeyboardEvent): void {
    const { last } = this;
    const { from, to } = this.range;
    const place = this.place ?? to;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: place - this.callsPerBar,
      ArrowDown: place - this.callsPerBar,
      ArrowRight: place + this.callsPerBar,
      ArrowUp: place + this.callsPerBar,
      PageDown: place - page * this.callsPerBar,
      PageUp: place + page * this.callsPerBar,
      Home: from,
      End: last,
    };
    const next = places[event.key];
    if (next !== undefined) {
      // A marked range ends at a request, not after the last one.
      const within = Math.min(event.shiftKey ? to - 1 : last, Math.max(from, next));
      const start = this.marked === undefined ? place : (this.anchor ?? place);
      this.anchor = event.shiftKey ? Math.min(to - 1, start) : undefined;
      const marked = this.anchor === undefined ? undefined : rangeOf(this.anchor, within);
      this.pick(marked ?? (within < to ? rangeOf(within, within) : undefined));
      this.look(within, marked);
    } else if (event.key === 'Enter') this.enter();
    else if (event.key !== 'Escape' || !this.back()) return;
    event.preventDefault();
  }

  private enter(): void {
    const { marked, place } = this;
    if (marked !== undefined && marked.to - marked.from > 1) this.show(marked);
    else if (place !== undefined) {
      const near = this.content.marks.filter(
        (mark) =>
          recordOf(mark) !== undefined && mark.atCall >= place && mark.atCall < place + this.callsPerBar,
      );
      const recordId = near.length === 0 ? undefined : recordOf(mostTelling(near));
      if (recordId !== undefined) this.options.onOpen(recordId);
    }
  }

  /** Clears the selection, and the marked range or else the zoom. @returns true if anything was cleared */
  private back(): boolean {
    if (this.marked === undefined && this.zoom === undefined && this.picked === undefined) return false;
    this.anchor = undefined;
    const hadPicked = this.picked !== undefined;
    this.pick(undefined);
    if (this.marked !== undefined) this.look(this.place);
    else if (this.zoom !== undefined) this.options.onZoom(undefined);
    else return hadPicked;
    return true;
  }

  private show(range: Range): void {
    this.anchor = undefined;
    this.marked = undefined;
    this.pick(undefined);
    this.options.onZoom(range);
  }

  private startBrush(event: PointerEvent): void {
    const start = this.indexAt(event);
    if (event.button !== 0 || start === undefined) return;
    const { clientX } = event;
    this.anchor = start;
    this.stage.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => {
      const index = this.indexAt(moved) ?? start;
      const isMarked = Math.abs(moved.clientX - clientX) >= steady;
      this.look(index, isMarked ? rangeOf(start, index) : undefined);
    };
    const end = (ended: PointerEvent) => {
      this.stage.removeEventListener('pointermove', move);
      this.stage.removeEventListener('pointerup', end);
      this.stage.removeEventListener('pointercancel', end);
      this.anchor = undefined;
      const { marked } = this;
      if (ended.type === 'pointerup' && marked !== undefined && marked.to - marked.from > 1)
        this.show(marked);
      else if (ended.type === 'pointerup') this.pickByClick(start);
      else this.look(start);
    };
    this.stage.addEventListener('pointermove', move);
    this.stage.addEventListener('pointerup', end);
    this.stage.addEventListener('pointercancel', end);
  }

  private indexAt({ clientX }: PointerEvent): number | undefined {
    const { from, to } = this.range;
    if (to === from) return undefined;
    const { left, width } = this.stage.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (clientX - left) / width));
    return Math.min(to - 1, from + Math.floor(share * (to - from)));
  }
}

function rangeOf(one: number, other: number): Range {
  return { from: Math.min(one, other), to: Math.max(one, other) + 1 };
}
