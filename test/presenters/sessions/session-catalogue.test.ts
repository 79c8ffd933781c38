import { mkdir, mkdtemp, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { beginningOfText, endOf } from '../../../src/presenters/import/transcript-file.ts';
import type { ListedSession } from '../../../src/presenters/import/found-sessions.ts';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import type { FillPorts } from '../../../src/presenters/sessions/head-and-tail.ts';
import { sessionRow } from '../../../src/presenters/sessions/session-row.ts';
import { type FoundAgent, sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { rooAnswered, rooTask } from '../../support/agents/cline-task.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';

const workspace = '/projects/lock';
const now = Date.parse('2026-02-03T04:05:06.000Z');
const minute = 60_000;

describe('the sessions of other agents', () => {
  let home: string;
  /** Bytes read of each file, in order. */
  let reads: (readonly [path: string, bytes: number])[];
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalogue-'));
    reads = [];
  });
  afterEach(() => rm(home, { recursive: true }));

  const counted = (read: typeof beginningOfText) => async (path: string, size: number) => {
    const text = await read(path, size);
    reads.push([path, text.length]);
    return text;
  };
  const catalogue = (fill?: FillPorts) =>
    new SessionCatalogue({
      ...(fill && { fill }),
      places: sessionPlaces({ home, platform: 'linux', environment: {} }),
      folders: [workspace],
      beginningOf: counted(beginningOfText),
      endOf: counted(endOf),
    });
  /** @param age minutes since it was changed */
  const write = async (path: string, age: number, text: string) => {
    const file = join(home, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
    const at = new Date(now - age * minute);
    await utimes(file, at, at);
    return file;
  };
  const claude = (title: string, cwd: string, tokens = 100_000) =>
    [
      { type: 'user', cwd, sessionId: title, message: { role: 'user', content: title } },
      {
        type: 'assistant',
        message: { model: 'claude-sonnet-4-5', usage: { input_tokens: tokens, output_tokens: 0 } },
      },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');

  it('are listed without being read, no matter how many there are', async () => {
    const folder = join(home, '.claude/projects/-other');
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: 10_000 }, (_, index) => join(folder, `${index}.jsonl`));
    for (let start = 0; start < names.length; start += 500) {
      await Promise.all(names.slice(start, start + 500).map((name) => writeFile(name, '{}\n')));
    }
    const sessions = catalogue();
    expect(await sessions.list()).toMatchObject([{ agent: 'claude-code', count: 10_000 }]);
    expect(reads).toEqual([]);
    expect((await sessions.page('claude-code', 50)).left).toBe(9_950);
    expect(new Set(reads.map(([path]) => path)).size).toBe(50);
  });

  it('are read only at both ends, and read again only after a change', async () => {
    const long = `${claude('long', workspace)}${'{"type":"progress"}\n'.repeat(50_000)}${claude('', workspace)}`;
    await write('.claude/projects/-projects-lock/long.jsonl', 9, long);
    const sessions = catalogue();
    await sessions.list();
    await sessions.page('claude-code', 50);
    expect(reads.map(([, bytes]) => bytes)).toEqual([8_192, 65_536]);
    await sessions.list();
    await sessions.page('claude-code', 50);
    expect(reads).toHaveLength(2);
    await write('.claude/projects/-projects-lock/long.jsonl', 1, `${long}{}\n`);
    await sessions.list();
    await sessions.page('claude-code', 50);
    expect(reads).toHaveLength(4);
  });

  it('begin with the sessions of the open folder, then the newest', async () => {
    await write('.claude/projects/-other/a.jsonl', 1, claude('new elsewhere', '/other'));
    await write('.claude/projects/-other/b.jsonl', 2, claude('old elsewhere', '/other'));
    await write('.claude/projects/-projects-lock/c.jsonl', 500, claude('old here', workspace));
    await write('.claude/projects/-projects-lock/d.jsonl', 400, claude('new here', workspace));
    const sessions = catalogue();
    await sessions.list();
    const titles = async (count: number) =>
      (await sessions.page('claude-code', count)).sessions.map(({ title }) => title);
    expect(await titles(50)).toEqual(['new here', 'old here', 'new elsewhere', 'old elsewhere']);
    expect(await titles(2)).toEqual(['new here', 'old here']);
  });

  it('include their sub-agents below them', async () => {
    await write('.claude/projects/-projects-lock/c.jsonl', 9, claude('main', workspace));
    await write('.claude/projects/-projects-lock/c/subagents/agent-1.jsonl', 8, claude('task', workspace));
    const sessions = catalogue();
    await sessions.list();
    const [session] = (await sessions.page('claude-code', 50)).sessions;
    expect(session?.subAgents?.map(({ title }) => title)).toEqual(['task']);
  });

  it('list sub-agents with similar files below them, and do not count these as sessions', async () => {
    const session = (sessionId: string, agent: string) =>
      JSON.stringify({ version: 1, agent, sessionId, messages: [{ role: 'user', content: sessionId }] });
    await write('.cline/data/sessions/17_a/17_a.messages.json', 9, session('17_a', 'lead'));
    await write('.cline/data/sessions/17_a/agent_1.messages.json', 8, session('17_a__agent_1', 'subagent'));
    const sessions = catalogue();
    await sessions.list();
    const [main, ...others] = (await sessions.page('cline', 50)).sessions;
    expect(others).toEqual([]);
    expect(main?.subAgents?.map(({ title }) => title)).toEqual(['17_a__agent_1']);
    expect((await sessions.list()).map(({ agent, count }) => [agent, count])).toEqual([['cline', 1]]);
  });

  it('are omitted once reading shows that they have no messages', async () => {
    const context = { id: 'u0', type: 'user', content: '<session_context>Today</session_context>' };
    const lines = [{ sessionId: 's', projectHash: 'p' }, { $set: { messages: [context] } }];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await write('.gemini/tmp/here/chats/session-1-aaaaaaaa.jsonl', 9, text);
    const sessions = catalogue();
    await sessions.list();
    expect((await sessions.page('gemini-cli', 50)).sessions).toEqual([]);
    expect(await sessions.list()).toEqual([]);
  });

  it('are shown with their fill and age, and as live while they grow', async () => {
    await write('.claude/projects/-projects-lock/a.jsonl', 1, claude('growing', workspace));
    await write(
      '.claude/projects/-projects-lock/b.jsonl',
      60,
      '{"type":"user","message":{"role":"user","content":"old"}}\n',
    );
    const sessions = catalogue();
    await sessions.list();
    const ports = { factsOf: (model: string) => factsOfModel(model), wording: englishWording, now };
    const rows = (await sessions.page('claude-code', 50)).sessions.map((one) => sessionRow(one, ports));
    expect(rows.map(({ label, description, share, isLive }) => [label, description, share, isLive])).toEqual([
      ['growing', '50% · live', 0.5, true],
      ['old', '1 hour ago', undefined, false],
    ]);
    expect(rows.map(({ spoken }) => spoken)).toEqual([
      'growing, Claude Code, 50% full, live',
      'old, Claude Code, 1 hour ago',
    ]);
    expect(rows[0]?.details[0]).toBe('Claude Code · claude-sonnet-4-5');
  });

  it('show both windows if either fits, and the share of the compaction size if it is known', async () => {
    const session = (usage: Partial<ListedSession>): ListedSession => ({
      ...{ agent: 'claude-code', path: '/s1.jsonl', title: 's1', workspace, model: undefined },
      ...{ changedAt: now - 60 * minute, size: 1, isOfWorkspace: true, usage: undefined, subAgents: [] },
      ...usage,
    });
    const ports = { factsOf: (model: string) => factsOfModel(model), wording: englishWording, now };
    const told = (usage: Partial<ListedSession>) => {
      const { description, details } = sessionRow(session(usage), ports);
      return [description, details.at(-1)];
    };
    expect(told({ usage: { tokens: 74_767, model: 'claude-opus-4-6' } })).toEqual([
      '37% or 7% · 1 hour ago',
      '74,767 of 200,000 or 1,000,000 tokens (37% or 7%)',
    ]);
    const fullness = { tokens: 74_869, basis: 'reported', window: 200_000, alternatives: [] } as const;
    expect(told({ fullness: { ...fullness, compactsAt: 174_247 } })).toEqual([
      '37% · 1 hour ago',
      '74,869 of 200,000 tokens (37%) · 43% of the 174,247 at which it compacts',
    ]);
  });

  it('are read in full once if their end does not contain the number of tokens', async () => {
    await write('.claude/projects/-projects-lock/told.jsonl', 10, claude('told', workspace));
    const later = '{"type":"user","message":{"role":"user","content":"go on"}}\n';
    await write('.claude/projects/-projects-lock/more.jsonl', 20, `${claude('more', workspace)}${later}`);
    const wholes: string[] = [];
    const fullness = { tokens: 100_003, basis: 'reported', alternatives: [] } as const;
    const sessions = catalogue({
      factsOf: () => ({ ...factsOfModel(''), window: 200_000 }),
      limitsOf: () => Promise.resolve({ compactsAt: 150_000 }),
      fullnessOf: (path) => Promise.resolve((wholes.push(path), fullness)),
    });
    await sessions.list();
    await sessions.page('claude-code', 50);
    const [told, more] = (await sessions.page('claude-code', 50)).sessions;
    expect([told?.fullness, more?.fullness]).toEqual([undefined, fullness]);
    expect(told?.limits).toEqual({ compactsAt: 150_000 });
    expect(wholes).toEqual([expect.stringContaining('more.jsonl')]);
  });

  it('are read in full while live, because only the full text contains the compaction size', async () => {
    await write('.claude/projects/-projects-lock/live.jsonl', 1, claude('live', workspace));
    const fullness = { tokens: 1, basis: 'reported', alternatives: [], compactsAt: 2 } as const;
    const sessions = catalogue({
      factsOf: () => ({ ...factsOfModel(''), window: 200_000 }),
      fullnessOf: () => Promise.resolve(fullness),
    });
    await sessions.list();
    expect((await sessions.page('claude-code', 50)).sessions[0]?.fullness).toBeUndefined();
    expect((await sessions.growing(now))[0]?.fullness).toEqual(fullness);
  });

  describe('of agents that store their numbers outside their sessions', () => {
    const rows = async (sessions: SessionCatalogue, agent: FoundAgent) => {
      const ports = { factsOf: (model: string) => factsOfModel(model), wording: englishWording, now };
      return (await sessions.page(agent, 50)).sessions.map((one) => {
        const { description, details } = sessionRow(one, ports);
        return [description, details.at(-1)];
      });
    };

    it("show Roo Code's meter, which follows the neighbouring file", async () => {
      const storage = '.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t1';
      const task = JSON.stringify(rooTask.conversation);
      await write(`${storage}/api_conversation_history.json`, 60, task);
      await write(`${storage}/ui_messages.json`, 50, JSON.stringify(rooTask.shown));
      const sessions = catalogue();
      await sessions.list();
      expect(await rows(sessions, 'roo-code')).toEqual([
        ['0% · 50 minutes ago', '120 of 200,000 tokens (0%)'],
      ]);
      const shown = JSON.stringify([
        ...rooTask.shown,
        { ...rooAnswered, text: '{"tokensIn":100000,"tokensOut":9}' },
      ]);
      const changed = await write(`${storage}/ui_messages.json`, 40, shown);
      expect(await sessions.lookAt([changed])).toBe(true);
      expect(await rows(sessions, 'roo-code')).toEqual([
        ['50% · 40 minutes ago', '100,009 of 200,000 tokens (50%)'],
      ]);
    });

    it('show tokens without a percentage if the window is unknown', async () => {
      const storage = '.config/Code/User/globalStorage/kilocode.kilo-code/tasks/t1';
      const task = JSON.stringify(rooTask.conversation).replace('claude-sonnet-4-5', 'somebody/new-model');
      await write(`${storage}/api_conversation_history.json`, 60, task);
      await write(`${storage}/ui_messages.json`, 60, JSON.stringify(rooTask.shown));
      const sessions = catalogue();
      await sessions.list();
      expect(await rows(sessions, 'kilo-code')).toEqual([['120 tokens · 1 hour ago', '120 tokens']]);
    });

    it("show the meter of the last reply in opencode's database, which is read again after a change", async () => {
      const tokens = { input: 20_000, output: 400, reasoning: 0, cache: { read: 79_600, write: 0 } };
      const info = { role: 'assistant', modelID: 'claude-sonnet-4-5', tokens };
      const database = join(home, '.local/share/opencode/opencode.db');
      await mkdir(join(database, '..'), { recursive: true });
      const messages = [
        { info: { role: 'user' }, parts: [] },
        { info, parts: [] },
      ];
      writeOpencodeDatabase(database, [
        { id: 'ses_1', title: 'a', changedAt: now - 60 * minute, messages },
        { id: 'ses_2', title: 'b', changedAt: now - 90 * minute },
      ]);
      const sessions = catalogue();
      await sessions.list();
      expect(await rows(sessions, 'opencode')).toEqual([
        ['50% · 1 hour ago', '100,000 of 200,000 tokens (50%)'],
        ['1 hour ago', expect.stringContaining('#ses_2')],
      ]);
      await rm(database);
      const summary = { info: { ...info, summary: true }, parts: [] };
      writeOpencodeDatabase(database, [
        { id: 'ses_1', title: 'a', changedAt: now - 60 * minute, messages: [...messages, summary] },
      ]);
      await sessions.list();
      expect((await rows(sessions, 'opencode')).map(([description]) => description)).toEqual(['1 hour ago']);
    });

    it('show the meter of the messages that opencode keeps in files next to a session', async () => {
      const storage = '.local/share/opencode/storage';
      await write(`${storage}/session/p1/ses_1.json`, 60, '{"id":"ses_1","title":"a"}');
      const tokens = { input: 100_000, output: 1, cache: { read: 0, write: 0 } };
      const reply = { role: 'assistant', modelID: 'claude-sonnet-4-5', tokens };
      await write(`${storage}/message/ses_1/msg_1.json`, 60, JSON.stringify(reply));
      await write(`${storage}/message/ses_1/msg_2.json`, 60, '{"role":"user"}');
      const sessions = catalogue();
      await sessions.list();
      expect(await rows(sessions, 'opencode')).toMatchObject([
        ['50% · 1 hour ago', '100,001 of 200,000 tokens (50%)'],
      ]);
    });

    it('show the meter for the window that VS Code states for the model', async () => {
      const chats = '.config/Code/User/workspaceStorage/w1/chatSessions';
      const line = (value: object) => `${JSON.stringify(value)}\n`;
      const chat = (selectedModel: object | undefined) =>
        line({ kind: 0, v: { version: 3, inputState: { selectedModel }, requests: [] } }) +
        line({
          kind: 2,
          k: ['requests'],
          v: [{ requestId: 'q1', message: { text: 'hi' }, modelId: 'copilot/claude-sonnet-4.5' }],
        }) +
        line({
          kind: 1,
          k: ['requests', 0, 'result'],
          v: { metadata: { promptTokens: 63_000, outputTokens: 500 } },
        });
      const metadata = { maxInputTokens: 111_000, maxOutputTokens: 16_000 };
      await write(`${chats}/a.jsonl`, 60, chat({ identifier: 'copilot/claude-sonnet-4.5', metadata }));
      await write(`${chats}/b.jsonl`, 120, chat(undefined));
      const sessions = catalogue();
      await sessions.list();
      expect(await rows(sessions, 'copilot-chat')).toEqual([
        ['50% · 1 hour ago', '63,500 of 127,000 tokens (50%)'],
        ['63,500 tokens · 2 hours ago', '63,500 tokens'],
      ]);
    });
  });

  describe('about the open folder', () => {
    const codex = (title: string, cwd: string) =>
      [
        // Longer than the first part that is read of a file.
        {
          type: 'session_meta',
          payload: { id: title, cwd, base_instructions: { text: 'x'.repeat(20_000) } },
        },
        {
          type: 'response_item',
          payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: title }] },
        },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');
    const titles = async (sessions: SessionCatalogue) =>
      (await sessions.ofWorkspace(50)).sessions.map(({ title }) => title);

    it('are found for all agents, no matter how many newer sessions there are', async () => {
      for (let index = 0; index < 60; index++) {
        const path = `.codex/sessions/2026/02/03/rollout-new-${index}.jsonl`;
        await write(path, 1, codex(`new ${index}`, '/other'));
      }
      await write('.codex/sessions/2025/02/03/rollout-old.jsonl', 300, codex('old Codex', workspace));
      await write('.claude/projects/-projects-lock/c.jsonl', 500, claude('old Claude', workspace));
      const sessions = catalogue();
      await sessions.list();
      expect(await titles(sessions)).toEqual(['old Claude']);
      await sessions.readAll();
      expect(await titles(sessions)).toEqual(['old Codex', 'old Claude']);
      expect(sessions.countOfWorkspace).toBe(2);
      expect((await sessions.page('codex', 1)).sessions[0]!.title).toBe('old Codex');
    });

    it('of Claude Code are recognised by their folder alone until they are read', async () => {
      await write(
        '.claude/projects/-projects-lock/c.jsonl',
        500,
        claude('in /projects-lock', '/projects-lock'),
      );
      const sessions = catalogue();
      await sessions.list();
      expect(sessions.countOfWorkspace).toBe(1);
      expect(await titles(sessions)).toEqual([]);
      expect(sessions.countOfWorkspace).toBe(0);
    });
  });

  it('can all be searched, and each session is read once', async () => {
    for (let index = 0; index < 300; index++) {
      await write(`.claude/projects/-other/${index}.jsonl`, index, claude(`number ${index}`, '/other'));
    }
    await write('.claude/projects/-projects-lock/c.jsonl', 999, claude('here', workspace));
    await write('.claude/projects/-projects-lock/c/subagents/agent-1.jsonl', 8, claude('task', workspace));
    const sessions = catalogue();
    await sessions.list();
    await sessions.readAll();
    await sessions.readAll();
    const all = await sessions.all();
    expect(all.map(({ title }) => title).slice(0, 3)).toEqual(['here', 'task', 'number 0']);
    expect(all).toHaveLength(302);
    expect(all[1]!.parent).toBe(all[0]!.path);
    expect(reads).toHaveLength(302);
  });

  describe('after a change', () => {
    it('are read without the other sessions', async () => {
      await write('.claude/projects/-other/a.jsonl', 9, claude('first', '/other'));
      const sessions = catalogue();
      await sessions.list();
      const titles = async () => (await sessions.page('claude-code', 9)).sessions.map(({ title }) => title);
      const path = await write('.claude/projects/-other/b.jsonl', 1, claude('second', '/other'));
      expect(await titles()).toEqual(['first']);
      expect(await sessions.lookAt([path, join(home, '.claude/projects/-other/notes.txt')])).toBe(true);
      expect(await titles()).toEqual(['second', 'first']);
      await rm(path);
      expect(await sessions.lookAt([path])).toBe(true);
      expect(await titles()).toEqual(['first']);
      expect(await sessions.lookAt([join(home, '.claude/projects/-other/notes.txt'), home])).toBe(false);
    });

    it('disappear and return with their folder', async () => {
      await write('.claude/projects/-other/a.jsonl', 9, claude('first', '/other'));
      const sessions = catalogue();
      await sessions.list();
      const folder = join(home, '.claude/projects/-other');
      await rename(folder, join(home, 'elsewhere'));
      expect(await sessions.lookAt([folder])).toBe(true);
      expect(await sessions.listOnce()).toEqual([]);
      await rename(join(home, 'elsewhere'), folder);
      expect(await sessions.lookAt([folder])).toBe(true);
      expect(await sessions.listOnce()).toMatchObject([{ agent: 'claude-code', count: 1 }]);
    });
  });

  it('are listed once if a link leads to the same folder', async () => {
    await write('.claude/projects/-other/a.jsonl', 9, claude('first', '/other'));
    await mkdir(join(home, '.config'));
    await symlink(join(home, '.claude'), join(home, '.config/claude'));
    expect(await catalogue().list()).toMatchObject([{ count: 1 }]);
  });

  it('are omitted if they are unreadable, links, or empty', async () => {
    const path = await write('.claude/projects/-other/a.jsonl', 9, claude('first', '/other'));
    await symlink(path, join(home, '.claude/projects/-other/b.jsonl'));
    await write('.claude/projects/-other/c.jsonl', 9, '');
    await mkdir(join(home, '.claude/projects/-other/d.jsonl'));
    const sessions = catalogue();
    expect(await sessions.list()).toMatchObject([{ count: 1 }]);
    await rm(path);
    expect((await sessions.page('claude-code', 9)).sessions).toEqual([]);
  });

  it('are listed as growing if they grow in the open folder, newest first', async () => {
    await write('.claude/projects/-other/a.jsonl', 0, claude('elsewhere', '/other'));
    await write('.claude/projects/-projects-lock/b.jsonl', 1, claude('here', workspace));
    await write('.claude/projects/-projects-lock/c.jsonl', 2, claude('here, earlier', workspace));
    await write('.claude/projects/-projects-lock/d.jsonl', -60, claude('in an hour', workspace));
    const sessions = catalogue();
    await sessions.list();
    const titles = async (at: number) => (await sessions.growing(at)).map(({ title }) => title);
    expect(await titles(now)).toEqual(['here', 'here, earlier']);
    expect(await titles(now + 30 * minute)).toEqual([]);
  });

  describe('that continue after a pause', () => {
    const idle = async (sessions: SessionCatalogue) => (await sessions.growing(now)).map((one) => one.idle);

    it('keep the state from before the pause, no matter how often they change later', async () => {
      const name = '.claude/projects/-projects-lock/b.jsonl';
      const before = claude('here', workspace);
      await write(name, 60, before);
      const sessions = catalogue();
      await sessions.list();
      const was = { size: before.length, changedAt: now - 60 * minute };
      expect(await sessions.lookAt([await write(name, 2, `${before}{}\n`)])).toBe(true);
      expect(await idle(sessions)).toEqual([was]);
      await sessions.lookAt([await write(name, 1, `${before}{}\n{}\n`)]);
      expect(await idle(sessions)).toEqual([was]);
      await write(name, 0, `${before}{}\n{}\n{}\n`);
      await sessions.list();
      expect(await idle(sessions)).toEqual([was]);
    });

    it('have no idle state if they were missing, or were growing when first seen', async () => {
      await write('.claude/projects/-projects-lock/a.jsonl', 1, claude('going on', workspace));
      const sessions = catalogue();
      await sessions.list();
      const name = '.claude/projects/-projects-lock/b.jsonl';
      await sessions.lookAt([await write(name, 2, claude('new', workspace))]);
      await sessions.lookAt([await write(name, 0, claude('new', workspace))]);
      expect(await idle(sessions)).toEqual([undefined, undefined]);
    });

    it('keep the last sessions of an unreadable database, with the reason, until it is readable again', async () => {
      const database = join(home, '.local/share/opencode/opencode.db');
      await mkdir(join(database, '..'), { recursive: true });
      writeOpencodeDatabase(database, [{ id: 'ses_1', title: 'a', changedAt: now }]);
      const sessions = new SessionCatalogue({
        places: sessionPlaces({ home, platform: 'linux', environment: {} }),
        folders: ['/projects/here'],
      });
      await sessions.list();
      const whole = await readFile(database);
      await writeFile(database, 'no database'.repeat(900));
      expect(await sessions.lookAtAll()).toBe(true);
      expect(sessions.problems).toMatchObject([{ agent: 'opencode', path: database }]);
      expect((await sessions.page('opencode', 9)).sessions).toHaveLength(1);
      expect(await sessions.lookAtAll()).toBe(false);
      await writeFile(database, whole);
      expect(await sessions.lookAtAll()).toBe(true);
      expect(sessions.problems).toEqual([]);
    });

    it('have their idle state in a database too', async () => {
      const database = join(home, '.local/share/opencode/opencode.db');
      await mkdir(join(database, '..'), { recursive: true });
      const changedAt = (age: number) => ({ id: 'ses_1', title: 'a', changedAt: now - age * minute });
      writeOpencodeDatabase(database, [changedAt(60)]);
      const sessions = new SessionCatalogue({
        places: sessionPlaces({ home, platform: 'linux', environment: {} }),
        folders: ['/projects/here'],
      });
      await sessions.list();
      await rm(database);
      writeOpencodeDatabase(database, [changedAt(1)]);
      await sessions.lookAt([database]);
      expect(await idle(sessions)).toEqual([{ size: 0, changedAt: now - 60 * minute }]);
    });
  });
});
