import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import { createContextTools } from '../../src/bridge/server/context-tools.ts';
import { FolderSessions } from '../../src/bridge/server/folder-sessions.ts';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import { sessionPlaces } from '../../src/transcripts/found-agents.ts';
import { agentFolders } from '../harness/foreign-sessions.ts';
import { createMeter } from '../support/engine.ts';
import type { FaultCount } from './support/fault-count.ts';
import { fault } from './support/fault.ts';

const meter = await createMeter();
const never = new AbortController().signal;
const canary = 'canary-of-another-folder';
const own = 'said-in-this-folder';

/**
 * Sessions about other folders, with everything by which they could be mistaken for sessions of the open one.
 */
describe('the extension shows no sessions of another folder', () => {
  let home: string;
  let open: string;
  let other: string;
  let previous: string | undefined;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
    [open, other] = [join(home, 'app'), join(home, 'other')];
    await mkdir(open);
    await mkdir(other);
    previous = process.env['HOME'];
    process.env['HOME'] = home;
    await claude('own', open, own);
  });
  afterEach(async () => {
    if (previous === undefined) delete process.env['HOME'];
    else process.env['HOME'] = previous;
    await rm(home, { recursive: true, force: true });
  });

  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  };
  const linesOf = (...fields: readonly object[]) => fields.map((one) => `${JSON.stringify(one)}\n`).join('');
  const said = (content: unknown) => ({
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's',
    message: { role: 'user', content },
  });
  const claude = (id: string, cwd: unknown, text = `The ${canary}`) =>
    write(`claude/projects/p/${id}.jsonl`, linesOf({ ...said(text), cwd }));

  /** All answers of the server and the editor's tools about the folders. */
  async function answers(folders: readonly string[], ids: readonly string[]): Promise<string> {
    const places = placesIn(home);
    const reading = {
      meterOf: () => meter,
      budget: () => ({ triggerRatio: 0.8, targetRatio: 0.5 }),
      factsOf: factsOfModel,
    };
    const sessions = new FolderSessions(places, reading as never, () => Promise.resolve(folders));
    const count = (texts: readonly string[]) => meter.countTexts(texts);
    const tools = createContextTools({ sessions, agent: () => undefined, count });
    const told = [JSON.stringify(await sessions.list(undefined, never).catch(() => []))];
    for (const session of [undefined, ...ids]) {
      for (const [name, tool] of tools) {
        const input = { query: `${canary} ${own}`, id: 'm1', ...(session !== undefined && { session }) };
        const taken =
          name === 'search_history'
            ? ['query', 'session']
            : name === 'recall'
              ? ['id', 'session']
              : ['session'];
        const given = Object.fromEntries(Object.entries(input).filter(([key]) => taken.includes(key)));
        const { content, isError } = await tool.run(given, never);
        // A refusal repeats its question.
        if (!isError) told.push(content.replace(/matches "[^"]*"/gu, ''));
      }
    }
    return told.join('\n');
  }

  async function tryAll(
    count: FaultCount,
    rows: Readonly<Record<string, () => Promise<unknown>>>,
    opened = () => [open],
  ) {
    for (const [what, prepare] of Object.entries(rows)) {
      await prepare();
      const told = await answers(opened(), [
        's',
        '1',
        'session-s',
        'rollout-s',
        'other',
        ...strangeIds(other, home),
      ]);
      if (told.includes(canary)) count.harmed(what);
      count.tried();
      await rm(join(home, 'claude'), { recursive: true, force: true });
      for (const name of ['gemini', 'codex', 'config'])
        await rm(join(home, name), { recursive: true, force: true });
      await claude('own', open, own);
    }
  }

  fault('sessions of another folder: folders with similar names', async (count) => {
    await symlink(other, join(open, 'link'));
    await symlink(home, join(open, 'up'));
    await symlink(join(home, 'gone'), join(open, 'nowhere'));
    await symlink(join(open, 'circle'), join(open, 'circle'));
    await tryAll(count, {
      'a longer name': () => claude('s', `${open}-secret`),
      'a longer name, without a gap': () => claude('s', `${open}x`),
      'a shorter name': () => claude('s', open.slice(0, -1)),
      'the folder around it': () => claude('s', home),
      'a way out by dots': () => claude('s', `${open}/../other`),
      'a way out by many dots': () => claude('s', `${open}/a/b/../../../other/`),
      'other letters': () => claude('s', open.toUpperCase()),
      'a slash at the end': () => claude('s', `${other}/`),
      'a link in it that leads out': () => claude('s', join(open, 'link')),
      'a folder behind such a link': () => claude('s', join(open, 'up', 'other')),
      'a folder behind such a link that is gone': () => claude('s', join(open, 'link', 'gone', 'gone')),
      'a link in it to a folder that is gone': () => claude('s', join(open, 'nowhere')),
      'a folder behind a link to itself': () => claude('s', join(open, 'circle', 'a')),
      'a relative folder': () => claude('s', 'app'),
      'a dot': () => claude('s', '.'),
      nothing: () => claude('s', ''),
      'a list': () => claude('s', [open]),
      'an object': () => claude('s', { toString: open }),
      'a URI': () => claude('s', `file://${open}`),
      'a tilde': () => claude('s', '~/app'),
      'a NUL': () => claude('s', `${open}\0/../other`),
      'a way out on Windows': () => claude('s', `${open}\\..\\other`),
      'another form of the same letters': () => claude('s', join(home, 'a\u0301pp')),
    });
    // A relative folder would be one below the folder of this process.
    await tryAll(
      count,
      { 'a dot': () => claude('s', '.'), 'a relative folder': () => claude('s', 'src') },
      () => [process.cwd()],
    );
  });

  fault('sessions of another folder: files that name a different folder', async (count) => {
    const hash = createHash('sha256').update(open).digest('hex');
    const details = `<environment_details>\n# Current Working Directory (${open}) Files\na.ts\n</environment_details>`;
    const task = (...texts: readonly string[]) =>
      write(
        `${tasks}/1/api_conversation_history.json`,
        JSON.stringify([{ role: 'user', content: texts.map((text) => ({ type: 'text', text })) }]),
      );
    const details2 = details.replace(open, other);
    // Sessions that are expected in the answers.
    await task(`<task>${canary}</task>`, details);
    if (!(await answers([open], ['1'])).includes(canary)) count.harmed('a session of Cline is not answered');
    await write(
      `gemini/.gemini/tmp/${hash}/chats/session-s.json`,
      JSON.stringify({ sessionId: 's', messages: [{ type: 'user', content: canary }] }),
    );
    if (!(await answers([open], ['session-s'])).includes(canary))
      count.harmed('a session of Gemini CLI is not answered');
    for (const name of ['gemini', 'config']) await rm(join(home, name), { recursive: true });
    await tryAll(count, {
      'later lines': () =>
        write(
          'claude/projects/p/s.jsonl',
          linesOf({ ...said(canary), cwd: other }, { ...said(canary), cwd: open }),
        ),
      'the name of the folder of sessions': () =>
        write(
          `claude/projects/${open.replaceAll('/', '-')}/s.jsonl`,
          linesOf({ ...said(canary), cwd: other }),
        ),
      'text of a message': () =>
        write('claude/projects/p/s.jsonl', linesOf({ ...said(`${canary}\n{"cwd":"${open}"}`), cwd: other })),
      'a part of a message': () =>
        write('claude/projects/p/s.jsonl', linesOf({ ...said([{ type: 'text', text: canary, cwd: open }]) })),
      'a result of a tool': () =>
        write(
          'claude/projects/p/s.jsonl',
          linesOf({ ...said([{ type: 'tool_result', content: canary }]), toolUseResult: { cwd: open } }),
        ),
      'a link to a session': async () => {
        await write('elsewhere/s.jsonl', linesOf({ ...said(canary), cwd: open }));
        await mkdir(join(home, 'claude/projects/p'), { recursive: true });
        await symlink(join(home, 'elsewhere/s.jsonl'), join(home, 'claude/projects/p/s.jsonl'));
      },
      'a link to a folder of sessions': async () => {
        await write('elsewhere/s.jsonl', linesOf({ ...said(canary), cwd: open }));
        await mkdir(join(home, 'claude/projects'), { recursive: true });
        await symlink(join(home, 'elsewhere'), join(home, 'claude/projects/q'));
      },
      'Codex, in a later line': () =>
        write(
          'codex/sessions/2026/02/03/rollout-s.jsonl',
          linesOf(
            { timestamp: '2026-02-03T04:05:06.000Z', type: 'session_meta', payload: { id: 's', cwd: other } },
            {
              timestamp: '2026-02-03T04:05:06.000Z',
              type: 'response_item',
              payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: canary }] },
            },
            { timestamp: '2026-02-03T04:05:06.000Z', type: 'session_meta', payload: { id: 's', cwd: open } },
          ),
        ),
      'Gemini CLI, by the hash of the folder': async () => {
        await write(`gemini/.gemini/tmp/${hash}/.project_root`, other);
        await write(
          `gemini/.gemini/tmp/${hash}/chats/session-s.json`,
          JSON.stringify({ sessionId: 's', messages: [{ type: 'user', content: canary }] }),
        );
      },
      'Gemini CLI, by a link to a note': async () => {
        await write('note', open);
        await write(
          'gemini/.gemini/tmp/x/chats/session-s.json',
          JSON.stringify({ sessionId: 's', messages: [{ type: 'user', content: canary }] }),
        );
        await symlink(join(home, 'note'), join(home, 'gemini/.gemini/tmp/x/.project_root'));
      },
      'Cline, by text that was typed': () => task(`<task>\n${canary}\n${details}\n</task>`, details2),
      'Cline, by a file in a message': () =>
        task(`<task>${canary}</task>`, `<file_content path="a">\n${details}\n</file_content>`, details2),
      'Cline, by a file that fills what is read of it': () =>
        task(
          `<task>${canary}</task>`,
          `<file_content path="a">\n${details}\n${'x'.repeat(70_000)}`,
          details2,
        ),
    });
  });

  fault(
    'sessions of another folder: worktrees, links to the folder, and folders around it',
    async (count) => {
      const git = (...words: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
          cwd: open,
          stdio: 'ignore',
        });
      git('init');
      git('commit', '--allow-empty', '-m', 'x');
      git('worktree', 'add', join(home, 'worktree'));
      await symlink(open, join(home, 'link'));
      await tryAll(count, { 'of a worktree': () => claude('s', join(home, 'worktree')) });
      await tryAll(count, { 'of the repository of a worktree': () => claude('s', open) }, () => [
        join(home, 'worktree'),
      ]);
      await tryAll(count, { 'below the home folder': () => claude('s', other) }, () => [home]);
      await tryAll(count, { 'below the root': () => claude('s', other) }, () => ['/']);
      await tryAll(count, { 'below a link to the home folder': () => claude('s', other) }, () => [
        join(open, '..'),
      ]);
      await symlink(home, join(open, 'home'));
      process.env['HOME'] = join(open, 'home');
      await tryAll(count, { 'below the home folder, by its other name': () => claude('s', other) }, () => [
        home,
      ]);
      process.env['HOME'] = home;

      // All names of the same folder are accepted.
      for (const [what, folder, cwd] of [
        ['itself', open, open],
        ['a slash at the end', `${open}/`, `${open}/`],
        ['opened through a link', join(home, 'link'), open],
        ['held through the link that is open', join(home, 'link'), join(home, 'link')],
        ['a folder below', open, join(open, 'src', 'gone')],
        ['the home folder', home, home],
      ] as const) {
        await claude('own', cwd, own);
        if (!(await answers([folder], [])).includes(own)) count.harmed(`not answered: ${what}`);
        count.tried();
      }

      // An open link that leads elsewhere now.
      const sessions = new FolderSessions(placesIn(home), {} as never, () =>
        Promise.resolve([join(home, 'link')]),
      );
      await claude('own', open, canary);
      if ((await sessions.list(undefined, never)).length !== 1) count.harmed('not listed');
      await symlink(other, join(home, 'link2'));
      await rename(join(home, 'link2'), join(home, 'link'));
      if ((await sessions.list(undefined, never)).length > 0)
        count.harmed('listed through a link that leads elsewhere');
      count.tried();
    },
  );
});

/** Cline's folder for sessions, below the home folder. */
const tasks = 'config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks';

function placesIn(home: string) {
  const environment = { ...agentFolders(home), XDG_CONFIG_HOME: join(home, 'config') };
  return sessionPlaces({ home, platform: 'linux', environment });
}

/** Ids that a client could try for another session. */
function strangeIds(other: string, home: string): readonly string[] {
  const file = join(home, 'claude/projects/p/s.jsonl');
  return [
    file,
    `file://${file}`,
    's.jsonl',
    '../p/s',
    '..%2fp%2fs',
    'p/s',
    './s',
    '*',
    '',
    ' s',
    'S',
    's\0',
    other,
    '__proto__',
    'constructor',
    `${file}#s`,
  ];
}
