import { describe, expect, it } from 'vitest';
import { grammarOf, parseWords } from '../../../src/agent/approvals/option-grammar.ts';

const grammar = grammarOf(
  '-s -n:number -u[word] -5 --short --author=text --stat[=word] --pretty[=format]',
  'file path*',
);

/** The values in a command line, as `kind value`; undefined if the grammar does not allow the line. */
const valuesIn = (line: string, of = grammar) =>
  parseWords(of, line === '' ? [] : line.split(' '))?.map(({ kind, value }) => `${kind} ${value}`);

describe('parseWords', () => {
  it.each<[what: string, line: string, values: readonly string[]]>([
    ['operands, the last kind for all others', 'a b c', ['file a', 'path b', 'path c']],
    ['options without a value', '-s --short a', ['file a']],
    ['a value in the next word', '-n 5 a', ['number 5', 'file a']],
    ['a value in the same word', '-n5 a', ['number 5', 'file a']],
    [
      'a value after an equal sign, which may be empty',
      '--author=me --author= a',
      ['text me', 'text ', 'file a'],
    ],
    ['a value in the next word for a long option', '--author me a', ['text me', 'file a']],
    ['an optional value only in the same word', '-u --stat --stat=3 -uno a', ['word 3', 'word no', 'file a']],
    ['several letters, the last with its value', '-sn5 a', ['number 5', 'file a']],
    ['several letters, the last with its value in the next word', '-sn 5 a', ['number 5', 'file a']],
    ['several letters, the last with a value that is left out', '-su a', ['file a']],
    ['any number of lines', '-1 -999999999 a', ['file a']],
    ['operands after two dashes, whatever they look like', '-s -- -n --x', ['file -n', 'path --x']],
    ['options after operands', 'a -s b', ['file a', 'path b']],
  ])('reads %s: %s', (_what, line, values) => {
    expect(valuesIn(line)).toEqual(values);
  });

  it.each([
    ['an unknown option', '-x a'],
    ['an unknown long option', '--long a'],
    ['an abbreviated option', '--sho a'],
    ['a value for an option without one', '--short=1 a'],
    ['an unknown letter among known ones', '-sx a'],
    ['an option whose value is missing', 'a -n'],
    ['an option instead of a value', '-n -s a'],
    ['a dash alone, which means standard input', '- a'],
    ['too long a number of lines', '-1234567890 a'],
    ['a number with other characters', '-5x a'],
    ['a missing operand', '-s'],
    ['no words', ''],
  ])('rejects %s: %s', (_what, line) => {
    expect(valuesIn(line)).toBeUndefined();
  });

  it('rejects more operands than the grammar has, and numbers of lines unless it has them', () => {
    const one = grammarOf('-s', 'file');
    expect(valuesIn('-s a', one)).toEqual(['file a']);
    expect(valuesIn('a b', one)).toBeUndefined();
    expect(valuesIn('-5 a', one)).toBeUndefined();
  });

  it('reads a word with one dash as one option if the program has such options', () => {
    const find = grammarOf('-name:text -n -a', 'name*', true);
    expect(valuesIn('. -name a -n', find)).toEqual(['text a', 'name .']);
    expect(valuesIn('. -na', find)).toBeUndefined();
  });

  it.each(['tree', 'whole'])('searches everything without an operand of the kind %s', (kind) => {
    const search = grammarOf('-n', `text ${kind}*`);
    expect(valuesIn('-n a', search)).toEqual(['text a', `${kind} .`]);
    expect(valuesIn('a src', search)).toEqual(['text a', `${kind} src`]);
  });

  it('adds no operand of another kind', () => {
    expect(valuesIn('a', grammarOf('', 'text name*'))).toEqual(['text a']);
    expect(valuesIn('', grammarOf('', 'file*'))).toEqual([]);
  });
});

describe('grammarOf', () => {
  it('reads options over several lines', () => {
    const { options } = grammarOf(`-s
      --stat[=word]  --author=text`);
    expect([...options]).toEqual([
      ['-s', undefined],
      ['--stat', { kind: 'word', isOptional: true }],
      ['--author', { kind: 'text', isOptional: false }],
    ]);
  });

  it('reads operands, and the kind of the others', () => {
    expect(grammarOf('', 'text  file path*')).toMatchObject({ operands: ['text', 'file'], others: 'path' });
    expect(grammarOf('')).toMatchObject({
      operands: [],
      others: undefined,
      takesCount: false,
      hasLongWords: false,
    });
  });
});
