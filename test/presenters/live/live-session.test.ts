import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proxyOf } from '../../../src/agent/governed/asked-changes.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import {
  type ReadOnlySession,
  readOnlySessionOf,
  readOtherConversation,
} from '../../../src/presenters/import/read-only-session.ts';
import { EngineClient } from '../../../src/presenters/engine/engine-client.ts';
import { engineReader } from '../../../src/presenters/engine/engine-reader.ts';
import { type LiveChange, LiveSession } from '../../../src/presenters/live/live-session.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import type { SourcePlace } from '../../../src/presenters/live/session-source.ts';
import { markFile } from '../../../src/presenters/storage/mark-file.ts';
import { recordWith } from '../../support/records.ts';
import { claudeCodeSession, summary } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';
import { buildEngine, type EngineScripts } from '../../support/engine-script.ts';
import { until } from '../../support/eventually.ts';
import { agentFormats } from '../../../src/transcripts/import-transcript.ts';
import { formatSamples, otherShapes } from '../../support/format-samples.ts';
import { appendByAnotherProcess } from '../../support/agents/growing-file.ts';
import { originalSessions, skipReasonOfOriginals } from '../../support/transcripts.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';

const budget = () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 });
const never = new AbortController().signal;
const lines = claudeCodeSession.split(/(?<=\n)/u);

let scripts: EngineScripts;
beforeAll(async () => void (scripts = await buildEngine()), 60_000);
afterAll(() => scripts.remove());

