import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../../src/compaction/retrieval/plain-text.ts';

describe('a plain text', () => {
  it.each([
    ['an object, a value a line', { path: 'a.ts', from: 3, exact: true }, 'path: a.ts\nfrom: 3\nexact: true'],
    [
      'a text with its own lines',
      { path: 'a.ts', text: 'if (x) {\n\treturn;\n}' },
      'path: a.ts\ntext:\nif (x) {\n\treturn;\n}',
    ],
    ['a short list on one line', { names: ['a', 'b'] }, 'names: a, b'],
    [
      'a long list with a line each',
      ['x'.repeat(80), 'y'.repeat(80)],
      `${'x'.repeat(80)}\n${'y'.repeat(80)}`,
    ],
    [
      'rows, a paragraph each',
      [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
      'id: 1\nname: one\n\nid: 2\nname: two',
    ],
    ['JSON within JSON', { result: JSON.stringify({ output: 'a\nb' }) }, 'result:\noutput:\na\nb'],
  ])('is made of %s', (_name, value, plain) => {
    expect(plainText(JSON.stringify(value))).toBe(plain);
  });

  it.each([
    ['no JSON', 'The lock is a folder.'],
    ['broken JSON', '{"path": "a.ts'],
    ['a line of a program', 'const rows =\n["a", "\\n"]\n;'],
  ])('is the text itself where it is %s', (_name, text) => {
    expect(plainText(text)).toBe(text);
  });

  it('is made of long lines of JSON within a text', () => {
    const line = JSON.stringify({ type: 'tool', output: `first\n${'x'.repeat(200)}` });
    expect(plainText(`Output:\n${line}\nend`)).toBe(
      `Output:\ntype: tool\noutput:\nfirst\n${'x'.repeat(200)}\nend`,
    );
  });

  it('holds every text of any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\w[\w\n"\\]*$/), { minLength: 1 }), (texts) => {
        const plain = plainText(JSON.stringify({ texts }));
        for (const text of texts) expect(plain).toContain(text);
      }),
    );
  });
});
