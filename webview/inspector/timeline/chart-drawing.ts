import { css, html, nothing, svg, type TemplateResult } from 'lit';
import type { Kind } from '../../../src/protocol/engine-terms.ts';
import { addStyles } from '../../shared/component.ts';
import { formatCount, formatMoney, formatShort } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { costBottom, headHeight, type Layout, plotBottom, type Range, spanOf } from './timeline-layout.ts';

const words = inspectorTexts.timeline;

/** The lines of limits, which are told apart by their dashes. */
const dashes = { window: 'none', trigger: '5 4', background: '1 4' };
/** Space for the sizes at the gridlines, in pixels. */
export const axisWidth = 44;

interface Drawn {
  readonly layout: Layout;
  /** Accessible name of the chart: a sentence about what it shows. */
  readonly name: string;
  /** The inspected column, and the selected range. */
  readonly place: Range | undefined;
  readonly selected: Range | undefined;
}

/** The picture. It has one path for each kind, however many requests there are. */
export function drawing({ layout, name, place, selected }: Drawn): TemplateResult {
  const { width, range, ticks, areas, beyond, reported, limits, misses, costs, highestCost } = layout;
  const height = highestCost > 0 ? costBottom : plotBottom + 12;
  const band = (part: Range | undefined, type: string) => {
    if (part === undefined) return nothing;
    const { from, to } = spanOf(part, layout);
    return svg`<rect class=${type} x=${from} width=${to - from} y=${headHeight} height=${height - headHeight} />`;
  };
  return html`<svg
    class="drawing"
    role="img"
    aria-label=${name}
    width=${axisWidth + width}
    height=${height + 16}
    viewBox="${-axisWidth} 0 ${axisWidth + width} ${height + 16}"
  >
    <defs>${Object.entries(tiles).map(pattern)}</defs>
    ${ticks.map(
      ({ tokens, y }) =>
        svg`<path class="gridline" d="M0 ${y}H${width}" /><text text-anchor="end" x="-6" y=${y + 4}>${formatShort(tokens)}</text>`,
    )}
    ${band(place, 'cursor')}
    ${areas.map(({ kind, path }) => svg`<path class="area area-${kind}" fill="url(#pattern-${kind})" d=${path} />`)}
    <path class="beyond" d=${beyond}></path>
    <path class="reported-line" stroke-width="1.5" d=${reported}></path>
    ${limits.map(({ name: limit, tokens, y }) => {
      const label = words.limits[limit]({ tokens: formatShort(tokens) });
      return svg`
        ${y === undefined ? nothing : svg`<path class="limit" stroke-dasharray=${dashes[limit]} d="M0 ${y}H${width}" />`}
        <text class="limit-name" x=${limit === 'window' ? width - 4 : limit === 'trigger' ? 2 : width * 0.4}
          text-anchor=${limit === 'window' ? 'end' : 'start'} y=${(y ?? headHeight + 16) - 4}>${
            y === undefined ? `↑ ${label}` : label
          }</text>`;
    })}
    <path class="misses" fill="currentColor" d=${misses}></path>
    <path class="costs" d=${costs}></path>
    ${
      highestCost > 0
        ? svg`<text text-anchor="end" x="-6" y=${costBottom - 22}>${formatMoney(highestCost)}</text>
            <text text-anchor="end" x="-6" y=${costBottom}>${words.cost}</text>`
        : nothing
    }
    <text x="0" y=${height + 13}>${formatCount(range.from + 1)}</text>
    <text text-anchor="end" x=${width} y=${height + 13}>${formatCount(range.to)}</text>
    ${band(selected, 'selection')}
  </svg>`;
}

/** The fill patterns of kinds in high contrast. As in other bars, they are lines and dots on a small tile. */
const tiles: Readonly<
  Record<Kind, { readonly size: number; readonly path: string; readonly width: number }>
> = {
  system: { size: 4, path: 'M0 2h4', width: 4 },
  tools: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 2 },
  memory: { size: 4, path: 'M1 2h2', width: 2 },
  user: { size: 4, path: 'M0 1h4', width: 2 },
  assistant: { size: 4, path: 'M1 0v4', width: 2 },
  reasoning: { size: 6, path: 'M1 0v6', width: 1 },
  toolCall: { size: 6, path: 'M-1 1l2 -2M0 6l6 -6M5 7l2 -2', width: 3 },
  toolResult: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 4 },
  summary: { size: 4, path: 'M0 0.5h4M0.5 0v4', width: 1 },
  reminder: { size: 6, path: 'M2 3h2', width: 2 },
  skill: { size: 6, path: 'M0 3h6', width: 1 },
  skillMetadata: { size: 8, path: 'M0 4h8M4 0v8', width: 1 },
  file: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 1 },
};

function pattern([kind, { size, path, width }]: readonly [string, (typeof tiles)[Kind]]): TemplateResult {
  return svg`<pattern id="pattern-${kind}" width=${size} height=${size} patternUnits="userSpaceOnUse">
    <path d=${path} class="tile-${kind}" fill="none" stroke-width=${width} />
  </pattern>`;
}

addStyles(css`
  .drawing {
    display: block;
    overflow: visible;
    forced-color-adjust: none;
    text {
      fill: var(--dim);
      font-size: var(--small);
    }
    .gridline {
      stroke: color-mix(in srgb, var(--fg) 14%, transparent);
    }
    .limit,
    .reported-line {
      fill: none;
      stroke: var(--fg);
      stroke-linecap: round;
    }
    .limit-name {
      fill: var(--fg);
      paint-order: stroke;
      stroke: var(--surface);
      stroke-width: 3px;
    }
    .beyond,
    .cursor {
      fill: color-mix(in srgb, var(--fg) 16%, transparent);
    }
    .costs {
      fill: color-mix(in srgb, var(--fg) 45%, var(--surface));
    }
    .selection {
      fill: color-mix(in srgb, var(--focus) 22%, transparent);
      stroke: var(--focus);
    }
    body.vscode-high-contrast & .cursor {
      fill: none;
      stroke: var(--focus);
    }
  }
`);
