import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import {
  type Passage,
  passagesOf,
  plainText,
  withoutLookups,
} from '../../../src/compaction/retrieval/passages.ts';
import { hookFactsHead } from '../../../src/compaction/ledger/lookups.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

describe('passages', () => {
  const slicesOf = async (messages: readonly Message[], tokens: number) => {
    const slices: (readonly Passage[])[] = [];
    for await (const slice of passagesOf(messages, tokens, (texts) => meter.countTexts(texts))) {
      slices.push(slice);
    }
    return slices;
  };
  const split = async (messages: readonly Message[], tokens: number) =>
    (await slicesOf(messages, tokens)).flat();
  const textsOf = async (text: string, tokens: number) =>
    (await split([said('m1', text)], tokens)).map((passage) => passage.text);

  it('are whole messages if they are small enough', async () => {
    expect(await split([typed('m1', 'open it'), said('m2', 'done')], 50)).toEqual([
      { messageId: 'm1', role: 'user', text: 'open it' },
      { messageId: 'm2', role: 'assistant', text: 'done' },
    ]);
  });

  it('end at the end of a paragraph if possible', async () => {
    const paragraph = textOfTokens(30);
    expect(await textsOf(`${paragraph}\n\n${paragraph}\n\n${paragraph}`, 40)).toEqual([
      paragraph,
      paragraph,
      paragraph,
    ]);
  });

  it('end at the end of a line if there are no paragraphs', async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `${line}: one two three four five`);
    const texts = await textsOf(lines.join('\n'), 60);
    expect(texts.length).toBeGreaterThan(4);
    expect(texts.join('\n').split('\n')).toEqual(lines);
  });

  it('keep the indentation of their first line', async () => {
    expect(await textsOf('\n  \n    return lock;\n', 50)).toEqual(['    return lock;']);
  });

  it('name the tool and the arguments of a call', async () => {
    const [passage] = await split([called('m1', ['a', 'read_file', { path: 'src/lock.ts' }])], 50);
    expect(passage?.text).toBe('read_file path: src/lock.ts');
  });

  it('contain the unescaped strings of JSON', async () => {
    const patch = 'if (a) {\n\treturn "b";\n}';
    const messages = [
      called('m1', ['a', 'edit_file', { path: 'a.ts', text: patch }]),
      result('m2', 'a', JSON.stringify([{ query: 'a.ts', result: patch }])),
    ];
    expect((await split(messages, 200)).map(({ text }) => text)).toEqual([
      `edit_file\npath: a.ts\ntext:\n${patch}`,
      `query: a.ts\nresult:\n${patch}`,
    ]);
  });

  it('end at the end of a sentence if there are no lines', async () => {
    const sentence = 'The lock is a folder, and mkdir either creates it or fails.';
    const texts = await textsOf(Array.from({ length: 30 }, () => sentence).join(' '), 60);
    expect(texts.length).toBeGreaterThan(4);
    for (const text of texts) expect(text).toMatch(/^The lock .* fails\.$/);
  });

  it('split no words, and leave no small remainder, for any size', async () => {
    const words = fc.stringMatching(/^[a-z]{1,20}$/);
    const borders = fc.constantFrom(' ', '\n', '. ', '\n\n', ', ');
    const texts = fc
      .array(fc.tuple(words, borders), { minLength: 100, maxLength: 300 })
      .map((pairs) => pairs.flat().join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 40, max: 120 }), async (text, tokens) => {
        const passages = await textsOf(text, tokens);
        const known = new Set(text.match(/[a-z]+/g));
        for (const word of passages.flatMap((passage) => passage.match(/[a-z]+/g) ?? [])) {
          expect(known).toContain(word);
        }
        const sizes = await meter.countTexts(passages);
        expect(Math.min(...sizes)).toBeGreaterThan(tokens / 24);
      }),
      { numRuns: 100 },
    );
  });

  it('exclude system messages, blank texts and summaries', async () => {
    const notes: Message = { ...typed('m3', 'notes'), kind: 'summary', origin: 'strategy' };
    expect(await split([system('m1', 'be brief'), said('m2', ' \n '), notes], 50)).toEqual([]);
  });

  it('exclude results of history searches', () => {
    const lookup = called('m1', ['a', 'search_history', { query: 'lock' }], ['b', 'bash', { command: 'ls' }]);
    const messages = [lookup, result('m2', 'a', 'found before'), result('m3', 'b', 'src')];
    expect(withoutLookups(messages)).toEqual([lookup, messages[2]]);
  });

  it('exclude answers about the history from hooks, and from tools with any prefix', async () => {
    const messages = [
      called('m1', ['c1', 'mcp__context-budget__recall', { id: 'm9' }]),
      result('m2', 'c1', 'an old text'),
      {
        ...said('m3', `Hook says: ${hookFactsHead} old`),
        origin: 'harness' as const,
        role: 'user' as const,
      },
      called('m4', ['c2', 'bash', { command: 'ls' }]),
      result('m5', 'c2', `a.ts\n${hookFactsHead}\n\n## Decisions (of the user)\n\n- old`),
    ];
    expect(withoutLookups(messages).map(({ id }) => id)).toEqual(['m1', 'm3', 'm4', 'm5']);
    const passages = await split(withoutLookups(messages), 50);
    expect(passages.map(({ messageId, text }) => [messageId, text])).toEqual([
      ['m4', 'bash command: ls'],
      ['m5', 'a.ts'],
    ]);
  });

  it('are returned in slices if the history or a message is long', async () => {
    const long = said('m2', 'The lock is a folder.\n'.repeat(10_000));
    const slices = await slicesOf([typed('m1', 'why?'), long, said('m3', 'done')], 400);
    expect(slices.length).toBeGreaterThan(3);
    for (const slice of slices) {
      expect(slice.reduce((characters, { text }) => characters + text.length, 0)).toBeLessThan(60_000);
    }
    expect(new Set(slices.flat().map(({ messageId }) => messageId))).toEqual(new Set(['m1', 'm2', 'm3']));
  });

  it('never exceed the size, omit only white space, and split no character', async () => {
    const pieces = fc.constantFrom(' ', '\n', '\n\n', 'word', '仓库', '😀', 'x'.repeat(70), '\u0000', '}{');
    const texts = fc.array(pieces, { maxLength: 400 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 20, max: 80 }), async (text, tokens) => {
        const passages = await textsOf(text, tokens);
        for (const size of await meter.countTexts(passages)) expect(size).toBeLessThanOrEqual(tokens);
        expect(passages.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        expect(passages.join()).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 200 },
    );
  });
});

