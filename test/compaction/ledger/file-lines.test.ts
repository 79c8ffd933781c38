import { describe, expect, it } from 'vitest';
import { fileLines } from '../../../src/compaction/ledger/file-lines.ts';

describe('files as lines', () => {
  it('name the common folder of most files once', () => {
    const { root, lines } = fileLines([
      '/p/app/src/a.ts',
      '/p/app/src/b.ts',
      '/p/app/README.md',
      '/etc/hosts',
    ]);
    expect(root).toBe('/p/app');
    expect(lines.map(({ text }) => text)).toEqual(['src/a.ts', 'src/b.ts', 'README.md', '/etc/hosts']);
  });

  it('have no common folder if other paths are relative to an unknown folder', () => {
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

  it('state the changes', () => {
    const file = { path: '/p/a.ts', created: true, edits: 3 } as const;
    expect(fileLines([file]).lines).toEqual([{ file, text: '/p/a.ts (created, edited ×3)' }]);
    expect(fileLines([{ path: 'b.ts', deleted: true }]).lines[0]?.text).toBe('b.ts (deleted)');
  });

  it('have no common folder without two files below it', () => {
    expect(fileLines(['/p/a.ts', '/q/b.ts'])).not.toHaveProperty('root');
    expect(fileLines([])).toEqual({ lines: [] });
  });
});
