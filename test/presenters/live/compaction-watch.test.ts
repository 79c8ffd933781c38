import { on } from 'node:events';
import { watch as watchFolder } from 'node:fs';
import { appendFile, mkdtemp, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import {
  CompactionWatch,
  type CompactionWatchPorts,
  type NewCompactions,
} from '../../../src/presenters/live/compaction-watch.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { databasePath } from '../../../src/presenters/import/opencode-database.ts';
import type { IdleState } from '../../../src/presenters/live/compaction-traces.ts';
import { TraceLines } from '../../../src/presenters/live/trace-lines.ts';
import { claudeCodeSession, summary } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';
import { until } from '../../support/eventually.ts';
import {
  clineSession,
  clineTask,
  rooAnswered,
  rooTask,
  type TaskFiles,
} from '../../support/agents/cline-task.ts';
import { opencodeMessages } from '../../support/format-samples.ts';
import { appendByAnotherProcess, rewriteByAnotherProcess } from '../../support/agents/growing-file.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';

const lines = claudeCodeSession.split(/(?<=\n)/u);
const summaryAt = lines.findIndex((line) => line.includes(summary));
const before = lines.slice(0, summaryAt).join('');
const since = lines.slice(summaryAt).join('');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compaction-watch-'));
  path = join(folder, 'session.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the lines appended to a session', () => {
  const mark = lines[summaryAt]!;

  it('reveal a compaction, which is reported with the size of the file before the compaction', async () => {
    await writeFile(path, before);
    const file = new TraceLines(path);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, `${lines[0]!}${mark}`);
    expect(await file.look()).toBe(Buffer.byteLength(before));
    await appendFile(path, lines[0]!);
    expect(await file.look()).toBeUndefined();
  });

  it('are reported once they are complete, no matter where they are split', async () => {
    await writeFile(path, before);
    const bytes = Buffer.from(mark);
    for (let cut = 1; cut < bytes.length; cut += 7) {
      await writeFile(path, before);
      const file = new TraceLines(path);
      await file.look();
      await appendFile(path, bytes.subarray(0, cut));
      expect(await file.look()).toBeUndefined();
      await appendFile(path, bytes.subarray(cut));
      expect(await file.look()).toBe(Buffer.byteLength(before));
    }
  });

  it('are reported together if the last line is still incomplete', async () => {
    await writeFile(path, before);
    const file = new TraceLines(path);
    await file.look();
    await appendFile(path, `${lines[0]!}${mark}${mark.slice(0, -2)}`);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, mark.slice(-2));
    expect(await file.look()).toBe(Buffer.byteLength(before));
  });

  it.each([
    ['Codex', { type: 'compacted', payload: {} }],
    ['Copilot CLI', { type: 'session.compaction_complete', data: {} }],
    ['Qwen Code', { type: 'system', subtype: 'chat_compression', systemPayload: {} }],
    ['Pi', { type: 'compaction', summary: 'notes' }],
  ])('reveal compactions of %s', async (_agent, line) => {
    await writeFile(path, before);
    const file = new TraceLines(path);
    await file.look();
    await appendFile(path, `${JSON.stringify(line)}\n`);
    expect(await file.look()).toBe(Buffer.byteLength(before));
  });

  it('reveal no compaction in the text of a message or in the first content', async () => {
    await writeFile(path, `${before}${mark}`);
    const file = new TraceLines(path);
    await file.look();
    await appendFile(path, `${JSON.stringify({ text: '{"isCompactSummary":true}' })}\n`);
    expect(await file.look()).toBeUndefined();
  });

  it('are read from the beginning of the file if it is truncated or replaced', async () => {
    await writeFile(path, `${before}${mark}`);
    const file = new TraceLines(path);
    await file.look();
    await truncate(path, 10);
    expect(await file.look()).toBeUndefined();
    await writeFile(`${path}.new`, `${before}${mark}${mark}`);
    await rename(`${path}.new`, path);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, mark);
    expect(await file.look()).toBe(Buffer.byteLength(`${before}${mark}${mark}`));
  });

  it('may have any length', async () => {
    await writeFile(path, before);
    const file = new TraceLines(path);
    await file.look();
    const long = Buffer.alloc(20_000_000, 'x');
    for (let pieces = 0; pieces < 5; pieces++) {
      await appendFile(path, long);
      expect(await file.look()).toBeUndefined();
    }
    await appendFile(path, `\n${mark}`);
    expect(await file.look()).toBe(Buffer.byteLength(before));
  });
});

