import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { writeOpencodeDatabase } from '../../support/agents/opencode-database.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';

describe('foundSessions', () => {
  const lines = (...events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
  const claudeCode = (title: string, cwd = '/projects/elsewhere') =>
    lines({ type: 'user', parentUuid: null, sessionId: 's', cwd, message: { role: 'user', content: title } });
  const codex = (title: string) =>
    lines(
      { type: 'session_meta', payload: { id: 's', cwd: '/projects/elsewhere' } },
      { type: 'event_msg', payload: { type: 'user_message', message: title } },
    );
  const gemini = (title: string, header: object = {}) =>
    lines({ sessionId: 's', projectHash: 'unknown', ...header }, { id: 'u1', type: 'user', content: title });
  const cline = (title: string) =>
    JSON.stringify([{ role: 'user', content: [{ type: 'text', text: `<task>${title}</task>` }] }]);
  const clineTasks = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks';

  describe('sessions on this computer', () => {
    let home: string;
    let clock: number;
    beforeEach(async () => {
      home = await mkdtemp(join(tmpdir(), 'home-'));
      clock = Date.UTC(2026, 0, 1) / 1_000;
    });
    afterEach(() => rm(home, { recursive: true }));

    /** Each file is an hour younger than the one before it. */
    async function write(path: string, text: string): Promise<void> {
      const file = join(home, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      clock += 3_600;
      await utimes(file, clock, clock);
    }
    const find = async (folders: readonly string[] = [], signal = new AbortController().signal) => {
      const places = sessionPlaces({ home, platform: 'linux', environment: {} });
      const catalogue = new SessionCatalogue({ places, folders });
      await catalogue.list(signal);
      await catalogue.readAll(signal);
      return catalogue.all(signal);
    };
    const titles = async (folders: readonly string[] = []) => (await find(folders)).map(({ title }) => title);

    it('are the sessions of all agents, newest first', async () => {
      await write('.claude/projects/-work/a.jsonl', claudeCode('by Claude Code'));
      await write('.codex/sessions/2026/01/02/rollout-1.jsonl', codex('by Codex'));
      await write('.gemini/tmp/project/chats/session-1.jsonl', gemini('by Gemini'));
      await write('.gemini/tmp/project/checkpoint-x.json', '[{"role":"user","parts":[{"text":"saved"}]}]');
      await write(`${clineTasks}/1/api_conversation_history.json`, cline('by Cline'));
      expect((await find()).map(({ agent, title }) => [agent, title])).toEqual([
        ['cline', 'by Cline'],
        ['gemini-cli', 'saved'],
        ['gemini-cli', 'by Gemini'],
        ['codex', 'by Codex'],
        ['claude-code', 'by Claude Code'],
      ]);
    });

    it('of Cline since version 4 belong, with their sub-agents, to the folder named in the neighbouring file', async () => {
      const session = (sessionId: string, title: string, agent: string) =>
        JSON.stringify({ version: 1, agent, sessionId, messages: [{ role: 'user', content: title }] });
      const sessions = '.cline/data/sessions/17_a';
      await write(`${sessions}/17_a.messages.json`, session('17_a', 'by Cline', 'lead'));
      await write(`${sessions}/agent_1.messages.json`, session('17_a__agent_1', 'a part of it', 'subagent'));
      await write(`${sessions}/17_a.compaction.json`, '{"version":1}');
      const manifest = {
        version: 1,
        session_id: '17_a',
        model: 'x',
        cwd: '/else',
        workspace_root: '/projects/here',
      };
      await write(`${sessions}/17_a.json`, JSON.stringify(manifest, undefined, 2));
      const found = await find();
      expect(found.map(({ title, workspace }) => [title, workspace])).toEqual([
        ['by Cline', '/projects/here'],
        ['a part of it', '/projects/here'],
      ]);
      expect(found[1]?.parent).toBe(found[0]?.path);
    });

    it('of Claude Code are followed by their sub-agents, in any folder', async () => {
      const subAgent = (task: string, sessionId: string) =>
        lines({ type: 'user', parentUuid: null, isSidechain: true, sessionId, message: { content: task } });
      await write('.claude/projects/-work/s1.jsonl', claudeCode('first'));
      await write('.claude/projects/-work/agent-a.jsonl', subAgent('beside', 's1'));
      await write('.claude/projects/-work/s2.jsonl', claudeCode('second'));
      await write('.claude/projects/-work/s1/subagents/agent-b.jsonl', subAgent('below', 'other'));
      await write('.claude/projects/-work/agent-c.jsonl', subAgent('of nobody', 's9'));
      const parent = join(home, '.claude/projects/-work/s1.jsonl');
      expect((await find()).map((session) => [session.title, session.parent])).toEqual([
        ['second', undefined],
        ['first', undefined],
        ['below', parent],
        ['beside', parent],
      ]);
    });

    it('are listed with their path, folder, time and size', async () => {
      const text = claudeCode('Tidy up');
      await write('.claude/projects/-work/a.jsonl', text);
      expect(await find()).toEqual([
        {
          agent: 'claude-code',
          path: join(home, '.claude/projects/-work/a.jsonl'),
          title: 'Tidy up',
          workspace: '/projects/elsewhere',
          isOfWorkspace: false,
          changedAt: clock * 1_000,
          size: text.length,
        },
      ]);
    });

    it('of the open folder and of its subfolders come first', async () => {
      await write('.claude/projects/a/1.jsonl', claudeCode('here', '/projects/here'));
      await write('.claude/projects/a/2.jsonl', claudeCode('below', '/projects/here/below'));
      await write('.claude/projects/a/3.jsonl', claudeCode('beside', '/projects/here-too'));
      await write('.claude/projects/a/4.jsonl', claudeCode('above', '/work'));
      expect(await titles(['/projects/here'])).toEqual(['below', 'here', 'above', 'beside']);
    });

    it('of Gemini CLI are assigned to a folder by the hash of the folder, or by the file that names it', async () => {
      const hash = createHash('sha256').update('/projects/here').digest('hex');
      await write('.gemini/tmp/here/chats/session-1.jsonl', gemini('by its hash', { projectHash: hash }));
      await write(
        `.gemini/tmp/${hash}/checkpoint-a.json`,
        '[{"role":"user","parts":[{"text":"by its folder"}]}]',
      );
      await write('.gemini/tmp/other/.project_root', '/projects/here\n');
      await write('.gemini/tmp/other/chats/session-1.jsonl', gemini('by its file'));
      await write('.gemini/tmp/third/chats/session-1.jsonl', gemini('of another'));
      const found = await find(['/projects/here']);
      expect(found.map(({ title, workspace }) => [title, workspace])).toEqual([
        ['by its file', '/projects/here'],
        ['by its folder', '/projects/here'],
        ['by its hash', '/projects/here'],
        ['of another', undefined],
      ]);
    });

    it('of Gemini CLI are followed by the sessions that they started, one per file', async () => {
      const id = '9822a15c-7ae0-4e18-a4c8-14b0c3db4114';
      const chats = `.gemini/tmp/here/chats`;
      const context = { id: 'u0', type: 'user', content: '<session_context>\nToday\n</session_context>' };
      const resumed = lines({ sessionId: id, projectHash: 'p' }, { $set: { messages: [context] } });
      const said = { id: 'u1', type: 'user', content: 'main' };
      await write(`${chats}/session-1-9822a15c.jsonl`, `${resumed}\n${lines(said)}`);
      await write(`${chats}/${id}/7324a7aa.jsonl`, gemini('task', { kind: 'subagent' }));
      await write(`${chats}/lost/7324a7aa.jsonl`, gemini('of none', { kind: 'subagent' }));
      await write(`${chats}/session-2-9822a15c.jsonl`, resumed);
      await write(`${chats}/session-3-aaaaaaaa.jsonl`, resumed);
      expect((await find()).map(({ title, parent }) => [title, parent])).toEqual([
        ['main', undefined],
        ['task', join(home, chats, 'session-1-9822a15c.jsonl')],
      ]);
    });

    it('of Codex are followed by the sessions that they started', async () => {
      const id = (digit: number) => `0000000${digit}-0000-7000-8000-000000000000`;
      const rollout = (title: string, source: unknown) =>
        `${JSON.stringify({ type: 'session_meta', payload: { cwd: '/w', source } })}\n${codex(title)}`;
      const startedBy = (parent: number) => ({
        subagent: { thread_spawn: { parent_thread_id: id(parent), depth: 1 } },
      });
      const folder = '.codex/sessions/2026/01/02';
      await write(`${folder}/rollout-2026-01-02T10-00-00-${id(1)}.jsonl`, rollout('first', 'cli'));
      await write(`${folder}/rollout-2026-01-02T10-01-00-${id(2)}.jsonl`, rollout('helper', startedBy(1)));
      await write(`${folder}/rollout-2026-01-02T10-02-00-${id(3)}.jsonl`, rollout('deeper', startedBy(2)));
      await write(`${folder}/rollout-2026-01-02T10-03-00-${id(4)}.jsonl`, rollout('of nobody', startedBy(9)));
      await write(`${folder}/rollout-2026-01-02T10-04-00-${id(5)}.jsonl`, rollout('second', 'vscode'));
      await write(`${folder}/rollout-2026-01-02T10-05-00-${id(6)}.jsonl`, rollout('itself', startedBy(6)));
      expect(await titles()).toEqual(['second', 'first', 'helper', 'deeper']);
    });

    it("of Copilot Chat belong to the folder in the editor's neighbouring file", async () => {
      const chat = (title: string) =>
        JSON.stringify({ version: 3, requests: [{ message: { text: title } }] });
      const user = '.config/Code/User';
      const workspace = (name: string) => `${user}/workspaceStorage/${name}`;
      await write(`${workspace('a')}/workspace.json`, '{"folder":"file:///projects/two%20words"}');
      await write(`${workspace('a')}/chatSessions/1.json`, chat('here'));
      await write(`${workspace('b')}/workspace.json`, '{"folder":"vscode-remote://ssh/projects/far"}');
      await write(`${workspace('b')}/chatSessions/2.json`, chat('far'));
      await write(`${workspace('c')}/workspace.json`, 'broken');
      await write(`${workspace('c')}/chatSessions/3.json`, chat('anywhere'));
      await write(`${user}/globalStorage/emptyWindowChatSessions/4.json`, chat('without a folder'));
      expect((await find(['/projects/two words'])).map((found) => [found.title, found.workspace])).toEqual([
        ['here', '/projects/two words'],
        ['without a folder', undefined],
        ['anywhere', undefined],
        ['far', '/projects/far'],
      ]);
    });

    it('of opencode are found in files and in database rows, with their sub-agents', async () => {
      const info = (title: string, more: object = {}) =>
        JSON.stringify({ title, directory: '/projects/here', ...more });
      const sessions = '.local/share/opencode/storage/session/p1';
      await write(`${sessions}/ses_1.json`, info('in a file'));
      await write(`${sessions}/ses_2.json`, info('started by it', { parentID: 'ses_1' }));
      const database = join(home, '.local/share/opencode/opencode.db');
      const changedAt = clock * 1_000 + 1;
      writeOpencodeDatabase(database, [
        { id: 'ses_3', title: 'in a row', changedAt },
        { id: 'ses_4', title: 'started by the row', changedAt, parent: 'ses_3' },
      ]);
      expect((await find()).map(({ agent, title, path }) => [agent, title, path])).toEqual([
        ['opencode', 'in a row', `${database}#ses_3`],
        ['opencode', 'started by the row', `${database}#ses_4`],
        ['opencode', 'in a file', join(home, sessions, 'ses_1.json')],
        ['opencode', 'started by it', join(home, sessions, 'ses_2.json')],
      ]);
    });

    it('of Kilo Code are found as tasks and as sessions in the form of opencode', async () => {
      const tasks = '.config/Code/User/globalStorage/kilocode.kilo-code/tasks';
      await write(`${tasks}/1/api_conversation_history.json`, cline('a task'));
      await write('.local/share/kilo/storage/session/p/ses_1.json', JSON.stringify({ title: 'a session' }));
      await write('.local/share/kilo/kilo.db', 'no database');
      expect((await find()).map(({ agent, title }) => [agent, title])).toEqual([
        ['kilo-code', 'a session'],
        ['kilo-code', 'a task'],
      ]);
    });

    it('are not found through links, even circular ones', async () => {
      await write('elsewhere/a.jsonl', claudeCode('linked'));
      await write('.claude/projects/own/b.jsonl', claudeCode('own'));
      await symlink(join(home, 'elsewhere'), join(home, '.claude/projects/linked'));
      await symlink(join(home, 'elsewhere/a.jsonl'), join(home, '.claude/projects/own/c.jsonl'));
      await symlink(join(home, '.claude/projects'), join(home, '.claude/projects/own/loop'));
      await symlink(join(home, '.claude/projects'), join(home, '.claude/projects/loop'));
      expect(await titles()).toEqual(['own']);
    });

    it('exclude empty files, deeper folders and other names', async () => {
      await mkdir(join(home, '.claude/projects/own/folder.jsonl'), { recursive: true });
      await write('.claude/projects/own/folder.jsonl/deep.jsonl', claudeCode('too deep'));
      await write('.claude/projects/own/empty.jsonl', '');
      await write('.claude/projects/own/agent-1.jsonl', claudeCode('of a subagent'));
      await write('.claude/projects/own/notes.md', claudeCode('notes'));
      await write('.codex/sessions/2026/1/02/rollout-1.jsonl', codex('no date'));
      await write('.gemini/tmp/p/chats/parent/session-1.jsonl', gemini('of a subagent'));
      await write('.gemini/tmp/p/logs.json', '[]');
      expect(await find()).toEqual([]);
    });

    it('have no title if the file is broken', async () => {
      await write('.claude/projects/own/a.jsonl', '{"type":"us');
      await write(`${clineTasks}/1/api_conversation_history.json`, '\u0000\u0000');
      expect(await titles()).toEqual([undefined, undefined]);
    });

    it('have a title of one line and at most 60 characters', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode(`${'long '.repeat(100)}\nsecond line`));
      const [title = ''] = await titles();
      expect(title).toMatch(/^long .*…$/);
      expect(title.length).toBeLessThanOrEqual(60);
    });

    it('have the title found in their first 64 kB', async () => {
      const far = 'x'.repeat(70_000);
      await write('.claude/projects/own/a.jsonl', `${claudeCode('near')}\n${far}`);
      await write('.claude/projects/own/b.jsonl', `${far}\n${claudeCode('far')}`);
      expect(await titles()).toEqual([undefined, 'near']);
    });

    it.skipIf(process.getuid?.() === 0)('are omitted if they cannot be read', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode('secret'));
      await write('.claude/projects/locked/b.jsonl', claudeCode('locked in'));
      await write('.claude/projects/own/c.jsonl', claudeCode('open'));
      await chmod(join(home, '.claude/projects/own/a.jsonl'), 0);
      await chmod(join(home, '.claude/projects/locked'), 0);
      const found = await titles();
      await chmod(join(home, '.claude/projects/locked'), 0o700);
      expect(found).toEqual(['open']);
    });

    it('are not searched further after cancellation', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode('any'));
      await expect(find([], AbortSignal.abort())).rejects.toThrow(CancelledError);
    });
  });
});
