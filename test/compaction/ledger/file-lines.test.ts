import { describe, expect, it } from 'vitest';
import { fileLines } from '../../../src/compaction/ledger/file-lines.ts';

describe('lists of files', () => {
  it('name the folder that most files share once', () => {
    const { root, lines } = fileLines([
      '/p/app/src/a.ts',
      '/p/app/src/b.ts',
      '/p/app/README.md',
      '/etc/hosts',
    ]);
    expect(root).toBe('/p/app');
    expect(lines.map(({ text }) => text)).toEqual(['src/a.ts', 'src/b.ts', 'README.md', '/etc/hosts']);
  });

  it('name no common folder if other paths are relative to an unknown folder', () => {
    const files = ['/p/app/src/a.ts', '/p/app/src/b.ts', 'c.ts'];
    expect(fileLines(files)).toEqual({ lines: files.map((file) => ({ file, text: file })) });
  });

  it('name the folder that saves the most characters, not the deepest one', () => {
    const names = ['src/a.ts', 'src/b.ts', 'src/c.ts', 'docs/d.md', 'e.md'];
    expect(fileLines(names.map((name) => `/srv/shared/app/${name}`)).root).toBe('/srv/shared/app');
  });

  it('are relative to the working folder if it is known', () => {
    const { root, lines } = fileLines(['/p/app/src/a.ts', 'src/b.ts'], '/p/app');
    expect(root).toBe('/p/app');
    expect(lines.map(({ text }) => text)).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('state the changes of each file', () => {
    const file = { path: '/p/a.ts', created: true, edits: 3 } as const;
    expect(fileLines([file]).lines).toEqual([{ file, text: '/p/a.ts (created, edited ×3)' }]);
    expect(fileLines([{ path: 'b.ts', deleted: true }]).lines[0]?.text).toBe('b.ts (deleted)');
  });

  it('name no common folder if fewer than two files are in it', () => {
    expect(fileLines(['/p/a.ts', '/q/b.ts'])).not.toHaveProperty('root');
    expect(fileLines([])).toEqual({ lines: [] });
  });
});
