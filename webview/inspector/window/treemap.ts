import { css, html, nothing, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import type { UsageView } from '../../../src/protocol/inspector.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { formatCount } from '../../shared/numbers.ts';
import { styled } from '../../shared/styled.ts';
import { totalOf } from '../page/window-usage.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type Box, type PlacedTile, placed, type Tile } from './tiles.ts';

const words = inspectorTexts.inWindow;

interface TreemapProps {
  readonly tiles: readonly Tile[];
  readonly usage: UsageView;
  /** Key of the chosen tile. */
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

/** Number of tiles that the name of the picture says. */
const named = 3;
/** Maximum share of the picture's width that free space takes. Beyond, it is not to scale. */
const mostFree = 0.4;
/** Smallest boxes for a name, and for tokens below it, in pixels. */
const lines = { width: 44, name: 18, tokens: 36 };

/** The window as areas, and its free space at the right. The list next to it is its table, and takes the keys. */
class Treemap extends Component<TreemapProps> {
  static override styles = css`
    cb-treemap {
      display: block;
      height: clamp(200px, 100vh - 250px, 420px);
      font-variant-numeric: tabular-nums;
      .treemap {
        position: relative;
        height: 100%;
      }
      .tile,
      .tile-heading,
      .slice {
        position: absolute;
        overflow: hidden;
      }
      .tile-heading {
        white-space: nowrap;
      }
      .tile-heading > span,
      .free-space span {
        color: var(--dim);
      }
      .tile {
        padding: 1px 5px;
        border-radius: 2px;
        background: color-mix(in srgb, var(--kind) 34%, var(--surface));
        /* Readable on every colour, also in themes with pale words. */
        color: oklch(from var(--fg) clamp(var(--tile-darkest, 0), l, var(--tile-palest, 1)) c h);
        &:hover {
          background: color-mix(in srgb, var(--kind) 46%, var(--surface));
        }
        &.is-chosen::after {
          position: absolute;
          inset: 0;
          border: 2px solid var(--focus);
          border-radius: 2px;
          content: '';
        }
        > span {
          position: relative;
          display: block;
          overflow: hidden;
          line-height: 17px;
          text-overflow: ellipsis;
          white-space: nowrap;
        }
      }
      .kind-notInFile,
      .tile-reserved,
      .is-stale {
        background: repeating-linear-gradient(
          135deg,
          color-mix(in srgb, var(--fg) 14%, transparent) 0 2px,
          transparent 2px 7px
        );
      }
      .slice {
        box-shadow: 0 0 0 1px color-mix(in srgb, var(--surface) 70%, transparent);
      }
      .free-space {
        position: absolute;
        inset: 0 0 0 auto;
        display: flex;
        flex-direction: column;
        overflow: hidden;
        border: 1px dashed var(--line);
        border-radius: 2px;
        > div {
          flex: 1 1 0;
          min-height: 0;
          padding: 1px 5px;
          overflow: hidden;
        }
        span {
          display: block;
        }
      }
      @media (max-width: 400px) {
        display: none;
      }
      body.vscode-dark & {
        --tile-darkest: 0.88;
      }
      body.vscode-light & {
        --tile-palest: 0.36;
      }
      body.vscode-high-contrast & .tile {
        border: 1px solid var(--line);
        border-radius: 0;
        > span {
          width: fit-content;
          max-width: 100%;
          padding-inline: 3px;
          background: var(--surface);
        }
      }
    }
  `;
  private readonly size = new ResizeObserver(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    this.size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.size.disconnect();
  }

  protected override render(): unknown {
    const { tiles, usage } = this.props;
    const { clientWidth: width, clientHeight: height } = this;
    if (width === 0 || tiles.length === 0) return nothing;
    const total = totalOf(usage);
    const { window: whole = total, reserved } = usage;
    const free = Math.max(0, whole - total);
    const share = whole === 0 ? 0 : Math.min(free / whole, mostFree);
    const layout = placed(tiles, Math.round(width * (1 - share)), height);
    const kept = Math.min(reserved, free);
    return html`<div
      class="treemap"
      role="img"
      aria-label=${words.picture({
        tokens: formatCount(total),
        parts: listed(
          tiles
            .toSorted((one, other) => other.tokens - one.tokens)
            .slice(0, named)
            .map(partInWords),
        ),
      })}
    >
      ${layout.headings.map(
        ({ kind, tokens, ...box }) =>
          html`<div class="tile-heading" ${at(box)}>
            ${kindName(kind)} <span>${formatCount(tokens)}</span>
          </div>`,
      )}
      ${repeat(
        layout.tiles,
        ({ tile }) => tile.key,
        (place) => this.tile(place),
      )}
      ${
        share === 0
          ? nothing
          : html`<div class="free-space" ${styled({ width: `${width * share - 3}px` })}>
              <div class="tile-free" ${styled({ 'flex-grow': String(free - kept) })}>
                ${words.free} <span>${formatCount(free - kept)}</span>
                ${free / whole > mostFree ? html`<span>${words.notToScale}</span>` : nothing}
              </div>
              ${
                kept === 0
                  ? nothing
                  : html`<div class="tile-reserved" ${styled({ 'flex-grow': String(kept) })}>
                      <span>${words.reserved} ${formatCount(kept)}</span>
                    </div>`
              }
            </div>`
      }
    </div>`;
  }

  private tile({ tile, isOnly, slices, ...box }: PlacedTile): TemplateResult {
    const { chosen, onChoose } = this.props;
    const name = isOnly ? kindName(tile.kind) : shortName(tile);
    const hasRoom = box.width >= lines.width && box.height >= lines.name;
    return html`<div
      class=${classMap({
        tile: true,
        kind: true,
        [`kind-${tile.kind}`]: true,
        'is-chosen': tile.key === chosen,
      })}
      title=${`${tileName(tile)} · ${words.tokens({ tokens: tile.tokens })}`}
      @click=${() => onChoose(tile.key)}
      ${at(box)}
    >
      ${slices.map(
        ({ isStale, ...slice }) =>
          html`<i
            class="slice ${isStale ? 'is-stale' : ''}"
            ${at({ ...slice, left: slice.left - box.left, top: slice.top - box.top })}
          ></i>`,
      )}
      ${
        hasRoom
          ? html`<span class="tile-name">${name}</span>
              ${box.height < lines.tokens ? nothing : html`<span class="tile-tokens">${formatCount(tile.tokens)}</span>`}`
          : nothing
      }
    </div>`;
  }
}

function partInWords(tile: Tile): string {
  return inspectorTexts.usage.barKind({ kind: tileName(tile), tokens: tile.tokens });
}

function at({ left, top, width, height }: Box): unknown {
  return styled({ left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

export const treemap = component('cb-treemap', Treemap);

export function kindName(kind: Tile['kind']): string {
  return kind === 'notInFile' ? words.notInFile : kindNames[kind];
}

/** A tile in words: its file, tool, server or message; of gathered parts, their number. */
export function tileName({ kind, name, count, part }: Tile): string {
  if (kind === 'notInFile') return words.notInFile;
  if (kind === 'tools') return name === '' ? kindNames.tools : words.server({ name });
  return part === undefined ? words.moreOf({ kind: kindNames[kind], count }) : name;
}

/** The name for little room: a file without its folders, a result without the name of its tool. */
function shortName(tile: Tile): string {
  if (tile.part === undefined && tile.kind !== 'notInFile' && tile.kind !== 'tools')
    return words.more({ count: tile.count });
  const name = tileName(tile);
  const end = Math.max(...['/', '\\', ' '].map((mark) => name.lastIndexOf(mark))) + 1;
  const isFile = /\.\w+$/u.test(name) && !/[*?{}]/u.test(name) && name.split(' ').length < 3;
  if (isFile) return name.slice(end);
  return tile.kind === 'toolResult' ? name.replace(/^\S+ (?=\S)/u, '') : name;
}
