import { css, svg, type TemplateResult, html, nothing } from 'lit';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { Component, component } from '../../shared/component.ts';
import { styled } from '../../shared/styled.ts';
import type { VisibleRows } from '../../shared/virtual-list.ts';
import { type Band, bandsOf, type Span } from './strip-layout.ts';

interface StripProps {
  readonly rows: readonly DiffRowView[];
  /** The part of the strip for which each line of the diff stands. */
  readonly spans: readonly Span[];
  /** Scrolls to a line. */
  readonly onGo: (line: number) => void;
}

/** Height in the drawing's own units. The drawing is stretched to the height of the diff. */
const height = 600;
const width = 12;
/** Widths by what is left of a message, so that fates can be told apart without colour. */
const widths = { whole: width, part: 8, none: 5 } as const;

/**
 * The session as a strip with one line a message: as high as its tokens, in the colour of its kind, narrow and pale
 * if it is gone. A click or a drag scrolls. Hidden from screen readers, because the diff is its table.
 */
class Strip extends Component<StripProps> {
  private drawnRows: readonly DiffRowView[] | undefined;
  private drawing: readonly TemplateResult[] = [];
  private visible: VisibleRows | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.parentElement?.addEventListener('cb-rows-drawn', (event) => {
      this.visible = (event as CustomEvent<VisibleRows>).detail;
      this.requestUpdate();
    });
  }

  protected override render(): unknown {
    const { rows, spans } = this.props;
    if (rows !== this.drawnRows) {
      this.drawnRows = rows;
      this.drawing = pathsOf(bandsOf(rows, height));
    }
    if (this.drawing.length === 0) return nothing;
    const { from = 0 } = spans[this.visible?.first ?? 0] ?? {};
    const { to = 1 } = spans[this.visible?.last ?? 0] ?? {};
    return html`<div class="strip-place" aria-hidden="true">
      <div class="strip" @pointerdown=${this.go} @pointermove=${this.go}>
        <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${this.drawing}</svg>
        <i ${styled({ top: `${from * 100}%`, height: `${(to - from) * 100}%` })}></i>
      </div>
    </div>`;
  }

  private readonly go = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const strip = event.currentTarget as HTMLElement;
    strip.setPointerCapture(event.pointerId);
    const { top, height: size } = strip.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientY - top) / size));
    this.props.onGo(this.props.spans.findIndex(({ to }) => to >= share));
  };

  static override styles = css`
    cb-strip {
      display: block;
      position: relative;
      @media (max-width: 480px) {
        display: none;
      }
    }
    .strip-place {
      position: absolute;
      inset: 0;
    }
    .strip {
      position: sticky;
      top: 34px;
      height: min(100%, 55vh);
      cursor: pointer;
      touch-action: none;
      svg {
        display: block;
        width: 100%;
        height: 100%;
      }
      path {
        fill: var(--kind);
        forced-color-adjust: none;
      }
      .left-part {
        opacity: 0.7;
      }
      .left-none {
        opacity: 0.4;
      }
      > i {
        position: absolute;
        right: -3px;
        left: -3px;
        min-height: 4px;
        border: 1px solid var(--dim);
        border-radius: 2px;
        background: var(--hover);
      }
    }
    body.vscode-high-contrast .strip path {
      opacity: 1;
    }
  `;
}

/** One path for each kind and fate, with a line for each band. A gap separates bands that are high enough. */
function pathsOf(bands: readonly Band[]): readonly TemplateResult[] {
  const paths = new Map<string, string>();
  for (const { kind, left, from, to } of bands) {
    const name = `kind-${kind} left-${left}`;
    const size = to - from > 3 ? to - from - 1 : to - from;
    const line = `M0 ${from.toFixed(1)}h${widths[left]}v${size.toFixed(1)}h-${widths[left]}z`;
    paths.set(name, `${paths.get(name) ?? ''}${line}`);
  }
  return [...paths].map(([name, lines]) => svg`<path class=${name} d=${lines}></path>`);
}

export const strip = component('cb-strip', Strip);