describe('plain text', () => {
  it.each([
    [
      'an object with one value per line',
      { path: 'a.ts', from: 3, exact: true },
      'path: a.ts\nfrom: 3\nexact: true',
    ],
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
      'rows with one paragraph each',
      [
        { id: 1, name: 'one' },
        { id: 2, name: 'two' },
      ],
      'id: 1\nname: one\n\nid: 2\nname: two',
    ],
    ['JSON within JSON', { result: JSON.stringify({ output: 'a\nb' }) }, 'result:\noutput:\na\nb'],
  ])('shows %s', (_name, value, plain) => {
    expect(plainText(JSON.stringify(value))).toBe(plain);
  });

  it.each([
    ['not JSON', 'The lock is a folder.'],
    ['broken JSON', '{"path": "a.ts'],
    ['a line of code', 'const rows =\n["a", "\\n"]\n;'],
  ])('is the unchanged text if it is %s', (_name, text) => {
    expect(plainText(text)).toBe(text);
  });

  it('replaces long lines of JSON within other text', () => {
    const line = JSON.stringify({ type: 'tool', output: `first\n${'x'.repeat(200)}` });
    expect(plainText(`Output:\n${line}\nend`)).toBe(
      `Output:\ntype: tool\noutput:\nfirst\n${'x'.repeat(200)}\nend`,
    );
  });

  it('contains every string of any JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^\w[\w\n"\\]*$/), { minLength: 1 }), (texts) => {
        const plain = plainText(JSON.stringify({ texts }));
        for (const text of texts) expect(plain).toContain(text);
      }),
    );
  });
});
