import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../support/command-line.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'breaks-'));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

/** A session in our own format, whose tools change before the second request. */
const tools = (description: string) => ({
  type: 'tools',
  tools: [{ type: 'function', function: { name: 'read', description } }],
});
const message = (id: string, role: string, content: string) => ({
  type: 'message',
  message: {
    id,
    role,
    content,
    origin: role === 'user' ? 'person' : 'model',
    createdAt: '2026-01-01T00:00:00.000Z',
  },
});

describe('breaks', () => {
  beforeAll(async () => {
    const lines = [
      { type: 'session', version: 1, id: 's', createdAt: '2026-01-01T00:00:00.000Z' },
      tools('Reads 1 file.'),
      message('m1', 'user', 'hi'),
      message('m2', 'assistant', 'yes'),
      tools('Reads 2 files.'),
      message('m3', 'user', 'go on'),
      message('m4', 'assistant', 'done'),
    ];
    await writeFile(at('session.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
  });

  it('names each cause with its cost', async () => {
    const { code, out } = await runCommand('breaks', at('session.jsonl'));
    expect(code).toBe(0);
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^1 cache break in 2 requests: \d+ tokens again$/u),
      '1 × Tool read, description: number',
      '    “Reads 1 file.” → “Reads 2 files.”',
      expect.stringMatching(/^ {4}\d+ tokens, request 2$/u),
    ]);
  });

  it('prints the same as JSON', async () => {
    const { out } = await runCommand('breaks', at('session.jsonl'), '--json');
    expect(JSON.parse(out)).toMatchObject({
      requests: 2,
      breaks: [{ requests: [2], before: 'Reads 1 file.', after: 'Reads 2 files.' }],
    });
  });

  it('says so if there are none', async () => {
    await writeFile(at('chat.json'), JSON.stringify([{ role: 'user', content: 'hi' }]));
    expect((await runCommand('breaks', at('chat.json'))).out).toBe('0 cache breaks in 0 requests');
  });

  it('needs a file', async () => {
    expect(await runCommand('breaks')).toEqual({ code: 2, out: '', notes: ['Expected FILE, got nothing.'] });
  });
});
