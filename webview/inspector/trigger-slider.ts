import type { TriggerRange } from '../../src/protocol/inspector-budget.ts';
import { element, setAttribute, setText } from '../shared/dom.ts';
import { formatPercent } from '../shared/numbers.ts';
import { inspectorTexts } from './text/inspector-strings.ts';

const words = inspectorTexts.budget.slider;

/** Milliseconds after the last key before the trigger is moved, because keys are often repeated. */
const keyPause = 500;

interface TriggerSliderOptions {
  /** Called with each position while the trigger moves; undefined if it is back at its start. */
  onPreview(ratio: number | undefined): void;
  /** Called when the user has chosen a share of the window. */
  onChange(ratio: number): void;
}

interface SliderBar {
  /** Window in tokens; undefined if unknown. */
  readonly window: number | undefined;
  readonly scale: number;
  /** Size at which compaction starts, in tokens; undefined if it does not start automatically. */
  readonly trigger: number | undefined;
}

/** The mark of the trigger on the bar. It can be moved by pointer and by key. */
export class TriggerSlider {
  readonly element: HTMLElement;
  /** Shows why the mark cannot be moved further. */
  readonly note = element('p', { class: 'dim trigger-note', role: 'status' });
  private readonly options: TriggerSliderOptions;
  private range: TriggerRange | undefined;
  private window = 0;
  private scale = 0;
  private trigger: number | undefined;
  private moved: number | undefined;
  private timer: number | undefined;

  constructor(options: TriggerSliderOptions) {
    this.options = options;
    this.element = element('span', {
      class: 'trigger-slider',
      role: 'slider',
      tabindex: 0,
      'aria-label': words.label,
      'aria-orientation': 'horizontal',
    });
    this.element.addEventListener('keydown', (event) => this.handleKey(event));
    this.element.addEventListener('blur', () => this.settle());
    this.element.addEventListener('pointerdown', (event) => this.startDrag(event));
  }

  /** The share to which the user is moving the trigger, or undefined. */
  get preview(): number | undefined {
    return this.moved;
  }

  /**
   * @param range undefined if the trigger cannot be moved
   * @param bar sizes in tokens; the full width stands for the scale
   */
  render(range: TriggerRange | undefined, { window, scale, trigger }: SliderBar): void {
    if (this.range?.ratio !== range?.ratio) this.moved = undefined;
    this.range = range;
    this.window = window ?? 0;
    this.scale = scale;
    this.trigger = trigger;
    this.element.hidden = range === undefined || window === undefined;
    this.note.hidden = this.element.hidden;
    if (range === undefined) return;
    const value = this.value(range);
    this.element.style.left = `${((value * this.window) / scale) * 100}%`;
    setAttribute(this.element, 'aria-valuemin', percent(Math.min(value, range.least)));
    setAttribute(this.element, 'aria-valuemax', percent(Math.max(value, range.most)));
    setAttribute(this.element, 'aria-valuenow', percent(value));
    setAttribute(
      this.element,
      'aria-valuetext',
      words.value({
        share: formatPercent(value),
        tokens: Math.floor(value * this.window + 1e-6),
      }),
    );
  }

  /** Resets the mark after the host has refused to move the trigger. */
  refuse(): void {
    this.moved = undefined;
    this.options.onPreview(undefined);
    setText(this.note, words.refused);
  }

  private value(range: TriggerRange): number {
    if (this.moved !== undefined) return this.moved;
    return this.trigger === undefined || this.window === 0 ? range.ratio : this.trigger / this.window;
  }

  private moveTo(ratio: number): void {
    const { range } = this;
    if (range === undefined) return;
    const rounded = Math.round(ratio * 100) / 100;
    const within = Math.min(range.most, Math.max(range.least, rounded));
    if (rounded < range.least)
      setText(this.note, words.least[range.leastReason]({ share: formatPercent(range.least) }));
    else if (rounded > range.most)
      setText(this.note, words.most[range.mostReason]({ share: formatPercent(range.most) }));
    else setText(this.note, '');
    this.moved = within;
    this.options.onPreview(within);
  }

  private settle(): void {
    window.clearTimeout(this.timer);
    if (this.moved !== undefined && this.moved !== this.range?.ratio) this.options.onChange(this.moved);
    else this.moved = undefined;
  }

  private cancel(): void {
    window.clearTimeout(this.timer);
    this.moved = undefined;
    setText(this.note, '');
    this.options.onPreview(undefined);
  }

  private handleKey(event: KeyboardEvent): void {
    const { range } = this;
    if (range === undefined) return;
    const value = this.value(range);
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: value - 0.01,
      ArrowDown: value - 0.01,
      ArrowRight: value + 0.01,
      ArrowUp: value + 0.01,
      PageDown: value - 0.05,
      PageUp: value + 0.05,
      Home: range.least,
      End: range.most,
    };
    const place = places[event.key];
    if (event.key === 'Escape' && this.moved !== undefined) this.cancel();
    else if (event.key === 'Enter') this.settle();
    else if (place === undefined) return;
    else {
      this.moveTo(place);
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.settle(), keyPause);
    }
    event.preventDefault();
  }

  private startDrag(event: PointerEvent): void {
    const bar = this.element.parentElement;
    if (event.button !== 0 || bar === null) return;
    const { left, width } = bar.getBoundingClientRect();
    const start = event.clientX;
    const move = ({ clientX }: PointerEvent) => {
      if (Math.abs(clientX - start) > 1 || this.moved !== undefined) {
        this.moveTo((((clientX - left) / width) * this.scale) / this.window);
      }
    };
    const end = ({ type }: PointerEvent) => {
      this.element.removeEventListener('pointermove', move);
      this.element.removeEventListener('pointerup', end);
      this.element.removeEventListener('pointercancel', end);
      if (type === 'pointerup') this.settle();
      else this.cancel();
    };
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener('pointermove', move);
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointercancel', end);
  }
}

function percent(ratio: number): number {
  return Math.round(ratio * 100);
}
