import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { WhatIfRow } from '../../../src/protocol/inspector-what-if.ts';
import { listed } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { formatPercent, formatShort } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { titleOfRow } from './outcomes.ts';
import { keptShare } from './strategy-ranking.ts';
import { type PlacedPoint, scatterOf } from './scatter-layout.ts';

const words = inspectorTexts.whatIf;
const height = 196;
/** Half the size of a mark, in pixels. */
const radius = 4.5;

interface ScatterProps {
  /** The most important strategies first. */
  readonly rows: readonly WhatIfRow[];
  /** Accessible name. */
  readonly name: string;
  readonly best: string | undefined;
  readonly current: string;
  readonly made: string | undefined;
  readonly chosen: string | undefined;
  readonly onChoose: (strategy: string) => void;
}

/** The strategies as points: tokens left against facts kept. The table below it has the same numbers. */
class ScatterPicture extends Component<ScatterProps> {
  private width = 0;
  private readonly size = new ResizeObserver(([entry]) => {
    this.width = Math.round(entry?.contentRect.width ?? 0);
    this.requestUpdate();
  });

  static override styles = css`
    cb-scatter {
      display: block;
      height: ${height}px;
      overflow: hidden;
      @media (max-width: 399px) {
        display: none;
      }
      svg {
        display: block;
      }
      text {
        fill: var(--fg);
        paint-order: stroke;
        stroke: var(--surface);
        stroke-width: 5px;
        pointer-events: none;
        &.tick {
          fill: var(--dim);
        }
      }
      .grid {
        stroke: var(--line);
      }
      .frontier {
        fill: none;
        stroke: var(--fg);
        stroke-dasharray: 3 3;
        opacity: 0.6;
      }
      .point {
        cursor: pointer;
        fill: var(--dim);
        &.is-made {
          fill: var(--purple);
        }
        &.is-best {
          fill: var(--blue);
          font-weight: 600;
        }
        &.is-chosen .mark,
        &:hover .mark {
          stroke: var(--fg);
          stroke-width: 1.5;
        }
      }
      .ring {
        fill: none;
        stroke: var(--fg);
      }
      .target {
        fill: transparent;
      }
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.size.disconnect();
  }

  protected override render(): unknown {
    const { rows, name } = this.props;
    if (this.width === 0) return nothing;
    const points = rows.map((row) => ({
      key: row.strategy,
      title: row.strategy === this.props.made ? words.madeBy({ who: titleOfRow(row) }) : titleOfRow(row),
      tokens: row.tokensAfter,
      share: keptShare(row),
    }));
    const { left, right, bottom, ...places } = scatterOf(points, this.width, height);
    return html`<svg role="img" aria-label=${name} width=${this.width} height=${height}>
      ${places.shares.map(
        ({ at, value }) =>
          svg`<line class="grid" x1=${left} x2=${right} y1=${at} y2=${at} />
            <text class="tick" x=${left - 6} y=${at + 4} text-anchor="end">${formatPercent(value)}</text>`,
      )}
      ${places.tokens.map(
        ({ at, value }) =>
          svg`<text class="tick" x=${at} y=${height - 5} text-anchor="middle">${formatShort(value)}</text>`,
      )}
      <text class="tick" x="0" y="12">${words.axes.kept}</text>
      <text class="tick" x=${right} y=${bottom - 6} text-anchor="end">${words.axes.tokens}</text>
      <polyline class="frontier" points=${places.frontier.join(' ')} />
      ${places.points.toReversed().map((point) => this.point(point))}
    </svg>`;
  }

  private point(point: PlacedPoint): TemplateResult {
    const { best, current, made, chosen, onChoose } = this.props;
    const { key, x, y, label, title, others, tokens, share } = point;
    const classes = [
      'point',
      key === best ? 'is-best' : '',
      key === made ? 'is-made' : '',
      key === chosen ? 'is-chosen' : '',
    ].join(' ');
    const size = radius + 2;
    const hint = words.pointTitle({
      strategies: listed([title, ...others]),
      tokens: formatShort(tokens),
      share: formatPercent(share),
    });
    return svg`<g class=${classes} @click=${() => onChoose(key)}>
      <title>${hint}</title>
      <circle class="target" cx=${x} cy=${y} r="12" />
      ${
        key === made
          ? svg`<path class="mark" d="M${x} ${y - size}L${x + size} ${y}L${x} ${y + size}L${x - size} ${y}Z" />`
          : svg`<circle class="mark" cx=${x} cy=${y} r=${radius} />`
      }
      ${key === current ? svg`<circle class="ring" cx=${x} cy=${y} r=${radius + 3.5} />` : nothing}
      ${
        label === undefined
          ? nothing
          : svg`<text x=${label.x} y=${label.y} text-anchor=${label.anchor}>${label.text}</text>`
      }
    </g>`;
  }
}

export const scatter = component('cb-scatter', ScatterPicture);
