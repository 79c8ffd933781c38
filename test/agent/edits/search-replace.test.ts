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
  it('replaces the only occurrence', () => {
    expect(replaceAll('one two three', [edit('two', '2')])).toBe('one 2 three');
  });

  it('takes signs of regular expressions and replacements as they are', () => {
    expect(replaceAll('f(a.b[0]) + $1', [edit('(a.b[0]) + $1', "$& $' {}")])).toBe("f$& $' {}");
  });

  it('finds a search that is as long as a file', () => {
    const long = 'a\n'.repeat(200_000);
    expect(
      replaceAll(`before\r\n${long.replaceAll('\n', '\r\n')}after`, [edit(`before\n${long}`, 'one\n')]),
    ).toBe('one\r\nafter');
  });

  it('finds a search that begins at a line end', () => {
    expect(replaceAll('a\r\nb\r\nb', [edit('\nb\nb', '\nc')])).toBe('a\r\nc');
  });

  it('does not compare every line of a file of many megabytes', () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`).join('\n');
    expect(problemOf(lines, edit('lime 77 of 80', ''))).toContain('nothing like it was found');
    expect(problemOf(lines.slice(0, 10_000), edit('lime 77', ''))).toContain('Closest to it');
  });

  it('makes one edit after the other', () => {
    expect(replaceAll('a', [edit('a', 'b'), edit('b', 'c')])).toBe('c');
  });

  it('replaces every occurrence where that is asked for', () => {
    expect(replaceAll('a b a', [{ search: 'a', replace: 'aa', all: true }])).toBe('aa b aa');
  });

  it('finds lines of a CRLF file with a search that has line feeds, and keeps the line ends', () => {
    expect(replaceAll('a\r\nb\r\nc\r\n', [edit('a\nb\n', 'a\nx\ny\n')])).toBe('a\r\nx\r\ny\r\nc\r\n');
  });

  it('writes no carriage returns into a file without', () => {
    expect(replaceAll('a\nb\n', [edit('a\r\nb', 'x\r\ny')])).toBe('x\ny\n');
  });

  it('keeps line ends that are mixed', () => {
    expect(replaceAll('a\r\nb\nc\r\n', [edit('a\nb\nc', 'a\nx\nc')])).toBe('a\r\nx\nc\r\n');
  });

  it('keeps a byte order mark', () => {
    expect(replaceAll('\ufeffa\n', [edit('a', 'b')])).toBe('\ufeffb\n');
  });

  it('keeps a missing line end at the end', () => {
    expect(replaceAll('a\nb', [edit('b', 'c')])).toBe('a\nc');
  });

  it('leaves everything else as it is, whatever the line ends', () => {
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
  it('says how often and where a string occurs that is not the only one', () => {
    expect(problemOf('x = 1\ny = 1\n', edit('= 1', '= 2'))).toBe(
      'The search text occurs 2 times, at lines 1, 2. Take in more of the lines around the one that is meant, or set all to replace every one.',
    );
  });

  it('counts occurrences that share characters', () => {
    expect(problemOf('aaa', edit('aa', 'b'))).toContain('occurs 2 times');
  });

  it('names the edit of several', () => {
    expect(problemOf('a b', edit('a', 'c'), edit('missing', 'd'))).toMatch(/^The search text of edit 2 /);
  });

  it('sees only what earlier edits left', () => {
    expect(problemOf('a b', edit('a', 'c'), edit('a', 'd'))).toMatch(
      /^The search text of edit 2 does not occur/,
    );
  });

  it('shows the closest lines and says what differs in their indentation', () => {
    expect(problemOf(code, edit('if (isHeld(path)) {\n\treturn false;\n}', ''))).toBe(
      `The search text does not occur. Closest to it: lines 3–5. Line 3 begins with 2 spaces, searched was no indentation.

3\t  if (isHeld(path)) {
4\t    return false;
5\t  }`,
    );
  });

  it('tells tabs from spaces', () => {
    expect(problemOf('\tdone();\n', edit('    done();', ''))).toContain(
      'Line 1 begins with 1 tab, searched was 4 spaces.',
    );
  });

  it('says that white space at the end of a line differs', () => {
    expect(problemOf('one  \ntwo\n', edit('one\ntwo', ''))).toContain('differ in the white space at the end');
  });

  it('says that white space within a line differs', () => {
    expect(problemOf('a  =  1;\n', edit('a = 1;', ''))).toContain('differ in white space only');
  });

  it('says that signs only look alike', () => {
    expect(problemOf('say(“hello”);\n', edit('say("hello");', ''))).toContain('signs that look alike');
  });

  it('says that capital letters differ', () => {
    expect(problemOf('const Name = 1;\n', edit('const name = 1;', ''))).toContain('capital letters');
  });

  it('shows the line that comes closest where none is the same', () => {
    expect(problemOf(code, edit('  return takes(path, 1);', ''))).toContain(
      'Line 6 is `  return take(path);`, searched was `  return takes(path, 1);`.\n\n6\t',
    );
  });

  it('says that nothing is like it', () => {
    expect(problemOf(code, edit('SELECT * FROM users', ''))).toContain('nothing like it was found');
  });

  it('knows line numbers that were copied from read_file', () => {
    expect(problemOf(code, edit('3\t  if (isHeld(path)) {\n4\t    return false;', ''))).toContain(
      'has line numbers in front of its lines',
    );
  });

  it('knows an edit that was made already', () => {
    expect(problemOf(code, edit('  return acquire(path);', '  return take(path);'))).toBe(
      'The search text does not occur, but its replacement does, at line 6: the edit was probably made already.',
    );
  });

  it('knows a line end too many at the end', () => {
    expect(problemOf('last line', edit('last line\n', 'x'))).toContain('more line ends than the file has');
  });

  it('says that a search and its replacement are the same', () => {
    expect(problemOf('a', edit('a', 'a'))).toBe('The search text is the same as its replacement.');
  });

  it('says that a search is empty', () => {
    expect(problemOf('a', edit('', 'a'))).toContain('is empty');
  });

  it('is explained without long delay in a file of megabytes', () => {
    const text = Array.from(
      { length: 40_000 },
      (_, index) => `const value${index} = compute(${index});\n`,
    ).join('');
    expect(problemOf(text, edit('const value12345 = computed(12345);', ''))).toContain('Line 12346 is');
  });
});
