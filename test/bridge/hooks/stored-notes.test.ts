import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteFile, writeNote } from '../../../src/bridge/hooks/note-files.ts';
import {
  readNotes,
  removeOldNotes,
  type SessionNotes,
  writeNotes,
} from '../../../src/bridge/hooks/stored-notes.ts';
import { emptyLedger } from '../../../src/compaction/messages/ledger.ts';
import { emptyState } from '../../../src/compaction/messages/where-it-stands.ts';
import { called } from '../../support/messages.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'));
});
afterEach(() => rm(folder, { recursive: true }));

const path = '/sessions/s1.jsonl';
const notes: SessionNotes = {
  format: 'claude-code',
  read: 100,
  beginning: 'b',
  ending: 'e',
  ledger: {
    ...emptyLedger,
    filesModified: [
      { path: 'a.ts', edits: 2, created: true },
      { path: 'b.ts', deleted: true },
    ],
    filesRead: ['c.ts'],
    commands: [{ command: 'npm test', status: 1 }, { command: 'ls', end: 'denied' } as never],
    errors: [{ text: 'no', tool: 'run' }],
  },
  state: emptyState,
  open: [called('m1', ['a', 'run'])],
};

/** The notes as they are read again after fields were changed. */
async function readWith(change: object): Promise<SessionNotes | undefined> {
  await writeNotes(folder, path, { ...notes, ...change });
  return readNotes(folder, path);
}

describe('stored notes', () => {
  it('are read for their own session only, exactly as they were written', async () => {
    expect(await readWith({})).toEqual(notes);
    expect(await readWith({ format: 'auto', read: 0 })).toEqual({ ...notes, format: 'auto', read: 0 });
    expect(await readNotes(folder, '/sessions/s2.jsonl')).toBeUndefined();
  });

  it('are not used if they are of another version', async () => {
    await writeNote(noteFile(folder, path, 'notes'), { ...notes, version: 1 });
    expect(await readNotes(folder, path)).toBeUndefined();
  });

  it.each<[string, object]>([
    ['an unknown format', { format: 'word' }],
    ['a format that is not a string', { format: 3 }],
    ['a position that is not a number', { read: '100' }],
    ['a fractional position', { read: 1.5 }],
    ['a negative position', { read: -1 }],
    ['no hash of the beginning', { beginning: 3 }],
    ['no hash of the end', { ending: undefined }],
    ['no state', { state: {} }],
    ['open messages that are not a list', { open: {} }],
    ['an invalid open message', { open: [{ role: 'user' }] }],
    ['facts that are not an object', { ledger: [] }],
    ['facts without a section', { ledger: { ...emptyLedger, errors: undefined } }],
  ])('are not used with %s', async (_, change) => {
    expect(await readWith(change)).toBeUndefined();
  });

  it.each<[section: string, good: unknown, bad: readonly unknown[]]>([
    ['filesRead', 'a.ts', [3, { path: 'a.ts' }]],
    [
      'filesModified',
      { path: 'a' },
      ['a', { path: 3 }, { path: 'a', edits: '2' }, { path: 'a', created: false }, { path: 'a', deleted: 1 }],
    ],
    [
      'commands',
      { command: 'ls', status: 0, end: 'denied' },
      [{ command: 3 }, { command: 'ls', status: '0' }, { command: 'ls', end: 3 }],
    ],
    [
      'notRun',
      { text: 't', what: 'w', end: 'e' },
      [
        { text: 't', what: 'w' },
        { text: 3, what: 'w', end: 'e' },
      ],
    ],
    ['errors', { text: 't', tool: 'run' }, [{ text: 't' }, { tool: 'run' }]],
    [
      'marked',
      { text: 't', as: 'rule', said: 's' },
      [
        { text: 't', as: 'law' },
        { text: 3, as: 'rule' },
        { text: 't', as: 'rule', said: 3 },
      ],
    ],
    ['replaced', { text: 't', by: 'b' }, [{ text: 't' }, { by: 'b' }]],
  ])('are not used with an invalid fact in %s', async (section, good, bad) => {
    const withFact = (fact: unknown) => readWith({ ledger: { ...emptyLedger, [section]: [fact] } });
    expect(await withFact(good)).toBeDefined();
    for (const fact of [...bad, null]) expect(await withFact(fact), JSON.stringify(fact)).toBeUndefined();
  });
});

describe('removeOldNotes', () => {
  const now = Date.UTC(2026, 0, 31);
  const day = 24 * 60 * 60_000;
  const hash = 'a'.repeat(32);

  async function made(name: string, age: number): Promise<void> {
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), (now - age) / 1_000, (now - age) / 1_000);
  }

  it('removes notes of every kind, but only if unchanged for a month', async () => {
    for (const kind of ['notes', 'pending', 'given', 'session']) await made(`${hash}.${kind}.json`, 31 * day);
    const kept = [
      `${hash}.receipt.json`,
      'notes.json',
      `x${hash}.notes.json`,
      `${'b'.repeat(32)}.notes.json`,
    ];
    for (const name of kept) await made(name, name.startsWith('b') ? 30 * day : 31 * day);
    await made(`${hash}.notes.json.left-behind`, 31 * day);
    await removeOldNotes(folder, now);
    expect((await readdir(folder)).toSorted()).toEqual(kept.toSorted());
  });

  it('removes an old folder with the name of a note', async () => {
    const name = `${hash}.notes.json`;
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'file'), '');
    await utimes(join(folder, name), 0, 0);
    await removeOldNotes(folder, now);
    expect(await readdir(folder)).toEqual([]);
  });

  it('sets the time of a note from the future to the present', async () => {
    await made(`${hash}.notes.json`, -400 * day);
    await removeOldNotes(folder, now);
    expect((await stat(join(folder, `${hash}.notes.json`))).mtimeMs).toBe(now);
  });
});
