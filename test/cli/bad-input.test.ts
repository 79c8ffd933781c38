import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatIds } from '../../src/transcripts/all-formats.ts';
import { runCommand } from '../support/command-line.ts';
import { formatSamples } from '../support/format-samples.ts';
import { malformed } from '../support/agents/malformed.ts';
import { typed } from '../support/messages.ts';
import { soak } from '../support/soak.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-input-'));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

/** Wording of runtime errors, which must never reach the user. */
const surprise =
  /TypeError|RangeError|Cannot (?:read prop|use 'in'|convert)|undefined|is not (?:a function|iterable)|Invalid time|Reduce of|\n\s+at /;

/** Expects a result, or one line with the reason for its absence. */
async function expectResultOrLine(...args: readonly string[]) {
  const { code, out, notes } = await runCommand(...args);
  for (const note of notes) {
    expect(note).not.toMatch(surprise);
    expect(note).toMatch(/^[^\p{Cc}\p{Bidi_Control}]+$/u);
  }
  if (code === 2) expect({ out, lines: notes.length }).toEqual({ out: '', lines: 1 });
  if (code === 1) expect(notes).toHaveLength(1);
  if (code === 0 || out !== '') expect(() => JSON.parse(out) as unknown).not.toThrow();
  return code;
}

describe('a malformed file', () => {
  it.each(formatIds)('in format %s produces a result or one error line', async (format) => {
    const codes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(malformed(formatSamples[format] ?? ''), async (text) => {
        await writeFile(at('file'), text);
        const files = ['--out', at('view.json'), '--record', at('record.json')];
        codes.add(await expectResultOrLine('count', at('file'), '--json'));
        codes.add(await expectResultOrLine('import', at('file')));
        codes.add(await expectResultOrLine('import', at('file'), '--format', format));
        codes.add(
          await expectResultOrLine('compact', at('file'), '--json', '--strategy', 'ladder', ...files),
        );
      }),
      { numRuns: soak(12, 100), examples: [[formatSamples[format] ?? ''], ['']] },
    );
    expect(codes).toContain(0);
    expect(codes).toContain(2);
  });
});

describe('input nested 100,000 levels deep', () => {
  const lists = '['.repeat(100_000) + ']'.repeat(100_000);
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const call = (more: string) =>
    `[{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"x",${more}}}]}]`;

  it.each([
    ['a whole file', lists],
    ['a whole file of objects', objects],
    ['an unused field', `{"messages":[{"role":"user","content":"hi"}],"x":${lists}}`],
    [
      'a schema',
      `{"messages":[{"role":"user","content":"hi"}],"tools":[{"function":{"name":"x","y":${lists}}}]}`,
    ],
    ['a part of a call', call(`"arguments":"{}","x":${lists}`)],
  ])('is reported in one line if it is %s', async (_, text) => {
    await writeFile(at('file'), text);
    for (const args of [
      ['count'],
      ['import'],
      ['compact', '--json'],
      ['compare', '--json'],
      ['diff', '--json'],
    ]) {
      const [command = '', ...more] = args;
      expect(await expectResultOrLine(command, at('file'), ...more)).toBe(2);
    }
  });

  it.each([lists, objects])('is accepted as a string in the arguments of a call', async (text) => {
    await writeFile(at('file'), call(`"arguments":${JSON.stringify(text)}`));
    for (const strategy of ['ladder', 'observation-masking', 'selective', 'llm-summary']) {
      const args = ['--strategy', strategy, '--window', '8000', '--json'];
      await expectResultOrLine('compact', at('file'), ...args);
    }
    await expectResultOrLine('compare', at('file'), '--json');
  });
});

