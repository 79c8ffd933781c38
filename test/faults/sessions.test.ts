import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { modelRequestOf } from '../../src/agent/model/chat-model.ts';
import { Journal } from '../../src/agent/session/journal.ts';
import { textOf, type Message } from '../../src/compaction/messages/message.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { diffHtml, diffMarkdown } from '../../src/insights/export/record-export.ts';
import { sessionHtml, sessionJson, sessionMarkdown } from '../../src/insights/export/session-export.ts';
import { type readSession } from '../../src/transcripts/session/session-format.ts';
import { createMeter } from '../support/engine.ts';
import { called, result, said, system, textOfTokens, typed } from '../support/messages.ts';
import { sessionText, tell } from '../support/own-sessions.ts';
import { soak } from '../support/soak.ts';
import { bundledScript } from './support/bundled-script.ts';
import { Damage } from './support/damage.ts';
import { fault } from './support/fault.ts';
import { seeded } from './support/seeded.ts';
import { SmallDisk } from './support/small-disk.ts';

describe('sessions', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'session-faults-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const journalOf = (opened: { readonly file: { append: (event: never) => Promise<void> } }) =>
    new Journal(
      { entries: [], tools: [] },
      (event) => opened.file.append(event as never),
      () => {},
    );
  const say = (journal: Journal, length: number) =>
    journal.append({ type: 'message', message: typed(journal.nextMessageId(), 'z'.repeat(length)) });
  const idsIn = async (store: SessionStore, id: string) =>
    messagesOf({ entries: (await store.open(id))?.contents.entries ?? [] }).map((message) => message.id);

  fault('a killed writer loses nothing that it acknowledged', async (count) => {
    const writer = await bundledScript('session-writer', folder);
    let acknowledged = 0;
    const random = seeded(12);

    async function killAgainAndAgain(lane: number, kills: number): Promise<void> {
      const store = new SessionStore(join(folder, `lane-${lane}`));
      let id = '';
      let known = new Map<string, number>();
      for (let kill = 0; kill < kills; kill++) {
        if (kill % 10 === 0) {
          const created = store.create(kill);
          await created.file.append({ type: 'title', title: 'killed' });
          await created.file.close();
          id = created.id;
          known = new Map();
        }
        for (const line of await killed(
          writer,
          [join(folder, `lane-${lane}`), id, `${lane}${kill}`],
          random,
        )) {
          const [messageId = '', length] = line.split(' ');
          known.set(messageId, Number(length));
          acknowledged++;
        }
        count.tried();
        const { contents } = (await store.open(id))!;
        const found = new Map(
          messagesOf(contents).map((message) => [message.id, textOf(message.content).length]),
        );
        for (const [messageId, length] of known) {
          if (found.get(messageId) !== length) count.harmed(`kill ${kill}: ${messageId} is lost`);
        }
        known = found;
      }
    }
    const kills = soak(60, 400) / 2;
    await Promise.all([killAgainAndAgain(1, kills), killAgainAndAgain(2, kills)]);
    count.note(`${acknowledged} lines acknowledged`);
  });

  fault('a disk that is full and then has room again', async (count) => {
    await using disk = await SmallDisk.mount(join(folder, 'disk'), 256_000);
    if (disk === undefined) {
      count.skip('a small file system can be mounted by root only');
      return;
    }
    for (const size of [100, 5_000, 60_000, 150_000]) {
      const store = new SessionStore(disk.path);
      const opened = store.create(size);
      const journal = journalOf(opened);
      const acknowledged: string[] = [];
      const attempt = async (length: number) => {
        count.tried();
        const id = await say(journal, length).then(
          () => journal.transcript.view.at(-1)!.id,
          () => undefined,
        );
        if (id !== undefined) acknowledged.push(id);
      };
      for (const isFullAtFirst of [false, true]) {
        if (!isFullAtFirst) await attempt(100);
        await disk.fill(size);
        await attempt(size * 2);
        await attempt(size * 2);
        await disk.empty();
        await attempt(50);
        await attempt(50);
      }
      await opened.file.close();
      const found = await idsIn(store, opened.id);
      if (found.join() !== acknowledged.join())
        count.harmed(`${size}: ${found.join()} of ${acknowledged.join()}`);
      if (acknowledged.length < 5) count.harmed(`${size}: nothing was saved with room on the disk`);
      await rm(join(disk.path, `${opened.id}.jsonl`), { force: true });
    }
  });

  fault('damaged files are opened or reported, and can be counted, sent and exported', async (count) => {
    const meter = await createMeter();
    const text = await everythingIn(meter);
    const damage = new Damage(text, 7);
    const kinds = Object.entries(damage.kinds);
    const store = new SessionStore(join(folder, 'damaged'));
    await mkdir(join(folder, 'damaged'), { recursive: true });
    for (let round = 0; round < soak(300, 4_000); round++) {
      const [kind, harm] = kinds[round % kinds.length]!;
      const damaged = harm();
      count.tried();
      try {
        await writeFile(store.pathOf('damaged'), damaged);
        const { contents } = (await store.open('damaged'))!;
        const what = await problemWith(contents, meter);
        if (what !== undefined) count.harmed(`${kind} (${round}): ${what}`);
        if (contents.problems.length === 0 && kind === 'NUL bytes' && damaged.includes('\0')) {
          count.harmed(`${kind} (${round}): not told`);
        }
      } catch (error) {
        count.harmed(`${kind} (${round}): ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  });
});

/** Starts a writer, kills it a moment after its first line, and returns its complete lines. */
async function killed(
  writer: string,
  argumentsOfIt: readonly string[],
  random: () => number,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [writer, ...argumentsOfIt], { stdio: ['ignore', 'pipe', 'ignore'] });
  let out = '';
  child.stdout.setEncoding('utf8');
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), random() * 20));
  child.stdout.on('data', (text: string) => (out += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== null) throw new Error(`The writer ended by itself, with code ${code}.`);
  return out.split('\n').slice(0, -1);
}

/** A session with every kind of entry: calls, compactions, an undo, pins, edits, a queue. */
async function everythingIn(meter: UsageMeter): Promise<string> {
  const rich: Partial<Message> = {
    usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 3 },
    reasoning: 'hm',
    modelId: 'model',
    reasoningItems: { endpoint: 'https://example.com', model: 'model', items: [{ type: 'thinking' }] },
  };
  const files = [{ path: 'a.ts', change: 'modified', added: 1, removed: 2 }] as const;
  const turns = Array.from({ length: 8 }, (_, turn): readonly Message[] => [
    {
      ...typed(`m${turn * 4 + 2}`, `Please look at src/f${turn}.ts\n\nattached`),
      attached: { typedLength: 10, items: [{ label: '@a', type: 'path', tokens: 1, characters: 8 }] },
    },
    { ...called(`m${turn * 4 + 3}`, [`k${turn}`, 'read_file', { path: `src/f${turn}.ts` }]), ...rich },
    {
      ...result(`m${turn * 4 + 4}`, `k${turn}`, textOfTokens(200)),
      outcome: { summary: 'ok', files },
      truncation: { fate: 'tool', originalTokens: 500 },
      original: 'whole',
    },
    { ...said(`m${turn * 4 + 5}`, `Item ${turn} is done.`), ...rich },
  ]);
  const messages = [system('m1', 'rules'), ...turns.flat()];
  const happening = (kind: 'compact' | 'undo' | 'restore' | 'pin', place: number, strategy = 'llm-summary') =>
    ({ kind, place, choice: 1, strategy, window: 2_000 }) as const;
  const transcript = await tell(
    {
      history: { messages, pins: new Set() },
      happenings: [
        happening('compact', 5),
        happening('pin', 6),
        happening('compact', 9, 'tool-result-hiding'),
        happening('restore', 11),
        happening('compact', 13, 'ladder'),
        happening('undo', 14),
      ] as never,
    },
    meter,
  );
  const after = [
    { type: 'title', title: 'Everything' },
    { type: 'queue', texts: ['later'] },
    { type: 'edits', turnId: 'm2', files, isUndone: false },
    { type: 'partial', messageId: 'm999', text: 'half' },
    { type: 'turn', outcome: 'failed', message: 'No.' },
  ];
  const tools = [
    { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } },
  ] as const;
  return sessionText(transcript, tools) + after.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Performs the steps of opening a session. */
async function problemWith(
  contents: ReturnType<typeof readSession>,
  meter: UsageMeter,
): Promise<string | undefined> {
  const transcript = transcriptOf(contents.entries);
  const { view } = transcript;
  const { total } = await meter.measure(view);
  if (!Number.isFinite(total) || total < 0) return `its size is ${total}`;
  const { messages } = modelRequestOf(view, contents.tools);
  JSON.stringify({ messages, tools: contents.tools });
  const [violation] = findViolations(messages);
  if (violation !== undefined) return `its request is not valid: ${JSON.stringify(violation)}`;
  const exported = { title: contents.title ?? '', entries: contents.entries };
  sessionHtml(exported);
  sessionMarkdown(exported);
  sessionJson({ ...exported, tools: contents.tools });
  for (const record of recordsOf(transcript)) {
    diffMarkdown(record, view);
    diffHtml(record, view);
  }
  return undefined;
}
