import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneSpelling } from '../../../src/compaction/ledger/one-spelling.ts';

const spelled = (...paths: readonly string[]) => paths.map(oneSpelling(paths));

describe('the one spelling of a file', () => {
  it('is the longest of those that lead to it', () => {
    expect(spelled('src/a.ts', './src/a.ts', '/root/src/a.ts', 'a.ts')).toEqual(
      Array.from({ length: 4 }, () => '/root/src/a.ts'),
    );
    expect(spelled('~/p/a.ts', '/home/u/p/a.ts')).toEqual(['/home/u/p/a.ts', '/home/u/p/a.ts']);
  });

  it('stays short if several longer ones end with it', () => {
    expect(spelled('a.ts', '/p/x/a.ts', '/p/y/a.ts')[0]).toBe('a.ts');
    expect(spelled('~/a.ts', '/srv/home/a.ts')[0]).toBe('~/a.ts');
  });

  it('is the one below the folder to which other short paths lead', () => {
    const paths = ['src/a.ts', 'src/b.ts', '/p/src/a.ts', '/p/src/b.ts', 'c.ts', '/p/c.ts', '/q/c.ts'];
    expect(spelled(...paths)[4]).toBe('/p/c.ts');
  });

  it('is the same for its own spelling', () => {
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
