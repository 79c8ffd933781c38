import { describe, expect, it } from 'vitest';
import type { ToolSchema } from '../../../src/compaction/messages/message.ts';
import { sameToolsThroughout, toolsAt } from '../../../src/compaction/transcript/transcript-entry.ts';

const tool = (name: string): ToolSchema => ({
  type: 'function',
  function: { name, description: '', parameters: {} },
});

describe('toolsAt', () => {
  it('finds the tools that were valid at a given point of the session', () => {
    const [few, many] = [[tool('a')], [tool('a'), tool('b')]];
    const history = [
      { entries: 2, tools: few },
      { entries: 5, tools: many },
    ];
    expect([1, 2, 4, 5, 9].map((entry) => toolsAt(history, entry))).toEqual([[], few, few, many, many]);
  });

  it('finds the same tools at every point if the session has only one list', () => {
    expect(toolsAt(sameToolsThroughout([tool('a')]), 0)).toEqual([tool('a')]);
  });
});
