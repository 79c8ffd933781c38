import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTail } from '../../../src/presenters/storage/session-tail.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const lineOf = (message: Message) => `${JSON.stringify({ type: 'message', message })}\n`;
const filler = lineOf(typed('filler', 'x'.repeat(1_100_000)));

describe('the end of a long session', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tail-'));
    path = join(folder, 'session.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const idsOf = async (text: string) => {
    await writeFile(path, text);
    const contents = await readTail(path);
    return contents?.entries.map((entry) => (entry.type === 'message' ? entry.message.id : entry.type));
  };

  it('is not read for a short session', async () => {
    expect(await idsOf(lineOf(typed('u1', 'Why?')))).toBeUndefined();
  });

  it('includes the newest turn, and no partial line', async () => {
    expect(await idsOf(filler + lineOf(typed('u1', 'Why?')) + lineOf(said('a1', 'Done.')))).toEqual([
      'u1',
      'a1',
    ]);
  });

  it('extends back to the last typed message, even past long results', async () => {
    const call = called('a1', ['c1', 'read_file', {}]);
    const long = result('r1', 'c1', 'y'.repeat(600_000));
    const ids = await idsOf(filler + [typed('u1', 'Why?'), call, long].map(lineOf).join(''));
    expect(ids).toEqual(['u1', 'a1', 'r1']);
  });

  it('is limited to part of a turn that is too long', async () => {
    const long = result('r1', 'c1', 'y'.repeat(2_200_000));
    const ids = await idsOf(lineOf(typed('u1', 'Why?')) + lineOf(long) + lineOf(said('a1', 'Done.')));
    expect(ids).toEqual(['a1']);
  });

  it('is read even if a line is partial or damaged', async () => {
    const torn = '{"type":"message","mess';
    expect(await idsOf(`${filler}${lineOf(typed('u1', 'Why?'))}{"type":\n${torn}`)).toEqual(['u1']);
  });

  it('includes the line being written', async () => {
    const partial = `${JSON.stringify({ type: 'partial', messageId: 'a1', text: 'Half' })}\n`;
    await writeFile(path, filler + lineOf(typed('u1', 'Why?')) + partial);
    expect((await readTail(path))?.unfinished).toEqual({ messageId: 'a1', text: 'Half' });
  });

  it.each([
    ['if there is no file', () => rm(path)],
    ['if the last line is longer than the part that is read', () => writeFile(path, 'z'.repeat(3_000_000))],
  ])('is undefined %s', async (_name, damage) => {
    await writeFile(path, '');
    await damage();
    expect(await readTail(path)).toBeUndefined();
  });
});
