import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contextSources,
  parseReferences,
  referenceText,
} from '../../../src/agent/attachments/parse-references.ts';

/** References as typed, each with its expected meaning. */
const namedIn = (text: string) =>
  parseReferences(text).map(({ start, end, source }) => [text.slice(start, end), source] as const);

const file = (path: string, first?: number, last = first) => ({
  type: 'path',
  path,
  ...(first === undefined ? {} : { lines: { first, last } }),
});

describe('parseReferences', () => {
  it.each([
    ['@src/lock.ts', '@src/lock.ts', file('src/lock.ts')],
    ['why does @src/lock.ts fail?', '@src/lock.ts', file('src/lock.ts')],
    ['look at @src/lock.ts:10-20, please', '@src/lock.ts:10-20', file('src/lock.ts', 10, 20)],
    ['look at @src/lock.ts:10.', '@src/lock.ts:10', file('src/lock.ts', 10)],
    ['@src/lock.ts:20–10', '@src/lock.ts:20–10', file('src/lock.ts', 10, 20)],
    ['@src/lock.ts:0', '@src/lock.ts:0', file('src/lock.ts', 1)],
    ['(see @src/lock.ts:3)', '@src/lock.ts:3', file('src/lock.ts', 3)],
    ['@app/(group)/[id].tsx!', '@app/(group)/[id].tsx', file('app/(group)/[id].tsx')],
    ['@app/[id]', '@app/[id]', file('app/[id]')],
    ['@"docs/a plan.md"', '@"docs/a plan.md"', file('docs/a plan.md')],
    ['@"docs/a plan.md":7-9.', '@"docs/a plan.md":7-9', file('docs/a plan.md', 7, 9)],
    [String.raw`@"a \"b\" \\ c"`, String.raw`@"a \"b\" \\ c"`, file(String.raw`a "b" \ c`)],
    ['看看@docs/说明.md，然后修改', '@docs/说明.md', file('docs/说明.md')],
    ['@.env', '@.env', file('.env')],
    ['@Makefile', '@Makefile', file('Makefile')],
    ['fix "@src/a.ts" first', '@src/a.ts', file('src/a.ts')],
  ])('finds in %j the file %s', (text, label, source) => {
    expect(namedIn(text)).toMatchObject([[label, source]]);
  });

  it.each(contextSources)('finds #%s', (type) => {
    expect(namedIn(`fix #${type}, then go on`)).toEqual([[`#${type}`, { type }]]);
  });

  it.each([
    'someone@example.com',
    'https://example.com/@someone/page#file',
    'a @ b',
    '@',
    '@...',
    '@""',
    '#fileserver',
    '#file-name',
    '# file',
    'issue #12',
    'x#selection',
    '&#changes;',
    'the decorator `@Injectable()` is missing',
    '```ts\n@Component({})\nclass A {}\n```',
    '~~~\n@src/a.ts',
  ])('finds nothing in %j', (text) => {
    expect(namedIn(text)).toEqual([]);
  });

  it('finds references after code, but not in it', () => {
    expect(namedIn('```\n@a.ts\n```\nas in @b.ts and `@c.ts`, @d.ts').map(([label]) => label)).toEqual([
      '@b.ts',
      '@d.ts',
    ]);
  });

  it.each([
    ['@alex', false],
    ['@README', false],
    ['@README.md', true],
    ['@src/lock', true],
    ['@Makefile:3', true],
    ['@"Makefile"', true],
  ])('distinguishes a path from a word: %s', (text, isExplicit) => {
    expect(namedIn(text)).toMatchObject([[text, { isExplicit }]]);
  });

  it('returns places in order, without overlaps, within the text', () => {
    const pieces = fc.constantFrom(
      '@',
      '#',
      '"',
      '`',
      '```\n',
      '\n',
      ' ',
      ':1-2',
      '\\',
      '😀',
      'file',
      'a.ts',
    );
    const texts = fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        let behind = 0;
        for (const { start, end } of parseReferences(text)) {
          expect(start).toBeGreaterThanOrEqual(behind);
          expect(end).toBeGreaterThan(start + 1);
          expect('@#').toContain(text[start]);
          behind = end;
        }
        expect(behind).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it.each(['`', '```\n@', '@)', ')', '@"a\n', '\\', '@'])('finds nothing in a megabyte of %j', (piece) => {
    expect(parseReferences(`@${piece.repeat(1_000_000 / piece.length)}`)).toEqual([]);
  });
});

describe('referenceText', () => {
  it.each([
    ['src/lock.ts', undefined, '@src/lock.ts'],
    ['a b.ts', { first: 3, last: 3 }, '@"a b.ts":3'],
    ['src/lock.ts', { first: 3, last: 9 }, '@src/lock.ts:3-9'],
  ])('writes the path %j with the lines %j', (path, lines, text) => {
    expect(referenceText(path, lines)).toBe(text);
  });

  it('writes references that are read back unchanged', () => {
    const paths = fc.string({ minLength: 1, unit: 'grapheme' }).filter((path) => !path.includes('\n'));
    const lines = fc.option(fc.tuple(fc.integer({ min: 1, max: 1e9 - 1 }), fc.nat(1e6)), { nil: undefined });
    fc.assert(
      fc.property(paths, lines, (path, numbers) => {
        const range = numbers && { first: numbers[0], last: Math.min(numbers[0] + numbers[1], 1e9 - 1) };
        const text = referenceText(path, range);
        expect(namedIn(`see ${text}, please`)).toMatchObject([
          [text, { path, ...(range && { lines: range }) }],
        ]);
      }),
    );
  });
});
