import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromFolder } from '../../../src/compaction/text/from-folder.ts';

describe('fromFolder', () => {
  it.each([
    ['Read /project/app/src/a.ts', '/project/app', 'Read src/a.ts'],
    ['diff /project/app/a.ts /project/app/b.ts', '/project/app/', 'diff a.ts b.ts'],
    ['{"path":"C:\\\\app\\\\src\\\\a.ts"}', 'C:\\app', '{"path":"src\\\\a.ts"}'],
    ['C:\\app\\src\\a.ts', 'C:\\app', 'src\\a.ts'],
  ])('makes paths below the folder relative to it: %s', (text, folder, shown) => {
    expect(fromFolder(text, folder)).toBe(shown);
  });

  it.each([
    ['/backup/project/app/a.ts', '/project/app'],
    ['/project/apple/a.ts', '/project/app'],
    ['cd /project/app', '/project/app'],
    ['/project/app/a.ts', '/'],
    ['/project/app/a.ts', undefined],
  ])('leaves all other paths unchanged: %s', (text, folder) => {
    expect(fromFolder(text, folder)).toBe(text);
  });

  it('never lengthens a text, and keeps the end of it', () => {
    const piece = fc.constantFrom('/project/app/', '/project/', 'app', ' ', '"', '\\', 'a.ts');
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = `${pieces.join('')}end`;
        const shown = fromFolder(text, '/project/app');
        expect(shown.length).toBeLessThanOrEqual(text.length);
        expect(shown.endsWith('end')).toBe(true);
      }),
    );
  });
});
