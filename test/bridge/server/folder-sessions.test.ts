import { appendFile, mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderSessions } from '../../../src/bridge/server/folder-sessions.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';

const { platform } = process;
const never = new AbortController().signal;

describe('the sessions of a folder', () => {
  let home: string;
  let folder: string;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'folder-sessions-')));
    folder = join(home, 'printer');
    await mkdir(folder);
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const sessions = () => {
    const places = sessionPlaces({ home, platform: 'linux', environment: {} });
    return new FolderSessions(places, {} as never, () => Promise.resolve([folder]));
  };
  const listed = async (of: FolderSessions) =>
    (await of.list(undefined, never)).map(({ path, title, changedAt }) => ({ path, title, changedAt }));
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const lines = (...events: readonly object[]) =>
    events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const claude = (title: string, cwd = folder) =>
    lines({ type: 'user', cwd, sessionId: title, message: { role: 'user', content: title } });
  const codex = (title: string, cwd = folder) =>
    lines(
      { type: 'session_meta', payload: { id: title, cwd } },
      { type: 'event_msg', payload: { type: 'user_message', message: title } },
    );
  const projectOf = (path: string) => path.replaceAll(/[^a-zA-Z\d]/g, '-');

  it('are found behind any number of newer sessions of other folders', async () => {
    await write('.codex/sessions/2025/02/03/rollout-old.jsonl', codex('old Codex'));
    await write(`.claude/projects/${projectOf(folder)}/old.jsonl`, claude('old Claude'));
    for (let index = 0; index < 510; index++) {
      await write(`.codex/sessions/2026/02/03/rollout-${index}.jsonl`, codex('new', '/other'));
      await write(`.claude/projects/-other/${index}.jsonl`, claude('new', '/other'));
    }
    const found = await listed(sessions());
    expect(found.map(({ title }) => title).toSorted()).toEqual(['old Claude', 'old Codex']);
  });

  it('of Claude Code are found by the text of their file if the name of its folder does not tell', async () => {
    await write(
      `.claude/projects/${projectOf(join(folder, 'src'))}/a.jsonl`,
      claude('below', join(folder, 'src')),
    );
    await write('.claude/projects/printer/b.jsonl', claude('other name'));
    await write(`.claude/projects/${projectOf(folder)}/c.jsonl`, claude('elsewhere', '/other'));
    const found = await listed(sessions());
    expect(found.map(({ title }) => title).toSorted()).toEqual(['below', 'other name']);
  });

  /** Changes of files and folders, each on top of those before. */
  const changes = (): Readonly<Record<string, () => Promise<unknown>>> => {
    const project = join(home, '.claude/projects', projectOf(folder));
    const day = join(home, '.codex/sessions/2026/02/03');
    return {
      'nothing yet': () => Promise.resolve(),
      'the first agent': () => write(`.claude/projects/${projectOf(folder)}/a.jsonl`, claude('a')),
      'another session': () => writeFile(join(project, 'b.jsonl'), claude('b')),
      'a longer session': () => appendFile(join(project, 'a.jsonl'), claude('more')),
      'a session that is replaced': async () => {
        await writeFile(join(project, 'temporary'), claude('replaced'));
        await rename(join(project, 'temporary'), join(project, 'b.jsonl'));
      },
      'a session of another folder': () => writeFile(join(project, 'c.jsonl'), claude('c', '/other')),
      '… that is rewritten for this folder': () => writeFile(join(project, 'c.jsonl'), claude('c is here')),
      'a renamed session': () => rename(join(project, 'a.jsonl'), join(project, 'd.jsonl')),
      'a deleted session': () => rm(join(project, 'b.jsonl')),
      'a new project': () => write('.claude/projects/other/e.jsonl', claude('e')),
      'a session in the new project': () => write('.claude/projects/other/f.jsonl', claude('f')),
      'a renamed project': () => rename(join(project, '../other'), join(project, '../renamed')),
      'a session in the renamed project': () => write('.claude/projects/renamed/g.jsonl', claude('g')),
      'a project with the name of before': () => write('.claude/projects/other/h.jsonl', claude('h')),
      'a deleted project': () => rm(join(project, '../renamed'), { recursive: true }),
      'two projects that change places': async () => {
        await rename(join(project, '../other'), join(project, '../moved'));
        await rename(project, join(project, '../other'));
        await rename(join(project, '../moved'), project);
      },
      'a session in one of them': () => write('.claude/projects/other/i.jsonl', claude('i')),
      'and in the other': () => writeFile(join(project, 'j.jsonl'), claude('j')),
      'another agent': () => write('.codex/sessions/2026/02/03/rollout-k.jsonl', codex('k')),
      'its next day': () => write('.codex/sessions/2026/02/04/rollout-l.jsonl', codex('l')),
      'its next year': () => write('.codex/sessions/2027/02/04/rollout-m.jsonl', codex('m')),
      'a folder that cannot be read': () => write('.codex/sessions/2028', ''),
      'a folder in place of a file': async () => {
        await rm(join(home, '.codex/sessions/2028'));
        await write('.codex/sessions/2028/01/01/rollout-n.jsonl', codex('n'));
      },
      'an agent that starts anew': async () => {
        await rm(join(home, '.codex/sessions'), { recursive: true });
        await write('.codex/sessions/2026/02/03/rollout-o.jsonl', codex('o'));
      },
      'another session of that agent': () => writeFile(join(day, 'rollout-p.jsonl'), codex('p')),
      'one more': () => writeFile(join(day, 'rollout-q.jsonl'), codex('q')),
      'only sessions of one agent': () => rm(join(home, '.claude'), { recursive: true }),
    };
  };

  afterEach(() => void Object.defineProperty(process, 'platform', { value: platform }));

  it.each([platform, 'darwin'])('are the same after any change as in a new list, on %s', async (name) => {
    Object.defineProperty(process, 'platform', { value: name });
    const asked = sessions();
    for (const [what, change] of Object.entries(changes())) {
      await change();
      expect(await listed(asked), what).toEqual(await listed(sessions()));
    }
    expect(await listed(asked)).toHaveLength(3);
  });
});
