import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type { SessionFile } from '../../../src/presenters/storage/session-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import type { SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { longSession } from '../long-session.ts';
import { longSessionFile } from '../long-session-file.ts';
import type { BenchPart, Measure } from '../part.ts';
import { longestTurn, type Turns } from '../longest-turn.ts';

/** Bytes of the sessions that are appended to. */
const sizes = [100_000, 5_000_000, 50_000_000] as const;
/** Appends in a round. */
const appends = 500;
/** Rounds with the same appends: of each append, the least is taken, which other programs disturb least. */
const rounds = 5;
const id = '2026-01-02-03-04-05-0a0b0c0d';

/** Appending to the file of a session. */
export const part: BenchPart = {
  title: 'Storing a session',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-storage-'));
    try {
      // Code is compiled.
      await appendTo(folder, 100_000);
      const measures: Measure[] = [];
      for (const size of sizes) measures.push(...(await measuresOf(folder, size)));
      return measures;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measuresOf(folder: string, size: number): Promise<readonly Measure[]> {
  const all: Appended[] = [];
  for (let round = 0; round < rounds; round++) all.push(await appendTo(folder, size));
  const [first, ...others] = all.reduce<readonly Turns[]>(
    (least, { turns }) => turns.map((turn, index) => lesserOf(turn, least[index] ?? turn)),
    [],
  );
  const sum = (of: (one: Appended) => number) => all.reduce((total, one) => total + of(one), 0);
  const name = `${(size / 1e6).toLocaleString('en-US')} MB`;
  return [
    {
      name: `${name}: an append, longest work without a pause, 99 of 100`,
      value: percentile(
        others.map(({ longest }) => longest),
        0.99,
      ),
      unit: 'milliseconds',
      target: { atMost: 0.2 },
    },
    {
      name: `${name}: … until the line is there, median`,
      value: percentile(
        others.map(({ whole }) => whole),
        0.5,
      ),
      unit: 'milliseconds',
    },
    {
      name: `${name}: … the first after opening, longest work without a pause`,
      value: first?.longest ?? NaN,
      unit: 'milliseconds',
    },
    {
      name: `${name}: … bytes written, against those of the lines`,
      value: sum(({ written }) => written) / sum(({ said }) => said),
      unit: 'times',
      target: { atMost: 1 },
    },
    {
      name: `${name}: … files that were replaced, or counts written`,
      value: sum(({ isReplaced }) => Number(isReplaced)),
      unit: 'count',
      target: { atMost: 0 },
    },
  ];
}

interface Appended {
  /** Of each append; the first one compares the file with what was read. */
  readonly turns: readonly Turns[];
  /** The session is another file now, or has one beside it that it had not. */
  readonly isReplaced: boolean;
  /** Bytes that the file grew by. */
  readonly written: number;
  /** Bytes of the lines that were to be appended. */
  readonly said: number;
}

async function appendTo(folder: string, size: number): Promise<Appended> {
  const store = new SessionStore(folder);
  const path = store.pathOf(id);
  await rm(path, { force: true });
  await writeFile(path, longSessionFile(id, size));
  const before = await stat(path);
  const opened = await store.open(id);
  if (opened === undefined) throw new Error('The session of the benchmark cannot be opened.');
  await using file: SessionFile = opened.file;
  const events = eventsOf(appends);
  const turns: Turns[] = [];
  const state = new StateFile(join(folder, 'state.json'));
  // As a chat does it: what is open is looked at with every line.
  const append = (event: SessionEvent) => file.append(event).then(() => state.setActive(id));
  for (const event of events) turns.push(await longestTurn(() => append(event)));
  const after = await stat(path);
  const hasCounts = (await readdir(folder)).some((name) => name.endsWith('.counts'));
  return {
    turns,
    isReplaced: after.ino !== before.ino || hasCounts,
    written: after.size - before.size,
    said: events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)) + 1, 0),
  };
}

function lesserOf(one: Turns, other: Turns): Turns {
  return { longest: Math.min(one.longest, other.longest), whole: Math.min(one.whole, other.whole) };
}

/** Messages such as a turn of an agent appends: replies with calls, and their results. */
function eventsOf(count: number): readonly SessionEvent[] {
  const messages: readonly Message[] = longSession(count);
  return messages.slice(0, count).map((message, index) => ({
    type: 'message',
    message: { ...message, id: `next${index}` },
  }));
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