describe('a file with faults', () => {
  /** The notes `count` prints for a file with this text, without its path. */
  async function noted(text: string, ...args: readonly string[]) {
    await writeFile(at('file'), text);
    const { code, notes } = await runCommand('count', at('file'), ...args);
    expect(notes.length).toBeLessThanOrEqual(1);
    return { code, note: notes[0]?.replace(at('file'), 'FILE') };
  }
  const jsonLines = (...rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const header = { type: 'session', version: 1, id: 's1', createdAt: '2026-01-01T00:00:00.000Z' };
  const message = (content: unknown) => ({ type: 'message', message: { ...typed('m1', ''), content } });

  it('is reported in one line', async () => {
    expect(
      await noted(jsonLines(header, message('one'), message('two'), message(3), { type: 'music' })),
    ).toEqual({
      code: 0,
      note:
        'FILE: 1 message read (format session). Line 3 was skipped: The transcript already has m1. ' +
        'Line 4 was skipped: a message has content that is a text, null or an array of parts. ' +
        'Line 5 was skipped: it is no event of a session.',
    });
  });

  it('is read completely despite a byte order mark', async () => {
    for (const text of [
      jsonLines(header, message('one')),
      JSON.stringify([{ role: 'user', content: 'one' }]),
    ]) {
      expect(await noted(`\uFEFF${text}`)).toEqual({ code: 0, note: undefined });
      await writeFile(at('utf16'), Buffer.from(`\uFEFF${text}`, 'utf16le'));
      expect((await runCommand('count', at('utf16'))).code).toBe(0);
    }
    await writeFile(at('replies.json'), '\uFEFF["A summary."]');
    const replies = await runCommand('compact', at('file'), '--replies', at('replies.json'));
    expect(replies.code).toBe(0);
  });

  it('is reported with its first ten problems and the number of the others', async () => {
    const { note } = await noted(jsonLines(header, message('one'), ...Array.from({ length: 14 }, () => 3)));
    expect(note).toContain('Line 12 was skipped: it is not an object. And 4 more.');
  });

  it('is an error if nothing could be read', async () => {
    expect(await noted(jsonLines(header, message(3)))).toEqual({
      code: 2,
      note:
        'FILE: no message could be read (format session). ' +
        'Line 2 was skipped: a message has content that is a text, null or an array of parts.',
    });
  });

  it('is reported if a result precedes its call, or if a picture has no data', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,' } };
    const file = [
      { role: 'tool', tool_call_id: 'c1', content: 'too early' },
      { role: 'user', content: [picture] },
    ];
    expect(await noted(JSON.stringify(file))).toEqual({
      code: 0,
      note:
        'FILE: 2 messages read (format openai). A picture in message m2 was skipped: it has no data. ' +
        'Message m1 was skipped: a tool result has a call before it.',
    });
  });

  it('is reported without control characters', async () => {
    const id = '\u001b[31m\u202em1';
    const row = { type: 'message', message: typed(id, 'x') };
    const { note } = await noted(jsonLines(header, row, row));
    expect(note).toContain('The transcript already has [31m m1.');
  });
});

describe('a file of an unknown program', () => {
  const formats = formatIds.join(', ');

  it.each([
    [
      '{"conversation":[{"speaker":"a","text":"b"}],"n":1}',
      'JSON like {"conversation": [1 × {"speaker": "…", "text": "…"}], "n": 1}',
    ],
    ['[1,2,3]', 'JSON like [3 × 1]'],
    ['"text"', 'JSON like "…"'],
    ['{"event":"start"}\n{"event":"end"}\n', 'lines of JSON like {"event": "…"}'],
    ['{"a":\n1,}', 'JSON that is broken on line 2'],
    ['dear diary', 'plain text'],
    ['', 'an empty file'],
  ])('is refused with its shape and the known formats: %j', async (text, shape) => {
    await writeFile(at('file'), text);
    expect(await runCommand('count', at('file'))).toEqual({
      code: 2,
      out: '',
      notes: [
        `${at('file')}: This is not a transcript in a known format (${formats}); it looks like ${shape}.`,
      ],
    });
  });
});

describe('invalid options of a strategy', () => {
  it.each([
    '[]',
    '3',
    'null',
    '{',
    '"x"',
    '['.repeat(100_000),
    `{"preserveMessages":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ])('are reported in one line: %.20s', async (options) => {
    await writeFile(at('file'), formatSamples['openai'] ?? '');
    expect(await expectResultOrLine('compact', at('file'), '--options', options)).toBe(2);
  });
});

describe('malformed records, views and replies', () => {
  it('produce a result or one error line', async () => {
    // Long enough for a shorter summary.
    const said = [
      'Where is the parser?',
      `The parser in src/parser.ts was slow. ${'It reads line by line. '.repeat(60)}`,
      'Go on.',
    ];
    const messages = said.map((content, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    }));
    await writeFile(at('plain.json'), JSON.stringify({ messages }));
    const choice = ['--strategy', 'whole-history', '--out', at('view.json'), '--record', at('record.json')];
    expect(await runCommand('compact', at('plain.json'), ...choice)).toMatchObject({ code: 0 });
    const [record, view] = await Promise.all([
      readFile(at('record.json'), 'utf8'),
      readFile(at('view.json'), 'utf8'),
    ]);
    const replies = JSON.stringify([
      'notes',
      { content: 'notes', finish_reason: 'stop' },
      { error: 'busy', status: 503 },
    ]);
    await fc.assert(
      fc.asyncProperty(malformed(record), malformed(view), malformed(replies), async (...texts) => {
        for (const [index, text] of texts.entries()) await writeFile(at(`bad${index}`), text);
        await expectResultOrLine('diff', at('bad0'), '--json');
        const { notes, code } = await runCommand('diff', at('bad0'));
        if (code !== 0) expect(notes).toHaveLength(1);
        await expectResultOrLine('undo', at('bad0'), '--view', at('view.json'));
        await expectResultOrLine('undo', at('record.json'), '--view', at('bad1'));
        const withReplies = ['--strategy', 'llm-summary', '--replies', at('bad2'), '--json'];
        await expectResultOrLine('compact', at('plain.json'), ...withReplies);
      }),
      { numRuns: soak(25, 150) },
    );
  });
});
