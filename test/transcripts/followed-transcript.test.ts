import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type FollowedTranscript,
  followTranscript,
  wholeLines,
} from '../../src/transcripts/followed-transcript.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { allFormats, formatIds } from '../../src/transcripts/all-formats.ts';
import { conversationOf, type ImportedTranscript } from '../../src/transcripts/import-transcript.ts';
import { noLimits, openedLimits, unaskedLimits } from '../../src/transcripts/reading/read-limits.ts';
import { ImportError } from '../../src/transcripts/reading/transcript-format.ts';
import { formatSamples, otherShapes } from '../support/format-samples.ts';
import { pathOf, skipReason } from '../support/transcripts.ts';

function contentOf(followed: FollowedTranscript): ImportedTranscript {
  return conversationOf(followed.read(), undefined);
}

/** Everything that an import returns, with the other conversations; the name of the error for a refusal. */
function outcome(read: () => ImportedTranscript): unknown {
  try {
    const { others = [], transcript, ...imported } = read();
    const conversations = others.map((other) => ({ ...other, read: other.read().entries }));
    return { ...imported, conversations, view: transcript.view };
  } catch (error) {
    expect(error).toBeInstanceOf(ImportError);
    return 'refused';
  }
}

/** Formats with JSON lines, for which the text without a partial last line is expected. */
const lineFormats = ['pi', 'claude-code', 'codex', 'copilot-cli', 'copilot-chat', 'otel'];

/** Words with characters of two, three and four bytes, so that cuts split characters. */
const widened = (text: string) =>
  text.replaceAll('export const a', 'élan 写 🎈 a').replaceAll('read this', '读 ü 🎈');

