import { describe, expect, it } from 'vitest';
import { fenced, quoteAround, renderQuote } from '../../../src/agent/offline/quotes.ts';
import type { ReadLines } from '../../../src/agent/offline/offline-turn.ts';

function readOf(path: string, text: string): ReadLines {
  return { path, lines: new Map(text.split('\n').map((line, index) => [index + 1, line])), total: undefined };
}

const code = readOf(
  'a.ts',
  `const before = 1;

/** What it does. */
export function wanted() {
  const inside = true;

  return inside;
}

export function next() {}`,
);

const prose = readOf(
  'a.md',
  `# Title

## Section

First line of the paragraph,
second line.

Another paragraph.`,
);

describe('a quote', () => {
  it('begins with the comment above a definition, and ends with its block', () => {
    const { first, lines } = quoteAround(code, 4, 4);
    expect(first).toBe(3);
    expect(lines.at(-1)).toBe('}');
    expect(lines).toHaveLength(6);
  });

  it('of prose begins with the heading, and ends with the paragraph', () => {
    expect(quoteAround(prose, 6, 6)).toEqual({
      path: 'a.md',
      first: 3,
      lines: ['## Section', '', 'First line of the paragraph,', 'second line.'],
    });
  });

  it('clips a long line', () => {
    expect(quoteAround(readOf('a.ts', 'x'.repeat(500)), 1, 1).lines[0]).toBe(`${'x'.repeat(200)}…`);
  });

  it('names its source, in a block of its language', () => {
    expect(renderQuote({ path: 'a.ts', first: 3, lines: ['one', 'two'] })).toBe(
      '`a.ts:3-4`\n\n```ts\none\ntwo\n```',
    );
    expect(renderQuote({ path: 'a.ts', first: 3, lines: ['one'] })).toBe('`a.ts:3`\n\n```ts\none\n```');
  });

  it('cannot end its own code block', () => {
    expect(fenced('```\n</div>\n````')).toBe('`````\n```\n</div>\n````\n`````');
  });
});
