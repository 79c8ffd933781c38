import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingBlocks } from '../../../webview/chat/text/growing-blocks.ts';

const fragments = [
  ...['# Title\n', 'words ', 'more words\n', '\n\n', '- item\n', '  - inner\n', '1. first\n', '2. second\n'],
  ...[
    '```ts\n',
    'const a = 1;\n',
    '```\n',
    '> quoted\n',
    '| a | b |\n',
    '|---|---|\n',
    '| 1 | 2 |\n',
    '---\n',
  ],
  ...['    indented\n', '<div>\n', '</div>\n', '<!-- note ', '-->\n', '[a][b] ', '[b]: https://b.example\n'],
  ...['**bold** ', '`code` ', '\r\n', '===\n', '* other\n', '\ttab\n', '~~~\n', '1) paren\n'],
];

/** The blocks of a text that came in pieces. */
function grown(pieces: readonly string[]): GrowingBlocks {
  const blocks = new GrowingBlocks();
  let text = '';
  for (const piece of pieces) blocks.read((text += piece));
  return blocks;
}

describe('the blocks of a growing text', () => {
  it('equal the blocks of the whole text, no matter where it was split', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        expect(grown(pieces).finish(text).blocks).toEqual(new GrowingBlocks().finish(text).blocks);
      }),
      { numRuns: 300 },
    );
  });

  it('stay the same objects once two blocks follow', () => {
    const blocks = new GrowingBlocks();
    const [first] = blocks.read('one\n\ntwo\n\nthree').blocks;
    const { blocks: later, unchanged } = blocks.read('one\n\ntwo\n\nthree and four');
    expect(unchanged).toBe(1);
    expect(later[0]).toBe(first);
  });

  it('are parsed again if the text does not continue the earlier text', () => {
    const blocks = grown(['one\n\ntwo\n\nthree\n\nfour']);
    expect(blocks.read('other').blocks.map(({ raw }) => raw)).toEqual(['other']);
  });

  it.each([
    ['list', (index: number) => `- item ${index}\n`],
    ['numbered list', (index: number) => `${index + 1}. item\n`],
    ['paragraph', (index: number) => `word${index} and **bold** `],
  ])('are limited in length, even if a %s never ends', (_name, piece) => {
    const pieces = Array.from({ length: 1_500 }, (_, index) => piece(index));
    const text = pieces.join('');
    const { blocks } = grown(pieces).finish(text);
    expect(Math.max(...blocks.map(({ raw }) => raw.length))).toBeLessThan(8_000);
    expect(
      blocks
        .map(({ raw }) => raw)
        .join('')
        .replace(/\s/g, ''),
    ).toBe(text.replace(/\s/g, ''));
    expect(new Set(blocks.map(({ type }) => type)).size).toBe(1);
  });
});
