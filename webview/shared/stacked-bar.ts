import { css, html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type Kind, kinds } from '../../src/protocol/engine-terms.ts';
import { addStyles } from './component.ts';
import { styled } from './styled.ts';

/** A part of a bar, in the colour and pattern of its class `kind-…`. */
interface Segment {
  readonly name: Kind | 'notInFile';
  /** Size of the segment, in the unit of the bar's scale. */
  readonly size: number;
}

/** A line across a bar. */
export interface BarMark {
  readonly name: string;
  readonly at: number;
}

interface BarContent {
  readonly segments: readonly Segment[];
  readonly marks?: readonly BarMark[];
  /** The size that stands for the full width. */
  readonly scale: number;
}

/**
 * The segments of the kinds in their fixed order, and of the provider's count beyond them. If the provider counts
 * fewer, the kinds are reduced to fit the total.
 *
 * @param total total size
 */
export function kindSegments(byKind: Readonly<Record<Kind, number>>, total: number): readonly Segment[] {
  const counted = kinds.reduce((sum, kind) => sum + byKind[kind], 0);
  const scale = counted > total ? total / counted : 1;
  return [
    ...kinds
      .filter((kind) => byKind[kind] > 0)
      .map((kind) => ({ name: kind, size: byKind[kind] * scale }) as const),
    ...(counted < total ? [{ name: 'notInFile', size: total - counted } as const] : []),
  ];
}

/** A bar of segments with marks. It is hidden from screen readers: the element around it names its numbers. */
export function stackedBar({ segments, marks = [], scale }: BarContent): TemplateResult {
  const shareOf = (size: number) => `${scale > 0 ? Math.min(1, Math.max(0, size / scale)) * 100 : 0}%`;
  return html`<div class="bar" aria-hidden="true">
    <div class="bar-segments">
      ${repeat(
        segments,
        ({ name }) => name,
        ({ name, size }) => html`<i class="kind kind-${name}" ${styled({ width: shareOf(size) })}></i>`,
      )}
    </div>
    ${repeat(
      marks,
      ({ name }) => name,
      ({ name, at }) => html`<span class="mark mark-${name}" ${styled({ left: shareOf(at) })}></span>`,
    )}
  </div>`;
}

addStyles(css`
  .bar {
    position: relative;
    height: 100%;
  }
  .bar-segments {
    display: flex;
    height: 100%;
    overflow: hidden;
    border-radius: 2px;
    background: var(--track);
    > .kind {
      flex: none;
      height: 100%;
    }
  }
  .mark {
    position: absolute;
    top: -3px;
    bottom: -3px;
    width: 2px;
    margin-left: -1px;
    background: var(--fg);
    forced-color-adjust: none;
  }
  .mark-background {
    opacity: 0.55;
  }
  body.vscode-high-contrast {
    .bar-segments {
      border: 1px solid var(--line);
      border-radius: 0;
      > .kind {
        border-inline-end: 1px solid var(--line);
      }
    }
    .mark-background {
      background: linear-gradient(var(--fg) 60%, transparent 60%) 0 0 / 2px 3px;
      opacity: 1;
    }
  }
`);