describe('a growing session that is not open', () => {
  let meter: UsageMeter;
  let told: NewCompactions[];
  let failures: unknown[];
  let watch: CompactionWatch;
  let stopper: AbortController;
  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(() => {
    told = [];
    failures = [];
    watch = new CompactionWatch(ports());
    stopper = new AbortController();
    return () => {
      watch.dispose();
      stopper.abort();
    };
  });
  const ports = (): CompactionWatchPorts => ({
    meterOf: () => meter,
    readerOf: (place) => Promise.resolve(readerOf(place)),
    budget: () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    factsOf: (model) => factsOfModel(model),
    told: (made) => told.push(made),
    failed: (error) => failures.push(error),
  });
  const isWatched = () => new Promise((resolve) => setTimeout(resolve, 100));
  const untilTold = (times: number) =>
    until(() => expect({ failures, times: told.length }).toEqual({ failures: [], times }));

  it('announces once a compaction that another process appends, and the lost facts', async () => {
    await writeFile(path, before);
    await watch.add(path);
    await appendByAnotherProcess(path, since, 3);
    await untilTold(1);
    const [made] = told;
    expect(made!.compactions.map(({ coverage }) => coverage.files)).toMatchObject([{ total: 2, kept: 1 }]);
    await appendByAnotherProcess(path, lines.at(-1)!, 3);
    await isWatched();
    expect(told).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('is read again if it was written while it was unreadable', async () => {
    await writeFile(path, before);
    let readings = 0;
    const { signal } = stopper;
    watch = new CompactionWatch({
      ...ports(),
      readerOf: async (place) => {
        if (readings++ > 0) return readerOf(place);
        const changes = on(watchFolder(folder, { signal }), 'change', { signal });
        await appendFile(path, lines.at(-1)!);
        await changes.next();
        // All watchers of the folder are notified in one turn.
        await nextTurn();
        throw new Error('This session is being written.');
      },
    });
    await watch.add(path);
    await appendFile(path, since);
    await untilTold(1);
    expect(readings).toBe(2);
  });

  it('is read again if it was truncated and not yet rewritten', async () => {
    await writeFile(path, before);
    let pauses = 0;
    watch = new CompactionWatch({
      ...ports(),
      readerOf: async (place) => {
        if (pauses === 0) await truncate(path);
        return readerOf(place);
      },
      pause: async () => {
        if (pauses++ === 0) await writeFile(path, `${before}${since}`);
      },
    });
    await watch.add(path);
    await appendFile(path, since);
    await untilTold(1);
    expect(pauses).toBe(1);
  });

  it('reports once that it is unreadable, even if it does not change', async () => {
    await writeFile(path, before);
    const readerOf = () => Promise.reject(new Error('This session cannot be read.'));
    let pauses = 0;
    const pause = () => Promise.resolve(void pauses++);
    watch = new CompactionWatch({ ...ports(), readerOf, pause });
    await watch.add(path);
    await appendFile(path, since);
    await until(() => expect(failures.map(String)).toEqual(['Error: This session cannot be read.']));
    const pausesThen = pauses;
    await appendFile(path, lines.at(-1)!);
    await until(() => expect(pauses).toBeGreaterThan(pausesThen));
    expect(failures).toHaveLength(1);
  });

  /** State of a session's file without a writer. */
  const idleNow = async (file: string): Promise<IdleState> => {
    const { size, mtimeMs: changedAt } = await stat(file);
    return { size, changedAt };
  };
  const lostFiles = () =>
    told.map(({ compactions }) => compactions.map(({ coverage }) => coverage.files.missing));

  it('announces only the compaction with which it continues after a pause', async () => {
    await writeFile(path, before);
    const idle = await idleNow(path);
    await appendByAnotherProcess(path, since, 4);
    void watch.add(path, idle);
    await untilTold(1);
    const other = join(folder, 'other.jsonl');
    await writeFile(other, `${before}${since}`);
    await watch.add(other, await idleNow(other));
    await appendByAnotherProcess(other, lines[0]!, 4);
    await isWatched();
    expect(told).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  describe('in a database', () => {
    let database: string;
    const path = () => databasePath(database, 'ses_1');
    const said = opencodeMessages.slice(0, 2);
    const messages = [
      { ...said[0]!, parts: [{ type: 'text', text: 'read a.ts' }] },
      { ...said[1]!, parts: said[1]!.parts },
    ];
    const changedAt = 1_000;
    /** @param at milliseconds since 1970 */
    const compact = (session: string, at: number) => {
      const info = { role: 'assistant', summary: true, finish: 'stop', time: { created: at } };
      const text = { type: 'text', text: 'Nothing is left.' };
      const rows = new DatabaseSync(database);
      const id = `${session}_${at}`;
      rows
        .prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)')
        .run(id, session, at, at, JSON.stringify(info));
      const insert = rows.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)');
      insert.run(id, id, session, at, at, JSON.stringify(text));
      rows.close();
    };
    beforeEach(() => {
      database = join(folder, 'opencode.db');
      const sessions = ['ses_1', 'ses_2'].map((id) => ({ id, title: 'a', changedAt, messages }));
      writeOpencodeDatabase(database, sessions);
    });

    it('announces a compaction once, with the lost facts, and no compaction of another session', async () => {
      await watch.add(path());
      compact('ses_2', 500_000);
      await isWatched();
      expect(told).toEqual([]);
      compact('ses_1', 600_000);
      await untilTold(1);
      expect(lostFiles()).toEqual([[['a.ts']]]);
      compact('ses_2', 700_000);
      await isWatched();
      expect(told).toHaveLength(1);
      expect(failures).toEqual([]);
    });

    it('announces only the compaction with which it continues after a pause', async () => {
      compact('ses_1', 2_000);
      compact('ses_2', 2_000);
      compact('ses_1', 600_000);
      void watch.add(path(), { size: 9, changedAt });
      void watch.add(databasePath(database, 'ses_2'), { size: 9, changedAt });
      await untilTold(1);
      await isWatched();
      expect(told).toHaveLength(1);
      expect(told[0]!.compactions.map(({ createdAt }) => Date.parse(createdAt))).toEqual([600_000]);
      expect(failures).toEqual([]);
    });
  });

  describe('of a task', () => {
    const conversationOf = (task: TaskFiles, length = task.conversation.length) =>
      JSON.stringify(task.conversation.slice(0, length));
    let path: string;
    let beside: string;
    beforeEach(() => {
      path = join(folder, 'api_conversation_history.json');
      beside = join(folder, 'ui_messages.json');
    });
    const write = async (conversation: string, shown: readonly object[]) => {
      await writeFile(path, conversation);
      await writeFile(beside, JSON.stringify(shown));
    };
    const rewrite = async (conversation: string, shown: readonly object[]) => {
      await rewriteByAnotherProcess(path, conversation, 5);
      await rewriteByAnotherProcess(beside, JSON.stringify(shown), 6);
    };

    it.each([
      ['Roo Code', rooTask, 5, 3],
      ['Cline', clineTask, 7, 1],
    ])('of %s announces a compaction of another process once, and the lost facts', async (...row) => {
      const [, task, length, shown] = row;
      await write(conversationOf(task, length), task.shown.slice(0, shown));
      await watch.add(path);
      await rewrite(conversationOf(task), task.shown);
      await untilTold(1);
      expect(lostFiles()).toEqual([[['src/old-store.ts']]]);
      await rewrite(`${conversationOf(task)} `, [...task.shown, rooAnswered]);
      await isWatched();
      expect(told).toHaveLength(1);
      expect(failures).toEqual([]);
    });

    it('announces a compaction even if the conversation is too large to be read at every change', async () => {
      const image = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(9_000_000) },
      };
      const large = { role: 'user', content: [{ type: 'text', text: '<task>' }, image], ts: 9 };
      const [, ...rest] = rooTask.conversation;
      await write(JSON.stringify([large, ...rest.slice(0, 4)]), rooTask.shown.slice(0, 3));
      await watch.add(path);
      await write(JSON.stringify([large, ...rest]), rooTask.shown);
      await untilTold(1);
      expect(failures).toEqual([]);
    });

    it('announces only the compaction with which it continues after a pause', async () => {
      await write(conversationOf(rooTask), rooTask.shown);
      void watch.add(path, { size: 9, changedAt: 59 });
      await untilTold(1);
      const other = await mkdtemp(join(folder, 'other-'));
      await writeFile(join(other, 'api_conversation_history.json'), conversationOf(rooTask));
      await writeFile(join(other, 'ui_messages.json'), JSON.stringify(rooTask.shown));
      await watch.add(join(other, 'api_conversation_history.json'), { size: 9, changedAt: 61 });
      expect(told).toHaveLength(1);
      expect(failures).toEqual([]);
    });

    it('waits for a summary that Cline has requested', async () => {
      const asked = '<explicit_instructions type="summarize_task">';
      const continued =
        '[summarize_task] Result:\n\nThis session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nNothing..\n\nPlease continue the conversation from where we left off.';
      const said = (role: 'user' | 'assistant', words: string, ts: number) => ({
        ...{ role, ts },
        content: [{ type: 'text', text: words }],
      });
      const conversation = clineTask.conversation.slice(0, 6);
      const summarising = [
        ...conversation,
        said('user', asked, 70),
        said('assistant', '<summarize_task>\n<context>Nothing.</context>\n</summarize_task>', 80),
      ];
      const shown = (ts: number, index: number, deleted?: readonly number[]) => ({
        ...{ ts, type: 'say', say: 'tool', conversationHistoryIndex: index },
        conversationHistoryDeletedRange: deleted,
      });
      await write(JSON.stringify(conversation), [shown(60, 5)]);
      await watch.add(path);
      await write(JSON.stringify(summarising), [shown(60, 5), shown(81, 6, [2, 5])]);
      await isWatched();
      expect(told).toEqual([]);
      const done = [...summarising, said('user', continued, 90)];
      await write(JSON.stringify(done), [shown(60, 5), shown(81, 6, [2, 5]), shown(91, 8, [2, 7])]);
      await untilTold(1);
      await isWatched();
      expect(told.map(({ compactions }) => compactions.map(({ trigger }) => trigger.source))).toEqual([
        ['ratio'],
      ]);
      expect(lostFiles()).toEqual([[['src/old-store.ts']]]);
    });
  });

  it('reports no failure if its file disappears as the watch ends', async () => {
    const chat = join(folder, 'chat.json');
    await writeFile(chat, '{}');
    let reachFile: () => void = () => {};
    const isReading = new Promise<void>((resolve) => (reachFile = resolve));
    let removeFile: (error: Error) => void = () => {};
    const removed = new Promise<never>((_resolve, reject) => (removeFile = reject));
    const readerOf = () => (reachFile(), removed);
    const ending = new CompactionWatch({ ...ports(), readerOf });
    const begun = ending.add(chat);
    await isReading;
    ending.dispose();
    removeFile(new Error('ENOENT'));
    await begun;
    expect(failures).toEqual([]);
  });

  const round = (id: string, timestamp: number, more: object) => ({
    message: { text: 'go on' },
    timestamp,
    result: { metadata: { toolCallRounds: [{ id, response: 'So.' }], ...more } },
  });
  const chat = (...requests: readonly object[]) =>
    JSON.stringify({ version: 3, responderUsername: 'GitHub Copilot', requests });
  const first = round('a', 1_000, {});
  const second = round('b', 2_000, { summaries: [{ toolCallRoundId: 'a', text: 'one' }] });
  const third = round('c', 3_000, { summaries: [{ toolCallRoundId: 'b', text: 'two' }] });

  it('is followed even if it is empty at the first reading', async () => {
    const path = join(folder, 'chat.json');
    await writeFile(path, '');
    let pauses = 0;
    const pause = async () => {
      if (pauses++ === 0) await writeFile(path, chat(first));
    };
    watch = new CompactionWatch({ ...ports(), pause });
    await watch.add(path);
    await writeFile(`${path}.new`, chat(first, second));
    await rename(`${path}.new`, path);
    await untilTold(1);
  });

  it('of Cline since version 4 announces each compaction in the neighbouring file', async () => {
    const path = join(folder, '17_a.messages.json');
    const beside = join(folder, '17_a.compaction.json');
    await writeFile(path, JSON.stringify(clineSession.session));
    await watch.add(path);
    await writeFile(beside, '');
    await rewriteByAnotherProcess(beside, JSON.stringify(clineSession.compaction, undefined, 2), 7);
    await untilTold(1);
    expect(lostFiles()).toEqual([[['src/old-store.ts']]]);
    const later = { ...clineSession.compaction, updated_at: '2026-07-18T00:00:00.000Z' };
    await rewriteByAnotherProcess(beside, JSON.stringify(later, undefined, 2), 8);
    await untilTold(2);
    expect(failures).toEqual([]);
  });

  it('in a single document announces all compactions since it was last idle', async () => {
    const path = join(folder, 'chat.json');
    await writeFile(path, chat(first, second));
    await watch.add(path, { size: 9, changedAt: 2_500 });
    expect(told).toEqual([]);
    watch.dispose();
    void watch.add(path, { size: 9, changedAt: 1_500 });
    await untilTold(1);
    await writeFile(path, chat(first, second, third));
    await untilTold(2);
    expect(failures).toEqual([]);
  });
});
