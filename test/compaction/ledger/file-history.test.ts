import { describe, expect, it } from 'vitest';
import { withFiles } from '../../../src/compaction/ledger/file-history.ts';

const none = { filesModified: [], filesRead: [] };

describe('the history of files', () => {
  it('tells a file that was written first from one that was there', () => {
    const { filesModified, filesRead } = withFiles(none, [
      { path: 'src/old.ts', what: 'read' },
      { path: '/p/src/old.ts', what: 'written' },
      { path: 'new.ts', what: 'written' },
      { path: 'new.ts', what: 'edited' },
      { path: 'seen.ts', what: 'read' },
    ]);
    expect(filesModified).toEqual([
      { path: '/p/src/old.ts', edits: 1 },
      { path: 'new.ts', created: true, edits: 1 },
    ]);
    expect(filesRead).toEqual(['seen.ts']);
  });

  it('keeps what was deleted, unless it was made before', () => {
    const { filesModified } = withFiles(none, [
      { path: 'old.ts', what: 'deleted' },
      { path: 'try.py', what: 'created' },
      { path: 'try.py', what: 'deleted' },
    ]);
    expect(filesModified).toEqual([{ path: 'old.ts', deleted: true }]);
  });

  it('goes on from earlier work', () => {
    const earlier = { filesModified: [{ path: '/p/a.ts', edits: 2 }], filesRead: ['/p/b.ts'] };
    expect(
      withFiles(earlier, [
        { path: 'a.ts', what: 'edited' },
        { path: './b.ts', what: 'written' },
      ]),
    ).toEqual({
      filesModified: [
        { path: '/p/a.ts', edits: 3 },
        { path: '/p/b.ts', edits: 1 },
      ],
      filesRead: [],
    });
  });
});
