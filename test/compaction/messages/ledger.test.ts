import { describe, expect, it } from 'vitest';
import {
  emptyLedger,
  mergeFiles,
  mergeLedgers,
  wholeLedger,
} from '../../../src/compaction/messages/ledger.ts';

describe('changed files', () => {
  it('are listed once, at the position of the last edit, with the number of edits', () => {
    expect(
      mergeFiles([
        { path: 'a.ts', created: true, edits: 1 },
        { path: 'b.ts', edits: 1 },
        { path: 'a.ts', edits: 2 },
      ]),
    ).toEqual([
      { path: 'b.ts', edits: 1 },
      { path: 'a.ts', edits: 3, created: true },
    ]);
  });

  it('are marked as deleted only until they are written again', () => {
    const deleted = { path: 'a.ts', deleted: true } as const;
    expect(mergeFiles([{ path: 'a.ts', edits: 1 }, deleted])).toEqual([
      { path: 'a.ts', edits: 1, deleted: true },
    ]);
    expect(mergeFiles([deleted, { path: 'a.ts', edits: 1 }])).toEqual([{ path: 'a.ts', edits: 1 }]);
  });

  it('are not listed as read or as not run', () => {
    const earlier = {
      ...emptyLedger,
      filesRead: ['a.ts'],
      notRun: [{ text: 'a.ts', what: 'edit', end: 'pending' }],
    } as const;
    const merged = mergeLedgers(earlier, { ...emptyLedger, filesModified: [{ path: 'a.ts', edits: 1 }] });
    expect(merged).toMatchObject({ filesRead: [], notRun: [] });
  });
});

it('wholeLedger reads ledgers of earlier versions, which listed only paths', () => {
  expect(wholeLedger({ filesModified: ['a.ts'], filesRead: ['b.ts'] })).toEqual({
    ...emptyLedger,
    filesModified: [{ path: 'a.ts' }],
    filesRead: ['b.ts'],
  });
});
