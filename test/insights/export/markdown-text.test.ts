import fc from 'fast-check';
import { marked, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { codeBlock, foreignMarkdown, inlineMarkdown } from '../../../src/insights/export/markdown-text.ts';

/** Markdown and HTML in pieces, so that all combinations are tried. */
const pieces = fc.constantFrom(
  '`',
  '``',
  '```',
  '~~~',
  '\n',
  '\n\n',
  ' ',
  '    ',
  '> ',
  '- ',
  '\\',
  '<b>',
  '</details>',
  '<!--',
  '<?php',
  '![',
  'x](y)',
  'x]: y',
  '[',
  '|',
  '|-|-|',
  'https://y',
  '\u2028',
  '\u00A0',
  '\n---',
  '\n=',
  '1. ',
  '# ',
  'word',
  '\r',
);
const markdown = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(''));

function tokensIn(text: string): readonly Token[] {
  const found: Token[] = [];
  void marked.walkTokens(marked.lexer(text), (token) => void found.push(token));
  return found;
}

/** True for a link whose text is its target. */
const leadsAsShown = (token: Token) =>
  token.type === 'link' && 'text' in token && token.text.replaceAll('&amp;', '&') === token.raw;

describe('foreignMarkdown', () => {
  it.each([
    ['plain text', 'plain text'],
    ['a < b and **c**', 'a < b and **c**'],
    ['use `a<b>` here', 'use `a<b>` here'],
    ['use ``a`<b>`` here', 'use ``a`<b>`` here'],
    ['<b>bold</b>', '&#60;b>bold&#60;/b>'],
    ['\\<b>', '&#60;b>'],
    ['\\\\<b>', '\\\\&#60;b>'],
    ['a `code` ` <b>', 'a `code` ` &#60;b>'],
    ['![x](https://example.com/x.png)', '![x&#93;(https://example.com/x.png)'],
    ['[x](y)\n[z]: y', '[x&#93;(y)\n[z&#93;: y'],
    ['| `a | ![x](y) | b` |', '| `a | ![x&#93;(y) | b` |'],
    ['Title\n=\n> Title\n> ---\n\n---', 'Title\n&#61;\n> Title\n> &#45;--\n\n---'],
    ['> # One\n- ## Two\n1. # Three', '> ### One\n- #### Two\n1. ### Three'],
    ['# Title\ntext\n###### Six', '### Title\ntext\n###### Six'],
    ['```ts\na<b>()\n```', '```ts\na<b>()\n```'],
    ['```text\u2028\n# One', '```text\n# One\n```'],
    ['```\nnever closed', '```\nnever closed\n```'],
    ['before\n````md\n```\n````\nbehind', 'before\n\n````md\n```\n````\n\nbehind'],
  ])('writes %j as %j', (text, written) => {
    expect(foreignMarkdown(text)).toBe(written);
  });

  it('produces no tags, no pictures and no links that hide their target', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const found = tokensIn(foreignMarkdown(text)).filter((token) => {
          return ['html', 'image', 'def', 'link'].includes(token.type) && !leadsAsShown(token);
        });
        expect(found).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("produces no heading as large as the document's own, and does not change later text", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const tokens = marked.lexer(`${foreignMarkdown(text)}\n\n## End`);
        expect(tokens.at(-1)).toMatchObject({ type: 'heading', depth: 2, text: 'End' });
        const headings = tokensIn(foreignMarkdown(text)).filter(({ type }) => type === 'heading');
        expect(headings.filter((token) => 'depth' in token && token.depth <= 2)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('codeBlock', () => {
  it('encloses any text unchanged', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const plain = text.replaceAll('\r', '');
        const tokens = marked.lexer(codeBlock(plain));
        expect(tokens).toHaveLength(1);
        const [code] = tokens;
        const textOf = (text: string) => text.replace(/\n*$/u, '');
        expect(code).toMatchObject({ type: 'code' });
        expect(textOf((code as { text: string }).text)).toBe(textOf(plain));
      }),
    );
  });
});

describe('inlineMarkdown', () => {
  it('returns one line without markup', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const written = `a ${inlineMarkdown(text)}`;
        expect(written).not.toContain('\n');
        const types = tokensIn(written).flatMap((token) => (leadsAsShown(token) ? [] : [token.type]));
        for (const type of ['html', 'code', 'codespan', 'image', 'link', 'heading', 'em']) {
          expect(types).not.toContain(type);
        }
      }),
    );
  });
});
