import { css, html, nothing, svg, type TemplateResult } from 'lit';
import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { FlowView } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { formatCount, formatShort } from '../../shared/numbers.ts';
import { kindSegments, stackedBar } from '../../shared/stacked-bar.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type FlowNode, layoutFlow, nodeWidth, type Way } from './flow-layout.ts';
import { flowTable } from './flow-table.ts';

const words = inspectorTexts.record;

const height = 120;
/** Widths of the names next to the picture, in pixels. */
const namesBefore = 108;
const namesAfter = 190;
/** Width below which two bars take the place of the picture. */
const narrow = 600;

interface FlowProps {
  readonly record: RecordView;
  /** Undefined until it is known. */
  readonly flow: FlowView | undefined;
  /** Tokens of both contexts that are not in the session's file. */
  readonly unseen: number;
}

/** A picture of where the tokens of a context went in a compaction, or two bars if there is little room. */
class FlowPicture extends Component<FlowProps> {
  private width = 0;
  private isTableShown = false;
  private readonly size = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width === this.width) return;
    this.width = width;
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.size.disconnect();
  }

  protected override render(): TemplateResult {
    const { record, flow, unseen } = this.props;
    const [before, after] = [record.tokensBefore + unseen, record.tokensAfter + unseen];
    const isWide = this.width >= narrow;
    return html`<div
        class="flow ${isWide ? 'is-wide' : ''}"
        role="img"
        aria-label=${nameOf(before, after, flow)}
      >
        ${isWide ? (flow === undefined ? nothing : picture(flow, unseen, this.width)) : bars(record, unseen)}
      </div>
      <div class="flow-foot dim">
        <span aria-hidden="true">${formatCount(before)}</span>
        ${linkButton(words.asTable, this.toggle, { isOpen: this.isTableShown })}
        <span aria-hidden="true">${formatCount(after)}</span>
      </div>
      ${this.isTableShown ? flowTable(record, flow, unseen) : nothing}`;
  }

  private readonly toggle = (): void => {
    this.isTableShown = !this.isTableShown;
    this.requestUpdate();
  };

  static override styles = css`
    cb-flow-picture {
      display: block;
      font-variant-numeric: tabular-nums;
    }
    .flow.is-wide {
      height: ${height}px;
    }
    .flow svg {
      display: block;
      overflow: visible;
    }
    .flow text {
      fill: var(--fg);
      dominant-baseline: central;
    }
    .flow tspan {
      fill: var(--dim);
    }
    .flow-band {
      fill: var(--kind, var(--dim));
      fill-opacity: 0.35;
      forced-color-adjust: none;
      &.is-gone {
        fill-opacity: 0.15;
      }
    }
    .flow-node {
      fill: var(--kind, var(--dim));
      forced-color-adjust: none;
    }
    .flow .hatched {
      fill: url('#flow-hatching');
      fill-opacity: 1;
    }
    #flow-hatching path {
      stroke: color-mix(in srgb, var(--fg) 35%, transparent);
      stroke-width: 2;
    }
    body.vscode-high-contrast .flow-band {
      fill-opacity: 0;
      stroke: var(--kind, var(--fg));
      &.hatched {
        fill-opacity: 1;
      }
      &.is-gone {
        stroke-dasharray: 3 3;
      }
    }
    .flow-bar {
      display: grid;
      grid-template-columns: 5em 1fr;
      align-items: center;
      height: 22px;
      > :last-child {
        height: 12px;
      }
    }
    .flow-foot {
      display: flex;
      justify-content: space-between;
      gap: 8px;
    }
    .flow.is-wide + .flow-foot {
      padding: 0 ${namesAfter}px 0 ${namesBefore}px;
    }
  `;
}

export const flowPicture = component('cb-flow-picture', FlowPicture);

function picture(flow: FlowView, unseen: number, all: number): TemplateResult {
  const width = all - namesBefore - namesAfter;
  const { before, after, bands } = layoutFlow(flow, unseen, { width, height });
  return html`<svg width=${all} height=${height} aria-hidden="true">
    <defs>
      <pattern
        id="flow-hatching"
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path d="M0,3H6"></path>
      </pattern>
    </defs>
    <g transform="translate(${namesBefore} 0)">
      ${bands.map(
        ({ source, way, path }) =>
          svg`<path class="flow-band ${lookOf(source)} ${way === 'gone' ? 'is-gone' : ''}" d=${path} />`,
      )}
      ${before.map((node) => nodeAt(node, 0))} ${after.map((node) => nodeAt(node, width - nodeWidth))}
      ${before.map(
        (node) => svg`<text x="-8" y=${node.labelY} text-anchor="end">${sourceName(node.source)}</text>`,
      )}
      ${after.map(
        (node) =>
          svg`<text x=${width + 8} y=${node.labelY}>${endName(node)} <tspan>${endTokens(node)}</tspan></text>`,
      )}
    </g>
  </svg>`;
}

/** A node. The solid part stands for the tokens in place of shortened and summarised ones. */
function nodeAt({ y0, y1, source, tokens, tokensAfter }: FlowNode, x: number): TemplateResult {
  if (source !== undefined)
    return svg`<rect class="flow-node ${lookOf(source)}" x=${x} y=${y0} width=${nodeWidth} height=${y1 - y0} />`;
  const left = Math.max(tokensAfter === undefined ? 0 : 1, ((tokensAfter ?? 0) / tokens) * (y1 - y0));
  return svg`<rect class="flow-band is-gone" x=${x} y=${y0} width=${nodeWidth} height=${y1 - y0} />
    <rect class="flow-node kind-summary" x=${x} y=${y0} width=${nodeWidth} height=${Math.min(left, y1 - y0)} />`;
}

function lookOf(source: string | undefined): string {
  return source === 'notInFile' ? 'hatched' : `kind-${source}`;
}

function sourceName(source: FlowNode['source']): string {
  switch (source) {
    case 'notInFile':
      return words.notInFile;
    case 'other':
    case undefined:
      return words.otherKinds;
    case 'added':
      return words.ways.added;
    default:
      return kindNames[source];
  }
}

function endName({ source, way }: FlowNode): string {
  if (source === undefined) return words.ways[way ?? 'gone'];
  return sourceName(source);
}

function endTokens({ tokens, tokensAfter }: FlowNode): string {
  return tokensAfter === undefined
    ? formatShort(tokens)
    : inspectorTexts.fromTo({ before: formatShort(tokens), after: formatShort(tokensAfter) });
}

/** Both contexts by kind, as bars on one scale. */
function bars(record: RecordView, unseen: number): TemplateResult {
  const scale = Math.max(record.tokensBefore, record.tokensAfter) + unseen;
  const bar = (name: string, byKind: Readonly<Record<Kind, number>>, tokens: number) =>
    html`<div class="flow-bar">
      <span>${name}</span>
      <div>${stackedBar({ segments: kindSegments(byKind, tokens + unseen), scale })}</div>
    </div>`;
  return html`${bar(words.before, record.byKindBefore, record.tokensBefore)}
  ${bar(words.after, record.byKindAfter, record.tokensAfter)}`;
}

/** The result in words: both sizes, and the tokens of each way. */
function nameOf(before: number, after: number, flow: FlowView | undefined): string {
  const total = (way: Way) => kinds.reduce((sum, kind) => sum + (flow?.kinds[kind]?.[way] ?? 0), 0);
  const parts = (['kept', 'shortened', 'summarised', 'gone'] as const)
    .filter((way) => total(way) > 0)
    .map((way) => `${words.ways[way]} ${formatCount(total(way))}`);
  return words.flow({ before, after, parts: listed(parts) });
}
