import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditMismatchError } from '../../../src/agent/edits/file-editor.ts';
import { replaceAll, type SearchReplace } from '../../../src/agent/edits/search-replace.ts';
import { textOfLines } from './texts.ts';

/** The objection to edits that cannot be made. */
function problemOf(text: string, ...edits: readonly SearchReplace[]): string {
  try {
    replaceAll(text, edits);
  } catch (error) {
    if (error instanceof EditMismatchError) return error.message;
    throw error;
  }
  throw new Error('The edits were made.');
}

const edit = (search: string, replace: string): SearchReplace => ({ search, replace });

const code = `export function lock(name: string) {
  const path = pathOf(name);
  if (isHeld(path)) {
    return false;
  }
  return take(path);
}
`;

describe('replacing texts', () => {
  it.each([
    ['replaces the only occurrence', 'one two three', [edit('two', '2')], 'one 2 three'],
    ['finds a search text that begins at a line end', 'a\r\nb\r\nb', [edit('\nb\nb', '\nc')], 'a\r\nc'],
    ['makes edits one after another', 'a', [edit('a', 'b'), edit('b', 'c')], 'c'],
    ['adds no carriage returns to a file that has none', 'a\nb\n', [edit('a\r\nb', 'x\r\ny')], 'x\ny\n'],
    ['keeps mixed line ends', 'a\r\nb\nc\r\n', [edit('a\nb\nc', 'a\nx\nc')], 'a\r\nx\nc\r\n'],
    ['keeps a byte order mark', '\ufeffa\n', [edit('a', 'b')], '\ufeffb\n'],
    ['keeps a missing line end at the end of the file', 'a\nb', [edit('b', 'c')], 'a\nc'],
  ])('%s', (_title, given, other, expected) => {
    expect(replaceAll(given, other)).toBe(expected);
  });

  it('treats special characters in searches and replacements literally', () => {
    expect(replaceAll('f(a.b[0]) + $1', [edit('(a.b[0]) + $1', "$& $' {}")])).toBe("f$& $' {}");
  });

  it('finds a search text as long as a file', () => {
    const long = 'a\n'.repeat(200_000);
    expect(
      replaceAll(`before\r\n${long.replaceAll('\n', '\r\n')}after`, [edit(`before\n${long}`, 'one\n')]),
    ).toBe('one\r\nafter');
  });

  it('does not compare every line of a file of many megabytes', () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`).join('\n');
    expect(problemOf(lines, edit('lime 77 of 80', ''))).toContain('nothing like it was found');
    expect(problemOf(lines.slice(0, 10_000), edit('lime 77', ''))).toContain('Closest to it');
  });

  it('replaces every occurrence on request', () => {
    expect(replaceAll('a b a', [{ search: 'a', replace: 'aa', all: true }])).toBe('aa b aa');
  });

  it('finds lines of a CRLF file with a search that has line feeds, and keeps the line ends', () => {
    expect(replaceAll('a\r\nb\r\nc\r\n', [edit('a\nb\n', 'a\nx\ny\n')])).toBe('a\r\nx\r\ny\r\nc\r\n');
  });

  it('keeps all other text unchanged, whatever the line ends', () => {
    fc.assert(
      fc.property(textOfLines, textOfLines, textOfLines, (before, replace, after) => {
        const text = `${before}<mark>\n${after}`;
        const result = replaceAll(text, [edit('<mark>', replace)]);
        expect(result.startsWith(before) && result.endsWith(`\n${after}`)).toBe(true);
        const middle = result.slice(before.length, result.length - after.length - 1);
        expect(middle.replaceAll('\r\n', '\n')).toBe(replace.replaceAll('\r\n', '\n'));
      }),
    );
  });
});

describe('an edit that cannot be made', () => {
  it('counts and locates the occurrences of an ambiguous string', () => {
    expect(problemOf('x = 1\ny = 1\n', edit('= 1', '= 2'))).toBe(
      'The search text occurs 2 times, at lines 1, 2. Take in more of the lines around the one that is meant, or set all to replace every one.',
    );
  });

  it.each([
    ['counts overlapping occurrences', 'aaa', edit('aa', 'b'), 'occurs 2 times'],
    ['reports that nothing is similar', code, edit('SELECT * FROM users', ''), 'nothing like it was found'],
    ['reports an empty search', 'a', edit('', 'a'), 'is empty'],
  ])('%s', (_title, text, other, expected) => {
    expect(problemOf(text, other)).toContain(expected);
  });

  it('names the failed edit of several', () => {
    expect(problemOf('a b', edit('a', 'c'), edit('missing', 'd'))).toMatch(/^The search text of edit 2 /);
  });

  it('is compared with the text after the earlier edits', () => {
    expect(problemOf('a b', edit('a', 'c'), edit('a', 'd'))).toMatch(
      /^The search text of edit 2 does not occur/,
    );
  });

  it('shows the closest lines and the difference in indentation', () => {
    expect(problemOf(code, edit('if (isHeld(path)) {\n\treturn false;\n}', ''))).toBe(
      `The search text does not occur. Closest to it: lines 3–5. Line 3 begins with 2 spaces, searched was no indentation.

3\t  if (isHeld(path)) {
4\t    return false;
5\t  }`,
    );
  });

  it('distinguishes tabs from spaces', () => {
    expect(problemOf('\tdone();\n', edit('    done();', ''))).toContain(
      'Line 1 begins with 1 tab, searched was 4 spaces.',
    );
  });

  it('reports different white space at the end of a line', () => {
    expect(problemOf('one  \ntwo\n', edit('one\ntwo', ''))).toContain('differ in the white space at the end');
  });

  it('reports different white space within a line', () => {
    expect(problemOf('a  =  1;\n', edit('a = 1;', ''))).toContain('differ in white space only');
  });

  it('reports characters that only look alike', () => {
    expect(problemOf('say(“hello”);\n', edit('say("hello");', ''))).toContain('signs that look alike');
  });

  it('reports different capital letters', () => {
    expect(problemOf('const Name = 1;\n', edit('const name = 1;', ''))).toContain('capital letters');
  });

  it('shows the closest line if none is equal', () => {
    expect(problemOf(code, edit('  return takes(path, 1);', ''))).toContain(
      'Line 6 is `  return take(path);`, searched was `  return takes(path, 1);`.\n\n6\t',
    );
  });

  it('recognises line numbers copied from read_file', () => {
    expect(problemOf(code, edit('3\t  if (isHeld(path)) {\n4\t    return false;', ''))).toContain(
      'has line numbers in front of its lines',
    );
  });

  it('recognises an edit that was already made', () => {
    expect(problemOf(code, edit('  return acquire(path);', '  return take(path);'))).toBe(
      'The search text does not occur, but its replacement does, at line 6: the edit was probably made already.',
    );
  });

  it('recognises an additional line end', () => {
    expect(problemOf('last line', edit('last line\n', 'x'))).toContain('more line ends than the file has');
  });

  it('reports that search and replacement are equal', () => {
    expect(problemOf('a', edit('a', 'a'))).toBe('The search text is the same as its replacement.');
  });

  it('is explained quickly in a file of several megabytes', () => {
    const text = Array.from(
      { length: 40_000 },
      (_, index) => `const value${index} = compute(${index});\n`,
    ).join('');
    expect(problemOf(text, edit('const value12345 = computed(12345);', ''))).toContain('Line 12346 is');
  });
});
