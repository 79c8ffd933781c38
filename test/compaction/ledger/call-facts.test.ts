import { describe, expect, it } from 'vitest';
import { factsOfCall } from '../../../src/compaction/ledger/call-facts.ts';

describe('the search words of a call', () => {
  it('are its arguments as written, and not identifiers', () => {
    const call = (input: object) =>
      factsOfCall({
        id: 'c',
        type: 'function',
        function: { name: 'grep', arguments: JSON.stringify(input) },
      });
    expect(call({ pattern: 'os\\.Stat\\(', path: 'a.go' })).toMatchObject({
      filesRead: ['a.go'],
      identifiers: [],
      searched: ['os\\.Stat\\('],
    });
    expect(call({ reservation_id: 'X 1' })).toMatchObject({ identifiers: ['X 1'], searched: [] });
  });
});
