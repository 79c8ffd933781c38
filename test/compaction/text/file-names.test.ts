import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctFiles, wholePath } from '../../../src/compaction/text/file-names.ts';
import { mentionsIn } from '../../../src/compaction/ledger/mentions.ts';

const isNamed = (text: string, path: string, folder?: string) => mentionsIn([text], folder).hasFile(path);

describe('the names of a file', () => {
  describe('in a folder on Linux or macOS', () => {
    const folder = '/home/me/proj';
    const file = '/home/me/proj/src/store.ts';
    const names = [
      '/home/me/proj/src/store.ts',
      'src/store.ts',
      './src/store.ts',
      'proj/src/store.ts',
      '../proj/src/store.ts',
      '~/proj/src/store.ts',
      '$HOME/proj/src/store.ts',
      'src\\store.ts',
      'src\\\\store.ts',
      'file:///home/me/proj/src/store.ts',
      String.raw`\\wsl$\Ubuntu\home\me\proj\src\store.ts`,
      String.raw`\\wsl.localhost\Ubuntu-22.04\home\me\proj\src\store.ts`,
      '//wsl$/Ubuntu/home/me/proj/src/store.ts',
      'file://wsl.localhost/Ubuntu/home/me/proj/src/store.ts',
      'vscode-remote://wsl+Ubuntu/home/me/proj/src/store.ts',
      'https://example.org/me/proj/blob/main/src/store.ts',
      '…/src/store.ts',
    ];
    const places: readonly (readonly [before: string, after: string])[] = [
      ['See ', ' now.'],
      ['`', '`'],
      ['"', '"'],
      ["'", "'"],
      ['“', '”'],
      ['**`', '`**'],
      ['(', ')'],
      ['[the store](', ')'],
      ['<', '>'],
      ['- ', ''],
      ['', ':12'],
      ['', ':12:3'],
      ['', '#L12-L14'],
      ['', '(12,3)'],
      ['{"path":"', '"}'],
      ['修改了', '，然后'],
      ['', '를 고쳤다'],
    ];

    it.each(names)('are %j in any context', (name) => {
      const missed = places.filter(([before, after]) => !isNamed(before + name + after, file, folder));
      expect(missed).toEqual([]);
    });

    it('are recognised, even if the session names the file in another form', () => {
      const unequal = names.flatMap((written) =>
        names.filter((form) => !isNamed(form, written, folder)).map((form) => [written, form]),
      );
      expect(unequal.filter(([written = '']) => !/^(?:https:|…|\$HOME|proj)/u.test(written))).toEqual([]);
    });

    it.each([
      'store.ts',
      'old-src/store.ts',
      'other/src/store.ts',
      'src/old-store.ts',
      'src/store.tsx',
      'src/store.ts.bak',
      'src/store.ts/inner.ts',
      '../src/store.ts',
      '~/src/store.ts',
      '/src/store.ts',
      '/home/me/other/src/store.ts',
      'C:/home/me/proj/src/store.ts',
      'https://example.org/src/store.ts',
    ])('are not %j', (name) => {
      expect(isNamed(`See \`${name}\` now.`, file, folder)).toBe(false);
    });

    it('may be relative to a parent folder if the file is outside the folder', () => {
      const outside = '/home/me/proj/packages/b/x.ts';
      const here = '/home/me/proj/packages/a';
      expect(isNamed('packages/b/x.ts', outside, here)).toBe(true);
      expect(isNamed('../b/x.ts', outside, here)).toBe(true);
      expect(isNamed('x.ts', outside, here)).toBe(false);
      expect(isNamed('../../x.ts', outside, here)).toBe(false);
    });

    it('may contain spaces, plain or URL-encoded', () => {
      const spaced = '/home/me/proj/my docs/a plan.md';
      expect(isNamed('See my docs/a plan.md.', spaced, folder)).toBe(true);
      expect(isNamed('See file:///home/me/proj/my%20docs/a%20plan.md.', spaced, folder)).toBe(true);
    });

    it('are only the path and its form with ~ if the folder is unknown', () => {
      expect(isNamed('See src/store.ts.', file)).toBe(false);
      expect(isNamed('See ~/notes.md', '/home/me/notes.md')).toBe(true);
      expect(isNamed('See /home/me/notes.md', '~/notes.md')).toBe(true);
    });
  });

  describe('in a folder on Windows', () => {
    const forms = [
      String.raw`C:\Users\me\proj\src\store.ts`,
      String.raw`c:\Users\me\proj\src\store.ts`,
      String.raw`C:\\Users\\me\\proj\\src\\store.ts`,
      String.raw`\\?\C:\Users\me\proj\src\store.ts`,
      String.raw`\\wsl$\Ubuntu\mnt\c\Users\me\proj\src\store.ts`,
      String.raw`src\store.ts`,
      String.raw`.\src\store.ts`,
      String.raw`~\proj\src\store.ts`,
      'C:/Users/me/proj/src/store.ts',
      '/c/Users/me/proj/src/store.ts',
      '/mnt/c/Users/me/proj/src/store.ts',
      'file:///C:/Users/me/proj/src/store.ts',
      'file:///c%3A/Users/me/proj/src/store.ts',
      'src/store.ts',
    ];

    it.each([String.raw`C:\Users\me\proj`, 'c:/Users/me/proj', '/mnt/c/Users/me/proj'])(
      'are recognised in every form from %s',
      (folder) => {
        const unequal = forms.flatMap((written) =>
          forms
            .filter((form) => !isNamed(`See \`${form}:3\`.`, written, folder))
            .map((form) => [written, form]),
        );
        expect(unequal).toEqual([]);
      },
    );

    it('are recognised on a network share', () => {
      const folder = String.raw`\\server\share\proj`;
      const onServer = [
        String.raw`\\server\share\proj\src\store.ts`,
        'file://server/share/proj/src/store.ts',
      ];
      for (const written of [...onServer, 'src/store.ts']) {
        for (const form of [...onServer, String.raw`\\SERVER\share\proj\src\store.ts`, 'src/store.ts']) {
          expect(isNamed(`See ${form}`, written, folder), `${written} as ${form}`).toBe(true);
        }
      }
    });
  });

  it('include the path relative to the folder', () => {
    const name = fc.stringMatching(/^[a-z]{1,6}$/u);
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { maxLength: 3 }),
        (at, below) => {
          const folder = `/${at.join('/')}`;
          const relative = [...below, 'x.ts'].join('/');
          expect(wholePath(relative, folder)).toBe(wholePath(`${folder}/${relative}`, folder));
          expect(isNamed(`See ${relative}`, `${folder}/${relative}`, folder)).toBe(true);
        },
      ),
    );
  });
});

describe('a list of the files among paths', () => {
  it('contains each file once, and no folders', () => {
    const paths = ['/home/me/proj', 'src/a.ts', '/home/me/proj/src/a.ts', 'src', './src/b.ts', '/home'];
    expect(distinctFiles(paths, '/home/me/proj')).toEqual(['src/a.ts', './src/b.ts']);
  });
});
