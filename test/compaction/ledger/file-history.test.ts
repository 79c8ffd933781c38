import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneSpelling, withFiles } from '../../../src/compaction/ledger/file-history.ts';

const none = { filesModified: [], filesRead: [] };

describe('the history of files', () => {
  it('distinguishes new files from existing files', () => {
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

  it('lists deleted files unless the session created them', () => {
    const { filesModified } = withFiles(none, [
      { path: 'old.ts', what: 'deleted' },
      { path: 'try.py', what: 'created' },
      { path: 'try.py', what: 'deleted' },
    ]);
    expect(filesModified).toEqual([{ path: 'old.ts', deleted: true }]);
  });

  it('does not list a file as read if a command only named it', () => {
    const named = { path: 'a.ts', what: 'read', isNamed: true } as const;
    expect(withFiles(none, [named, { path: 'b.ts', what: 'read' }]).filesRead).toEqual(['b.ts']);
    expect(withFiles(none, [named, { path: 'a.ts', what: 'written' }]).filesModified).toEqual([
      { path: 'a.ts', edits: 1 },
    ]);
  });

  it('does not list a file as read if it or its folder was deleted later', () => {
    const read = ['a.ts', 'old/b.ts', 'older.ts'].map((path) => ({ path, what: 'read' }) as const);
    const gone = ['a.ts', 'old'].map((path) => ({ path, what: 'deleted', isNamed: true }) as const);
    expect(withFiles(none, [...read, ...gone])).toEqual({ filesModified: [], filesRead: ['older.ts'] });
  });

  it('leaves out files outside the project unless all files are outside', () => {
    const trial = { path: '/tmp/fix.py', what: 'created' } as const;
    const others = ['/p/node_modules/x/index.js', '~/.cache/x.json', '/usr/lib/x.py'];
    const libraries = others.map((path) => ({ path, what: 'read' }) as const);
    expect(withFiles(none, [trial, ...libraries, { path: '/p/a.ts', what: 'edited' }])).toEqual({
      filesModified: [{ path: '/p/a.ts', edits: 1 }],
      filesRead: [],
    });
    expect(withFiles(none, [trial]).filesModified).toEqual([{ path: '/tmp/fix.py', created: true }]);
  });

  it('adds new work to the work in earlier records', () => {
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

const spelled = (...paths: readonly string[]) => paths.map(oneSpelling(paths));

describe('the common spelling of a path', () => {
  it('is the longest path that names the file', () => {
    expect(spelled('src/a.ts', './src/a.ts', '/root/src/a.ts', 'a.ts')).toEqual(
      Array.from({ length: 4 }, () => '/root/src/a.ts'),
    );
    expect(spelled('~/p/a.ts', '/home/u/p/a.ts')).toEqual(['/home/u/p/a.ts', '/home/u/p/a.ts']);
  });

  it('stays short if several longer paths end with the same name', () => {
    expect(spelled('a.ts', '/p/x/a.ts', '/p/y/a.ts')[0]).toBe('a.ts');
    expect(spelled('~/a.ts', '/srv/home/a.ts')[0]).toBe('~/a.ts');
  });

  it('is the same if it is applied twice', () => {
    const part = fc.constantFrom('a', 'b', 'c.ts', '~', '..');
    const path = fc
      .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 4 }))
      .map(([isWhole, parts]) => (isWhole ? '/' : '') + parts.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 12 }), (paths) => {
        const spell = oneSpelling(paths);
        for (const one of paths) expect(spell(spell(one))).toBe(spell(one));
      }),
    );
  });
});
