import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HookCallError } from '../../../src/bridge/hooks/hook-call.ts';
import { type OpenedLines, withSessionFile } from '../../../src/bridge/hooks/opened-lines.ts';
import { readNewestLines, readSessionLines } from '../../../src/bridge/hooks/session-lines.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { claudeCodeSession } from '../../support/claude-code-session.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An opened session with a text, without a file. */
function opened(text: string | Buffer): OpenedLines {
  const bytes = Buffer.from(text);
  return { size: bytes.length, bytes: (start, end) => Promise.resolve(bytes.subarray(start, end)) };
}

describe('readNewestLines', () => {
  const read = async (text: string, start = 0, end = text.length, isCut = false) => {
    const { lines, rest, end: at } = await readNewestLines(opened(text), start, end, isCut);
    return { lines: String(lines), rest: String(rest), end: at };
  };

  it('separates whole lines from a last line without an end', async () => {
    expect(await read('a\nb\nc')).toEqual({ lines: 'a\nb\n', rest: 'c', end: 4 });
    expect(await read('a\nb\n')).toEqual({ lines: 'a\nb\n', rest: '', end: 4 });
    expect(await read('abc')).toEqual({ lines: '', rest: 'abc', end: 0 });
    expect(await read('')).toEqual({ lines: '', rest: '', end: 0 });
  });

  it('reads only between the two positions', async () => {
    expect(await read('a\nbb\nc\nd\n', 2, 8)).toEqual({ lines: 'bb\nc\n', rest: 'd', end: 7 });
  });

  it('leaves out a first line that begins before the start', async () => {
    expect(await read('half\nb\nc', 1, 8, true)).toEqual({ lines: 'b\n', rest: 'c', end: 7 });
    expect(await read('half', 1, 4, true)).toEqual({ lines: '', rest: '', end: 1 });
  });

  it('joins lines that are longer than one read', async () => {
    const long = 'x'.repeat(2_500_000);
    const { lines, rest, end } = await read(`a\n${long}\nb\n${long}`);
    expect(lines === `a\n${long}\nb\n`).toBe(true);
    expect(rest === long).toBe(true);
    expect(end).toBe(2_500_005);
  });

  it('leaves out a line over the limit, and keeps the lines around it', async () => {
    const tooLong = 'x'.repeat(16_000_001);
    expect(await read(`a\n${tooLong}\nb\n`)).toEqual({ lines: 'a\nb\n', rest: '', end: 16_000_006 });
    expect(await read(`a\n${tooLong}`)).toEqual({ lines: 'a\n', rest: '', end: 2 });
  });

  it('keeps a line of exactly the limit', async () => {
    const longest = `${'x'.repeat(15_999_999)}\n`;
    const { lines } = await read(`a\n${longest}`);
    expect(lines === `a\n${longest}`).toBe(true);
  });

  it('keeps the newest lines if there are too many', async () => {
    const megabyte = `${'x'.repeat(999_999)}\n`;
    const { lines, end } = await read(`first\n${megabyte.repeat(60)}last\n`);
    expect(end).toBe(60_000_011);
    expect(lines.length).toBeGreaterThan(40_000_000);
    expect(lines.length).toBeLessThanOrEqual(48_000_000);
    expect(lines.endsWith('last\n')).toBe(true);
    expect(lines.includes('first')).toBe(false);
  });

  it('ends where the file ends, even if it became shorter', async () => {
    const { lines, end } = await readNewestLines(opened('a\nb\n'), 0, 100, false);
    expect([String(lines), end]).toEqual(['a\nb\n', 4]);
  });
});

describe('readSessionLines', () => {
  const session = Buffer.from(claudeCodeSession);

  it('reads the messages of a session, and names its format', () => {
    const piece = readSessionLines(session, 'auto', false);
    expect(piece?.format).toBe('claude-code');
    expect(messagesOf(piece!).length).toBeGreaterThan(3);
  });

  it('reads a part of a session in a known format', () => {
    const [, second = ''] = claudeCodeSession.split('\n');
    const piece = readSessionLines(Buffer.from(`${second}\n`), 'claude-code', true);
    expect(messagesOf(piece!)).toHaveLength(1);
  });

  it('finds nothing in a part without messages', () => {
    expect(readSessionLines(Buffer.from('{}\n'), 'claude-code', true)).toBeUndefined();
    expect(readSessionLines(Buffer.from('Dear diary\n'), 'auto', true)).toBeUndefined();
  });

  it('refuses a whole file that is not a session', () => {
    expect(() => readSessionLines(Buffer.from('Dear diary\n'), 'auto', false)).toThrow(
      new HookCallError('the transcript is in no known format'),
    );
    expect(() => readSessionLines(Buffer.from('{}\n'), 'claude-code', false)).toThrow();
  });
});

describe('a file that grows while it is read', () => {
  it('is read to its size when it was opened', async () => {
    const path = join(folder, 'grows.jsonl');
    await writeFile(path, 'a\nb\n');
    const read = await withSessionFile(path, async (session) => {
      const file = await open(path, 'a');
      await file.appendFile('c\n');
      await file.close();
      return readNewestLines(session, 0, session.size, false);
    });
    expect([String(read.lines), read.end]).toEqual(['a\nb\n', 4]);
  });
});
