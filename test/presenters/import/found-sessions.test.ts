import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import {
  findSessions,
  type FoundSession,
  hasSessions,
  sessionGroups,
} from '../../../src/presenters/import/found-sessions.ts';
import { sessionPlaces } from '../../../src/transcripts/session-places.ts';

describe('found sessions', () => {
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
    const find = (folders: readonly string[] = [], signal = new AbortController().signal) =>
      findSessions(sessionPlaces({ home, platform: 'linux', environment: {} }), folders, signal);
    const titles = async (folders: readonly string[] = []) => (await find(folders)).map(({ title }) => title);

    it('are there or not, by the names of files alone', async () => {
      const { signal } = new AbortController();
      const has = () => hasSessions(sessionPlaces({ home, platform: 'linux', environment: {} }), signal);
      expect(await has()).toBe(false);
      await write('.claude/projects/p/s1.jsonl', 'not looked into');
      expect(await has()).toBe(true);
    });

    it('are those of all four agents, the newest first', async () => {
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

    it('of Claude Code have their sub-agents behind them, in whichever folder these are', async () => {
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

    it('come with their path, folder, time and size', async () => {
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

    it('of the open folder, and of folders in it, come first', async () => {
      await write('.claude/projects/a/1.jsonl', claudeCode('here', '/projects/here'));
      await write('.claude/projects/a/2.jsonl', claudeCode('below', '/projects/here/below'));
      await write('.claude/projects/a/3.jsonl', claudeCode('beside', '/projects/here-too'));
      await write('.claude/projects/a/4.jsonl', claudeCode('above', '/work'));
      expect(await titles(['/projects/here'])).toEqual(['below', 'here', 'above', 'beside']);
    });

    it('of Gemini CLI are known by the hash of the folder, or by the file that names it', async () => {
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

    it('are not looked for through links, not even in circles', async () => {
      await write('elsewhere/a.jsonl', claudeCode('linked'));
      await write('.claude/projects/own/b.jsonl', claudeCode('own'));
      await symlink(join(home, 'elsewhere'), join(home, '.claude/projects/linked'));
      await symlink(join(home, 'elsewhere/a.jsonl'), join(home, '.claude/projects/own/c.jsonl'));
      await symlink(join(home, '.claude/projects'), join(home, '.claude/projects/own/loop'));
      await symlink(join(home, '.claude/projects'), join(home, '.claude/projects/loop'));
      expect(await titles()).toEqual(['own']);
    });

    it('are files that are not empty, deeper folders and other names aside', async () => {
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

    it('have no title where the file is broken', async () => {
      await write('.claude/projects/own/a.jsonl', '{"type":"us');
      await write(`${clineTasks}/1/api_conversation_history.json`, '\u0000\u0000');
      expect(await titles()).toEqual([undefined, undefined]);
    });

    it('have a title of one line that fits', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode(`${'long '.repeat(100)}\nsecond line`));
      const [title = ''] = await titles();
      expect(title).toMatch(/^long .*…$/);
      expect(title.length).toBeLessThanOrEqual(60);
    });

    it('are told by their first 64 kB', async () => {
      const far = 'x'.repeat(70_000);
      await write('.claude/projects/own/a.jsonl', `${claudeCode('near')}\n${far}`);
      await write('.claude/projects/own/b.jsonl', `${far}\n${claudeCode('far')}`);
      expect(await titles()).toEqual([undefined, 'near']);
    });

    it.skipIf(process.getuid?.() === 0)('are left out where they cannot be read', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode('secret'));
      await write('.claude/projects/locked/b.jsonl', claudeCode('locked in'));
      await write('.claude/projects/own/c.jsonl', claudeCode('open'));
      await chmod(join(home, '.claude/projects/own/a.jsonl'), 0);
      await chmod(join(home, '.claude/projects/locked'), 0);
      const found = await titles();
      await chmod(join(home, '.claude/projects/locked'), 0o700);
      expect(found).toEqual(['open']);
    });

    it('are the newest 500 where there are more', async () => {
      for (let index = 0; index < 502; index++) {
        await write(`.claude/projects/own/${index}.jsonl`, claudeCode(`number ${index}`));
      }
      const found = await titles();
      expect([found.length, found[0], found.at(-1)]).toEqual([500, 'number 501', 'number 2']);
    });

    it('are not looked for any more once that is cancelled', async () => {
      await write('.claude/projects/own/a.jsonl', claudeCode('any'));
      await expect(find([], AbortSignal.abort())).rejects.toThrow(CancelledError);
    });
  });
});

describe('session groups', () => {
  const now = Date.UTC(2026, 0, 10);
  const session = (more: Partial<FoundSession>): FoundSession => ({
    agent: 'codex',
    path: '/sessions/rollout-1.jsonl',
    title: 'Tidy up',
    workspace: '/projects/here',
    isOfWorkspace: false,
    changedAt: now,
    size: 1_000,
    ...more,
  });
  const lineOf = (more: Partial<FoundSession>) => sessionGroups([session(more)], now, 'en')[0]!.lines[0]!;

  describe('the list of sessions', () => {
    it('has a group for each agent, in the order of the sessions', () => {
      const groups = sessionGroups(
        [
          session({ agent: 'cline', title: 'one' }),
          session({ agent: 'codex', title: 'two' }),
          session({ agent: 'cline', title: 'three' }),
        ],
        now,
        'en',
      );
      expect(groups.map(({ title, lines }) => [title, ...lines.map(({ label }) => label)])).toEqual([
        ['Cline', 'one', 'three'],
        ['Codex', 'two'],
      ]);
    });

    it.each([
      [now, 1_000, 'this minute, 1 kB'],
      [now - 59 * 60_000, 10, '59 minutes ago, 1 kB'],
      [now - 5 * 3_600_000, 64_400, '5 hours ago, 64 kB'],
      [now - 24 * 3_600_000, 1_250_000, 'yesterday, 1.3 MB'],
      [now - 9 * 24 * 3_600_000, 104_000_000, '9 days ago, 104 MB'],
      [now + 60_000, 1_000, 'this minute, 1 kB'],
    ])('says how old and how large a session is (%d, %d)', (changedAt, size, description) => {
      expect(lineOf({ changedAt, size }).description).toBe(description);
    });

    it('marks the sub-agents of a session', () => {
      expect(lineOf({ title: 'Find it', parent: '/sessions/s.jsonl' }).label).toBe('↳ Find it');
    });

    it('has the name of the file for a title, and its path for a folder, where there is none', () => {
      expect(lineOf({ title: undefined, workspace: undefined })).toMatchObject({
        label: 'rollout-1.jsonl',
        detail: '/sessions/rollout-1.jsonl',
      });
    });
  });
});
