import { describe, expect, it } from 'vitest';
import { factsOfCall, namesSearched } from '../../../src/compaction/ledger/call-facts.ts';

describe('the names that a search is about', () => {
  it.each([
    ['openStore', ['openStore']],
    ['id', ['id']],
    ['锁', ['锁']],
    ['strategy.SaveContext', ['strategy.SaveContext']],
    ['Store::open', ['Store::open']],
    ['os\\.Getwd\\(\\)', ['os.Getwd']],
    ['\\bcreateBlob\\w+', ['createBlob']],
    ['func AbsPath', ['AbsPath']],
    ['read_file|writeFile', ['read_file', 'writeFile']],
    ['SaveContext\\{', ['SaveContext']],
    ['**/*.md', []],
    ['.cursor*', []],
    ['src/**/store.ts', []],
    ['how does the lock of the store work?', []],
    ['e.g. a lock', []],
    ['^\\s*$', []],
    ['', []],
  ])('in %j are %j', (text, names) => {
    expect(namesSearched(text)).toEqual(names);
  });

  it('stand apart from the words of the search, and from ids', () => {
    const call = (input: object) =>
      factsOfCall({
        id: 'c',
        type: 'function',
        function: { name: 'grep', arguments: JSON.stringify(input) },
      });
    expect(call({ pattern: 'os\\.Stat\\(', path: 'a.go' })).toMatchObject({
      filesRead: ['a.go'],
      names: ['os.Stat'],
      searched: ['os\\.Stat\\('],
    });
    expect(call({ reservation_id: 'X 1' })).toMatchObject({ identifiers: ['X 1'], searched: [] });
  });
});
