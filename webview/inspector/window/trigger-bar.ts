import { css, html, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { TriggerRange } from '../../../src/protocol/inspector-budget.ts';
import type { UsageView } from '../../../src/protocol/inspector.ts';
import { outlookSentences } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { formatPercent } from '../../shared/numbers.ts';
import { type BarMark, kindSegments, stackedBar } from '../../shared/stacked-bar.ts';
import { totalOf } from '../page/window-usage.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.inWindow.slider;

/** Milliseconds after the last move before the trigger is set, because keys are often repeated. */
const pause = 500;

interface TriggerBarProps {
  readonly usage: UsageView;
  readonly window: number;
  readonly range: TriggerRange;
  /** Number of times that the extension refused to move the trigger. */
  readonly refusals: number;
  /** Sets the trigger to a share of the window. */
  readonly onMove: (ratio: number) => void;
}

/** The fill of the window, and the trigger as a slider on it. */
class TriggerBar extends Component<TriggerBarProps> {
  static override styles = css`
    cb-trigger-bar {
      display: block;
      margin-top: 12px;
      .trigger-line {
        display: flex;
        align-items: center;
        gap: 16px;
      }
      .trigger-bar {
        position: relative;
        flex: 1;
        height: 8px;
      }
      .mark-target {
        background: linear-gradient(var(--fg) 50%, transparent 50%) 0 0 / 2px 5px;
      }
      /* Half a handle longer at each end, so that the handle is on its mark. Only the handle can be dragged. */
      input {
        position: absolute;
        inset: -8px -9px;
        width: calc(100% + 18px);
        height: 24px;
        margin: 0;
        border-radius: 3px;
        background: none;
        appearance: none;
        pointer-events: none;
        &::-webkit-slider-thumb {
          width: 18px;
          height: 24px;
          background: radial-gradient(circle at 50% 20px, var(--fg) 4px, transparent 4.5px);
          appearance: none;
          pointer-events: auto;
          cursor: ew-resize;
          forced-color-adjust: none;
        }
      }
    }
  `;
  /** The share to which the user is moving the trigger. */
  private moved: number | undefined;
  private note = '';
  private timer: number | undefined;

  protected override willUpdate(changes: PropertyValues<{ props: TriggerBarProps }>): void {
    const before = changes.get('props');
    if (before === undefined) return;
    if (before.range.ratio !== this.props.range.ratio) this.moved = undefined;
    if (before.refusals !== this.props.refusals) this.show(undefined, words.refused);
  }

  protected override render(): TemplateResult {
    const { usage, window: size, range } = this.props;
    const { trigger, target, background } = usage;
    const total = totalOf(usage);
    const scale = Math.max(size, total);
    const value = this.moved ?? (trigger === undefined ? range.ratio : trigger / size);
    const share = formatPercent(value);
    const label = usage.asks === true ? inspectorTexts.usage.askAt : inspectorTexts.usage.compactAt;
    const marks: readonly BarMark[] = [
      ...(target === undefined ? [] : [{ name: 'target', at: target }]),
      { name: 'trigger', at: value * size },
      // While the trigger moves, the start of a background compaction is unknown.
      ...(background === undefined || this.moved !== undefined
        ? []
        : [{ name: 'background', at: background }]),
    ];
    return html`<div class="trigger-line">
        <div class="trigger-bar" title=${outlookSentences(usage).join(inspectorTexts.betweenSentences)}>
          ${stackedBar({ segments: kindSegments(usage.byKind, total), marks, scale })}
          <input
            type="range"
            min="0"
            max=${Math.round((scale / size) * 100)}
            .value=${live(String(Math.round(value * 100)))}
            aria-label=${words.label}
            aria-valuetext=${words.value({ share, tokens: Math.floor(value * size + 1e-6) })}
            @input=${this.moving}
            @change=${() => (this.timer = window.setTimeout(this.settle, pause))}
            @blur=${this.settle}
            @keydown=${({ key }: KeyboardEvent) => {
              if (key === 'Escape') this.show(undefined);
            }}
          />
        </div>
        <span class="dim compact-at" aria-hidden="true">${label({ share })}</span>
      </div>
      <p class="dim trigger-note" role="status">${this.note}</p>`;
  }

  private show(moved: number | undefined, note = ''): void {
    window.clearTimeout(this.timer);
    this.moved = moved;
    this.note = note;
    this.requestUpdate();
  }

  private readonly moving = ({ currentTarget }: Event): void => {
    const { least, most, leastReason, mostReason } = this.props.range;
    const ratio = (currentTarget as HTMLInputElement).valueAsNumber / 100;
    const note =
      ratio < least
        ? words.least[leastReason]({ share: formatPercent(least) })
        : ratio > most
          ? words.most[mostReason]({ share: formatPercent(most) })
          : '';
    this.show(Math.min(most, Math.max(least, ratio)), note);
  };

  private readonly settle = (): void => {
    window.clearTimeout(this.timer);
    if (this.moved === this.props.range.ratio) this.moved = undefined;
    if (this.moved !== undefined) this.props.onMove(this.moved);
  };
}

export const triggerBar = component('cb-trigger-bar', TriggerBar);