/** A session of Gemini CLI as lines, made by hand. */
const geminiLog = [
  { sessionId: 's1', projectHash: 'h1' },
  { id: 'u1', type: 'user', content: 'read this' },
  { id: 'g1', type: 'gemini', content: 'It exports a.' },
  { $rewindTo: 'g1' },
  { id: 'g2', type: 'gemini', content: 'export const a' },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

const samples = [
  ...formatIds.map((id) => [id, widened(formatSamples[id] ?? '')] as const),
  ['gemini-cli as lines', widened(geminiLog)] as const,
  ...otherShapes.map(([format, shape, text]) => [`${format} ${shape}`, widened(text)] as const),
];

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The bytes in pieces that end at these shares of them. */
function piecesOf(bytes: Uint8Array, shares: readonly number[]): readonly Uint8Array[] {
  const cuts = [...new Set(shares.map((share) => Math.floor(share * bytes.length)))].toSorted(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

describe.each(samples)('a followed file of %s', (id, text) => {
  const isLines = lineFormats.includes(id) || id.endsWith('as lines');

  it('gives the same result in pieces of any size as in one piece', () => {
    fc.assert(
      fc.property(shares, (cuts) => {
        const followed = followTranscript('auto', noLimits, allFormats);
        for (const piece of piecesOf(bytesOf(text), cuts)) followed.append(piece);
        expect(outcome(() => contentOf(followed))).toEqual(outcome(() => importTranscript(text)));
      }),
      { numRuns: 40 },
    );
  });

  it('gives the same result as the part read so far, without a partial last line', () => {
    fc.assert(
      fc.property(shares, (cuts) => {
        const followed = followTranscript('auto', noLimits, allFormats);
        let soFar = new Uint8Array();
        for (const piece of piecesOf(bytesOf(text), cuts)) {
          followed.append(piece);
          soFar = new Uint8Array([...soFar, ...piece]);
          const there = new TextDecoder().decode(soFar);
          const whole = isLines ? wholeLines(there) : there;
          expect(outcome(() => contentOf(followed))).toEqual(outcome(() => importTranscript(whole)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('can be replaced by another file after a reset', () => {
    const followed = followTranscript('auto', noLimits, allFormats);
    followed.append(text);
    outcome(() => contentOf(followed));
    followed.reset();
    followed.append(geminiLog);
    expect(outcome(() => contentOf(followed))).toEqual(outcome(() => importTranscript(geminiLog)));
  });
});

describe('a followed file of JSON lines', () => {
  const text = formatSamples['claude-code'] ?? '';
  const lines = text.trimEnd().split('\n');

  it('parses each line once, even if it is read repeatedly', () => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      const followed = followTranscript('claude-code');
      followed.append(text);
      followed.read();
      parse.mockClear();
      const more = Array.from({ length: 20 }, (_, index) => lines.at(-1)!.replace('"u6"', `"v${index}"`));
      for (const line of more) {
        followed.append(`${line}\n`);
        followed.read();
        followed.read();
      }
      expect(parse).toHaveBeenCalledTimes(more.length);
    } finally {
      parse.mockRestore();
    }
  });

  it('returns the same object until text is added', () => {
    const followed = followTranscript('auto', noLimits, allFormats);
    followed.append(text);
    const first = followed.read();
    expect(followed.read()).toBe(first);
    followed.append('\n');
    expect(followed.read()).not.toBe(first);
    expect(first.entries).toEqual(followed.read().entries);
  });

  it('keeps the message of a reply when its result arrives', () => {
    const followed = followTranscript('claude-code', noLimits, allFormats);
    const row = (type: string, content: unknown) =>
      `${JSON.stringify({ type, parentUuid: null, sessionId: 's1', message: { id: 'r1', role: type, content } })}\n`;
    followed.append(row('assistant', [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }]));
    const [reply] = followed.read().entries;
    followed.append(row('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'read' }]));
    expect(followed.read().entries).toHaveLength(2);
    expect(followed.read().entries[0]).toBe(reply);
  });

  it('includes a last line without a line feed once it is complete', () => {
    const followed = followTranscript('auto', noLimits, allFormats);
    followed.append(lines.join('\n').slice(0, -1));
    expect(followed.read().entries).toHaveLength(
      importTranscript(lines.slice(0, -1).join('\n')).entries.length,
    );
    expect(followed.read().problems).toEqual([]);
    followed.append('}');
    expect(followed.read().entries).toEqual(importTranscript(text).entries);
  });

  it('keeps its text if the caller reuses the buffer', () => {
    const followed = followTranscript('auto', noLimits, allFormats);
    const buffer = new Uint8Array(7);
    const bytes = bytesOf(text);
    for (let start = 0; start < bytes.length; start += buffer.length) {
      const piece = bytes.subarray(start, start + buffer.length);
      buffer.set(piece);
      followed.append(buffer.subarray(0, piece.length));
    }
    expect(followed.read().entries).toEqual(importTranscript(text).entries);
  });

  it('can be read despite invalid bytes and a byte order mark', () => {
    const broken = new Uint8Array([
      0xef,
      0xbb,
      0xbf,
      ...bytesOf(lines[0]!),
      10,
      0xff,
      0xe5,
      10,
      ...bytesOf(text),
    ]);
    const whole = new TextDecoder().decode(broken);
    const followed = followTranscript('auto', noLimits, allFormats);
    for (const byte of broken) followed.append(new Uint8Array([byte]));
    expect(outcome(() => contentOf(followed))).toEqual(outcome(() => importTranscript(whole)));
  });
});

const originals = '../original/';
const folders = ['claude-code-jsonl', 'codex-rollout-jsonl', 'pi-session-jsonl'].filter((folder) =>
  existsSync(pathOf(originals + folder)),
);
const real = folders.flatMap((folder) =>
  readdirSync(pathOf(originals + folder)).map((file) => `${originals}${folder}/${file}`),
);

describe('real files', () => {
  it.skipIf(real.length > 0)(`need ${skipReason}`, () => {});

  it.each(real)('give the same result in pieces as the whole file: %s', (name) => {
    const bytes = new Uint8Array(readFileSync(pathOf(name)));
    const text = new TextDecoder().decode(bytes);
    const followed = followTranscript('auto', noLimits, allFormats);
    let read = 0;
    let early: { readonly result: unknown; readonly copy: unknown } | undefined;
    for (const piece of piecesOf(
      bytes,
      Array.from({ length: 60 }, (_, index) => (index + 0.37) / 61),
    )) {
      followed.append(piece);
      if (++read % 20 !== 0) continue;
      const there = wholeLines(new TextDecoder().decode(bytes.subarray(0, piece.byteOffset + piece.length)));
      const result = outcome(() => contentOf(followed));
      early ??= { result, copy: structuredClone(result) };
      expect(result).toEqual(outcome(() => importTranscript(there)));
    }
    expect(outcome(() => contentOf(followed))).toEqual(outcome(() => importTranscript(text)));
    expect(early?.result).toEqual(early?.copy);
  });
});

describe('a followed file over the limits', () => {
  const lines = (formatSamples['claude-code'] ?? '').trimEnd().split('\n');
  const first = lines.slice(0, -1).join('\n');
  const rest = lines.slice(-1);
  const piece = bytesOf('x'.repeat(1_000_000));
  /** @param end of the long line */
  const withLongLine = (...end: readonly string[]) => {
    const followed = followTranscript('auto', unaskedLimits);
    followed.append(`${first}\n`);
    for (let pieces = 0; pieces < 17; pieces++) followed.append(piece);
    for (const text of end) followed.append(text);
    return followed.read();
  };
  const tooLong = `Line ${lines.length} was skipped: it has more than 16 MB.`;

  it('is read without an overlong line, and the line is reported', () => {
    const without = importTranscript([first, ...rest].join('\n'));
    const { entries, problems } = withLongLine('\n', rest.join('\n'), '\n');
    expect(entries).toEqual(without.entries);
    expect(problems).toEqual([...without.problems, tooLong]);
  });

  it('is read without an overlong line that is still being written', () => {
    expect(withLongLine().problems).toEqual([tooLong]);
    expect(withLongLine('\0'.repeat(1_000)).entries).toEqual(importTranscript(first).entries);
  });

  it('is refused if it is a single document', () => {
    const followed = followTranscript('auto', unaskedLimits);
    followed.append('[{"role":"user","content":"');
    for (let pieces = 0; pieces < 17; pieces++) followed.append(piece);
    followed.append('"}]');
    expect(() => followed.read()).toThrow('a single document larger than 16 MB');
  });

  it('is read in any size if no limits are given, like an imported file', () => {
    const content = [
      { type: 'text', text: 'x'.repeat(17_000_000) },
      ...Array.from({ length: 1_100_000 }, () => 0),
    ];
    const document = JSON.stringify([{ role: 'user', content: 'x', more: content }]);
    const followed = followTranscript('auto', noLimits, allFormats);
    followed.append(document);
    expect(followed.read().entries).toHaveLength(1);
    expect(importTranscript(document).entries).toHaveLength(1);
  });

  it('is read line by line even if it arrives in one long piece', () => {
    const followed = followTranscript('auto', unaskedLimits);
    followed.append([first, ...Array.from({ length: 17 }, () => ' '.repeat(1_000_000)), ...rest].join('\n'));
    expect(followed.read().entries).toEqual(importTranscript([first, ...rest].join('\n')).entries);
  });

  it('is refused as soon as its lines contain too many values', () => {
    const followed = followTranscript('auto', unaskedLimits);
    followed.append(`${first}\n`);
    const lines = bytesOf('{}\n'.repeat(300_000));
    expect(() => {
      for (let pieces = 0; pieces < 10; pieces++) followed.append(lines);
    }).toThrow('more than 2,000,000 values');
  });

  it('is read in any size if it is our own session and the user opens it', () => {
    const [header = '', ...lines] = (formatSamples['session'] ?? '').trimEnd().split('\n');
    const blank = `${' '.repeat(999_999)}\n`;
    const followed = followTranscript('auto', { ...unaskedLimits, own: openedLimits.own });
    followed.append(`${header}\n`);
    for (let pieces = 0; pieces < 17; pieces++) followed.append(blank);
    followed.append(lines.join('\n'));
    expect(followed.read().entries).toEqual(importTranscript([header, ...lines].join('\n')).entries);
  });

  it('lists only the first skipped lines', () => {
    const followed = followTranscript('auto', unaskedLimits);
    followed.append(`${first}\n${'no JSON\n'.repeat(5_000)}${rest.join('\n')}\n`);
    const { problems } = followed.read();
    expect(problems.length).toBeLessThan(1_100);
    expect(problems.at(-1)).toContain('the others are not listed.');
  });
});