describe.each(['this thread', 'the engine', 'an engine whose first thread dies'])(
  'a session that is followed on %s',
  (where) => {
    let engine: EngineClient | undefined;
    let meter: UsageMeter;
    let folder: string;
    let path: string;
    let live: LiveSession | undefined;
    let failures: unknown[];
    let changes: LiveChange[];
    let paused: (milliseconds: number) => Promise<void>;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'live-'));
      // As in the editor, one engine serves all sessions in turn.
      if (where === 'the engine') engine = new EngineClient(scripts.engine, () => {});
    });
    afterAll(async () => {
      await engine?.dispose();
      await rm(folder, { recursive: true });
    });
    beforeEach(async () => {
      if (isDying) {
        engine = new EngineClient(await scripts.dyingOnce(`dying-${randomInt(1e9)}`, 3), () => {});
      }
      meter = engine?.meterOf('o200k_base') ?? (await createMeter());
      path = join(folder, `${randomInt(1e9)}.jsonl`);
      failures = [];
      changes = [];
      paused = () => Promise.resolve();
    });
    afterEach(async () => {
      live?.dispose();
      if (isDying) await engine?.dispose();
    });
    const readerHere = (place: SourcePlace) =>
      engine === undefined ? readerOf(place) : engineReader({ engine, meterOf: () => meter }, place);

    const ports = () => ({ meterOf: () => meter, budget, factsOf: (model: string) => factsOfModel(model) });
    const open = async (more: Partial<Parameters<typeof LiveSession.open>[0]> = {}): Promise<LiveSession> => {
      live = await LiveSession.open(
        {
          ...ports(),
          reader: readerHere({ path }),
          name: 'name',
          failed: (error) => failures.push(error),
          pause: (milliseconds) => paused(milliseconds),
          ...more,
        },
        never,
      );
      live.follow((change) => changes.push(change));
      return live;
    };
    const openedNow = async () =>
      stateOf(
        await readOnlySessionOf(importTranscript(await readFile(path, 'utf8')), 'name', ports(), never),
      );

    const isDying = where === 'an engine whose first thread dies';

    describe.skipIf(originalSessions.length === 0 || isDying)(`real files (${skipReasonOfOriginals})`, () => {
      it.each(originalSessions.map((file) => [basename(file), file]))(
        '%s, written by another process, yields the same session as the opened file',
        async (_name, file) => {
          const text = readFileSync(file, 'utf8');
          const beginning = text.slice(0, text.indexOf('\n', text.length / 2) + 1);
          // A document is whole only at its end, but lines are a session at any line.
          const start = file.endsWith('.jsonl') ? beginning : text;
          await writeFile(path, start);
          const session = await open();
          expect(await stateOf(session)).toEqual(await openedNow());
          await appendByAnotherProcess(path, text.slice(start.length), 7);
          await live!.look();
          expect(await stateOf(live!)).toEqual(await openedNow());
        },
      );
    });

    const shapes = otherShapes.map(([format, shape, text]) => [`${format} ${shape}`, text] as const);
    const samples = Object.entries(formatSamples).filter(([id]) => agentFormats.some((one) => one.id === id));
    it.each(isDying ? [] : [...samples, ...shapes])(
      'a sample file of %s, split anywhere, yields the same session as the opened file',
      async (_format, text) => {
        await writeFile(path, text);
        await open();
        const bytes = Buffer.from(text);
        for (let cuts = 0; cuts < 12; cuts++) {
          await writeFile(path, bytes.subarray(0, Math.ceil(((cuts + 1) / 13) * (bytes.length - 1))));
          await live!.look();
          await writeFile(path, bytes);
          await live!.look();
          expect(await stateOf(live!)).toEqual(await openedNow());
        }
      },
    );

    it('shows every line once it is complete', async () => {
      await writeFile(path, lines[0]!);
      await open();
      for (const [index, line] of lines.slice(1).entries()) {
        const bytes = Buffer.from(line);
        const half = 1 + ((index * 53) % (bytes.length - 1));
        await appendFile(path, bytes.subarray(0, half));
        await live!.look();
        await appendFile(path, bytes.subarray(half));
        await live!.look();
        expect(await stateOf(live!)).toEqual(await openedNow());
      }
      expect(failures).toEqual([]);
    });

    it('reads its other conversations only when they are shown', async () => {
      const line = (uuid: string, parentUuid: string | null, role: 'user' | 'assistant', content: string) =>
        JSON.stringify({
          ...{ type: role, uuid, parentUuid, sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z' },
          message: { role, content },
        });
      const written = [
        line('u1', null, 'user', 'Where is the lock?'),
        line('a1', 'u1', 'assistant', 'In the old store.'),
        line('a2', 'u1', 'assistant', 'In the new store.'),
      ];
      await writeFile(path, `${written.join('\n')}\n`);
      const session = await open();
      const expected = await readOnlySessionOf(
        importTranscript(await readFile(path, 'utf8')),
        'name',
        ports(),
        never,
      );
      expect(expected.others.length).toBeGreaterThan(0);
      expect(session.others.map(({ kind, id, opening }) => ({ kind, id, opening }))).toEqual(
        expected.others.map(({ kind, id, opening }) => ({ kind, id, opening })),
      );
      for (const [index, other] of expected.others.entries()) {
        const read = await readOtherConversation(session.others[index]!, 'name', ports(), never);
        expect(await stateOf(read)).toEqual(
          await stateOf(await readOtherConversation(other, 'name', ports(), never)),
        );
      }
    });

    it('notices changes automatically', async () => {
      await writeFile(path, lines[0]!);
      await open();
      await appendFile(path, lines.slice(1).join(''));
      await until(() => expect(recordsOf(live!.transcript)).toHaveLength(1));
    });

    it('announces each compaction once, and no compaction that existed when it was opened', async () => {
      const upTo = lines.findIndex((line) => line.includes(summary)) + 1;
      await writeFile(path, lines.slice(0, upTo - 1).join(''));
      await open();
      const told = () => changes.flatMap(({ compactions }): readonly CompactionRecord[] => compactions);
      await appendFile(path, lines.slice(upTo - 1, upTo).join(''));
      await live!.look();
      expect(told().map(({ actualStrategy }) => actualStrategy)).toEqual(['claude-code']);
      await appendFile(path, lines.slice(upTo).join(''));
      await live!.look();
      expect(told()).toHaveLength(1);
    });

    it('does not replace the objects of unchanged messages and records', async () => {
      await writeFile(path, lines.slice(0, -1).join(''));
      const session = await open();
      const { entries } = session.transcript;
      await appendFile(path, lines.at(-1)!);
      await live!.look();
      const kept = session.transcript.entries.slice(0, entries.length);
      expect(
        messagesOf({ entries: kept }).every((message, i) => message === messagesOf({ entries })[i]),
      ).toBe(true);
      expect(recordsOf({ entries: kept })[0]).toBe(recordsOf({ entries })[0]);
      expect(changes).toEqual([
        { changedFrom: messagesOf({ entries }).length, isAppended: true, isOther: false, compactions: [] },
      ]);
    });

    it('reports nothing if only the modification time of its file changed', async () => {
      await writeFile(path, claudeCodeSession);
      await open();
      await utimes(path, new Date(), new Date('2030-01-01'));
      await live!.look();
      expect(changes).toEqual([]);
    });

    it.each<readonly [string, () => Promise<void>]>([
      [
        'is replaced by a longer one',
        () => replace(claudeCodeSession.replaceAll('comments', 'the comments')),
      ],
      [
        'is replaced by one of the same length',
        () => replace(claudeCodeSession.replaceAll('comments', 'commentz')),
      ],
      ['is replaced by a shorter one', () => replace(lines.slice(0, 3).join(''))],
      [
        'is written over in place',
        () => writeFile(path, claudeCodeSession.replaceAll('comments', 'commentz')),
      ],
      ['is cut', () => truncate(path, Buffer.byteLength(lines.slice(0, 3).join('')))],
      ['is gone and back', () => rm(path).then(() => writeFile(path, lines.slice(0, 5).join('')))],
      ['is rotated', () => rename(path, `${path}.1`).then(() => writeFile(path, lines.slice(0, 2).join('')))],
    ])('is read again if its file %s', async (_what, change) => {
      await writeFile(path, claudeCodeSession);
      await open();
      await change();
      await live!.look();
      expect(await stateOf(live!)).toEqual(await openedNow());
    });

    it.each<readonly [string, () => Promise<void>]>([
      ['gone', () => rm(path)],
      ['empty', () => writeFile(path, '')],
      ['not a session', () => writeFile(path, 'nothing that anybody said')],
    ])('stays unchanged while its file is %s, and continues afterwards', async (_what, change) => {
      await writeFile(path, claudeCodeSession);
      await open();
      const before = await stateOf(live!);
      await change();
      await live!.look();
      expect(await stateOf(live!)).toEqual(before);
      await writeFile(path, lines.slice(0, 4).join(''));
      await live!.look();
      expect(await stateOf(live!)).toEqual(await openedNow());
    });

    it('has the proxy of its recording until the agent compacts, because its own context is then shown', async () => {
      const proxy = proxyOf(path);
      await writeFile(path, lines.slice(0, 4).join(''));
      expect((await open({ proxy })).proxy).toBe(proxy);
      await writeFile(path, claudeCodeSession);
      await live!.look();
      expect(live!.proxy).toBeUndefined();
    });

    it('cannot be marked while a recorded context is shown, because marks name the messages of the file', async () => {
      const recording = join(folder, `${randomInt(1e9)}.jsonl`);
      await writeFile(path, lines.slice(0, 4).join(''));
      const said = messagesOf(importTranscript(await readFile(path, 'utf8')).transcript);
      const events = [
        { type: 'session', version: 1, id: 'a', createdAt: '2026-01-01T00:00:00.000Z' },
        ...said.map((message, index) => ({ type: 'message', message: { ...message, id: `m${index + 7}` } })),
      ];
      await writeFile(recording, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      await open({ reader: readerHere({ path, recording }), marks: markFile(folder, path) });
      expect(live!.mark).toBeDefined();
      const compaction = { type: 'compaction', record: recordWith('c1', [], []) };
      await appendFile(recording, `${JSON.stringify(compaction)}\n`);
      await live!.look();
      expect(recordsOf(live!.transcript).map(({ id }) => id)).toEqual(['c1']);
      expect(live!.mark).toBeUndefined();
    });

    it('reports nothing if its file is rewritten right after a truncation', async () => {
      await writeFile(path, claudeCodeSession);
      await open();
      await live!.look();
      let pauses = 0;
      paused = async () => {
        // The first pause precedes the failing reading.
        if (++pauses === 2) await writeFile(path, lines.slice(0, 4).join(''));
      };
      await writeFile(path, '');
      await live!.look();
      expect(await stateOf(live!)).toEqual(await openedNow());
      expect(failures).toEqual([]);
    });

    async function replace(text: string): Promise<void> {
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    }
  },
);

/** Everything that is shown of a session. */
async function stateOf({ transcript, title, tools, problems, compaction, foreign }: ReadOnlySession) {
  const { entries, view } = transcript;
  const { model } = foreign;
  const usage = await compaction.usage();
  return {
    entries,
    view,
    title,
    tools,
    problems,
    model,
    report: await foreign.report(),
    usage,
    budget: compaction.budget,
  };
}
