import type { Kind } from '../../../src/compaction/message.ts';
import { svg } from './svg.ts';

/** What a kind's bars are filled with in high contrast, as its bars are elsewhere: lines and dots on a small tile. */
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
};

export function patternId(kind: Kind): string {
  return `pattern-${kind}`;
}

/** The patterns of all kinds. */
export function patterns(): SVGDefsElement {
  const made = Object.entries(tiles).map(([kind, { size, path, width }]) =>
    svg(
      'pattern',
      { id: patternId(kind as Kind), width: size, height: size, patternUnits: 'userSpaceOnUse' },
      svg('path', { d: path, class: `tile tile-${kind}`, 'stroke-width': width }),
    ),
  );
  return svg('defs', {}, ...made);
}
