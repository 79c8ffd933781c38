import { describe, expect, it } from 'vitest';
import { fullnessLines } from '../../../src/bridge/server/fullness-text.ts';
import type { Fullness } from '../../../src/insights/context-fullness.ts';

describe('the text about the fullness of a context', () => {
  it.each<[string, Fullness, readonly [string, string]]>([
    [
      'names both possible windows',
      {
        tokens: 74_767,
        basis: 'reported',
        window: 200_000,
        alternatives: [1_000_000],
        source: 'model',
        unseen: { tokens: 63_011 },
      },
      [
        '74767 of 200000 or 1000000 tokens (37% or 7%).',
        'As reported for the last request and its reply, plus our count of everything after them. 63011 tokens are not in the file (system prompt, tool definitions). The model may have either window.',
      ],
    ],
    [
      'states the share of the size at which the agent compacts',
      {
        tokens: 74_767,
        basis: 'reported',
        window: 200_000,
        alternatives: [],
        source: 'compaction',
        compactsAt: 174_247,
      },
      [
        '74767 of 200000 tokens (37%), 43% of the 174247 at which it compacts by itself.',
        'As reported for the last request and its reply, plus our count of everything after them. The window follows from the size at which it compacted automatically.',
      ],
    ],
    [
      'states our count, and the measured tokens outside the file',
      {
        tokens: 25_600,
        basis: 'counted',
        alternatives: [],
        unseen: { tokens: 25_592, measuredWith: '2.1.197' },
      },
      [
        '25600 tokens of an unknown window.',
        'Our count, because there is no report on the current context. 25592 tokens are not in the file (system prompt, tool definitions), as measured with version 2.1.197 of the agent.',
      ],
    ],
  ])('%s', (_, fullness, lines) => {
    expect(fullnessLines(fullness)).toEqual(lines);
  });
});
