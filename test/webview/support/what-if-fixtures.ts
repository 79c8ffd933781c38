import type { InspectorNotification } from '../../../src/protocol/inspector.ts';
import type { Share, WhatIfRow, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';

function share(kept: number, total: number): Share {
  return { kept, total };
}

export const whatIfRow: WhatIfRow = {
  strategy: 'ladder',
  status: 'applied',
  tokensAfter: 38912,
  savedPerCall: 43834,
  cacheMissTokens: 41020,
  breakEvenCalls: 2,
  coverage: {
    files: share(14, 14),
    commands: share(33, 33),
    errors: share(9, 9),
    identifiers: share(120, 120),
    userMessages: share(12, 12),
    rules: share(4, 4),
  },
  modelCalls: 0,
  isEstimate: false,
  durationMs: 41,
};

export const whatIfRows: readonly WhatIfRow[] = [
  whatIfRow,
  {
    ...whatIfRow,
    strategy: 'state-snapshot',
    tokensAfter: 31806,
    savedPerCall: 50940,
    cacheMissTokens: 70002,
    breakEvenCalls: 3,
    coverage: { ...whatIfRow.coverage, files: share(13, 14), commands: share(11, 33), errors: share(4, 9) },
    modelCalls: 1,
    isEstimate: true,
    durationMs: 214,
  },
  {
    ...whatIfRow,
    strategy: 'sliding-window',
    tokensAfter: 63990,
    savedPerCall: 18756,
    cacheMissTokens: 72310,
    breakEvenCalls: null,
    coverage: { ...whatIfRow.coverage, files: share(8, 14) },
  },
  {
    ...whatIfRow,
    strategy: 'none',
    status: 'unchanged',
    reason: 'This strategy never compacts.',
    tokensAfter: 82746,
    savedPerCall: 0,
    cacheMissTokens: 0,
    breakEvenCalls: 0,
  },
];

export function whatIfView(changes: Partial<WhatIfView> = {}): WhatIfView {
  return {
    phase: 'done',
    isStale: false,
    total: whatIfRows.length,
    durationMs: 900,
    current: 'ladder',
    moments: [],
    rows: whatIfRows,
    ...changes,
  };
}

export function whatIf(changes: Partial<WhatIfView> = {}, sessionId = 'session-1'): InspectorNotification {
  return { type: 'what-if', sessionId, view: whatIfView(changes) };
}
