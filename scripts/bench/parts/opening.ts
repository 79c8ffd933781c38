import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { ChatFeed } from '../../../src/presenters/chat/chat-feed.ts';
import { tailState } from '../../../src/presenters/chat/tail-state.ts';
import { CountFile, countedIn } from '../../../src/presenters/storage/count-file.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { readTail } from '../../../src/presenters/storage/session-tail.ts';
import { longSessionFile } from '../long-session-file.ts';
import { longestTurn } from '../longest-turn.ts';
import { type BenchPart, medianTimes } from '../part.ts';
import { settingsOf } from '../transcript-measures.ts';

/** Bytes of the session that is opened. */
const size = 20_000_000;
/** Openings that are looked at for the longest work without a pause; the least counts. */
const rounds = 7;
const id = '2026-01-02-03-04-05-0a0b0c0d';

/** Opening a long session: its end first, and all of it. */
export const part: BenchPart = {
  title: `Opening a session of ${size / 1e6} MB`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-opening-'));
    try {
      const store = new SessionStore(folder);
      await writeFile(store.pathOf(id), longSessionFile(id, size));
      const count = await loadEncoding('o200k_base');
      const meterOf = () =>
        new UsageMeter(
          { count: (texts) => Promise.resolve(texts.map(count)) },
          { countsReasoning: true, vocabulary: 'o200k_base' },
        );
      await saveCounts(store, meterOf());
      const end = async () => tailState((await readTail(store.pathOf(id)))!, englishWording);
      const { rows } = await end();
      if (rows.length === 0) throw new Error('The end of the session has no rows.');
      const all = () => open(store, meterOf());
      const times = await medianTimes({
        end: { run: end },
        read: { run: () => read(store) },
        all: { run: all },
      });
      return [
        { name: 'until the newest turn is there', value: times.end, unit: 'milliseconds' },
        {
          name: '… against reading all of the file',
          value: times.end / times.read,
          unit: 'share',
          target: { atMost: 1 },
        },
        { name: 'until all of the chat is there', value: times.all, unit: 'milliseconds' },
        { name: '… against the newest turn', value: times.all / times.end, unit: 'times' },
        {
          name: 'the newest turn, longest work without a pause',
          value: await longest(end),
          unit: 'milliseconds',
          target: { atMost: 16 },
        },
        {
          name: 'all of it, longest work without a pause',
          value: await longest(all),
          unit: 'milliseconds',
          target: { atMost: 16 },
          note: 'between slices, the transcript is built from its entries in one piece.',
        },
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** As a chat leaves them when it is closed. */
async function saveCounts(store: SessionStore, meter: UsageMeter): Promise<void> {
  const { entries } = await read(store);
  await meter.measureEach(countedIn(entries));
  await new CountFile(store.countsPathOf(id)).save(meter, countedIn(entries));
}

async function read(store: SessionStore) {
  const opened = await store.open(id);
  if (opened === undefined) throw new Error('The session of the benchmark cannot be opened.');
  return opened.contents;
}

/** Opens the session as the extension does, up to the rows of its chat and its meter. */
async function open(store: SessionStore, meter: UsageMeter): Promise<void> {
  const contents = await read(store);
  await new CountFile(store.countsPathOf(id)).teach(meter, countedIn(contents.entries));
  const settings: CompactionSettings = {
    ...{ strategy: ladder, options: resolveOptions(ladder.options, {}).options, mode: 'auto' },
    ...{ budget: settingsOf(1_000_000), protectFirst: true },
  };
  const session = new AgentSession(
    contents,
    {
      log: () => Promise.resolve(),
      models: () => Promise.reject(new Error('Nothing is asked.')),
      tools: () => [],
      settings: () => settings,
      meter,
      systemPrompt: () => '',
      approvals: { isAllowed: () => false, allow: () => {} },
      now: () => 0,
    },
    () => {},
  );
  const feed = new ChatFeed(session, {
    meterOf: () => meter,
    wording: englishWording,
    changed: () => {},
    failed: () => {},
  });
  await feed.ready;
  await feed.meter();
  await feed.allRows();
}

async function longest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await longestTurn(work)).longest);
  return Math.min(...times);
}
