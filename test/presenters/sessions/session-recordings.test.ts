import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';

const session = '91c8fbe6-ca77-443b-a8b6-371494c7c646';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterEach(() => rm(home, { recursive: true }));

async function write(path: string, lines: readonly object[]): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

function recording(title: string): readonly object[] {
  const createdAt = '2026-11-27T12:00:00.000Z';
  const message = { id: 'm1', role: 'user', origin: 'person', content: title, createdAt };
  return [
    {
      type: 'session',
      version: 1,
      id: 'one',
      createdAt,
      wire: { api: 'messages', folder: '/projects/lock' },
    },
    { type: 'title', title },
    { type: 'message', message },
  ];
}

const file = (title: string) => [
  { type: 'user', cwd: '/projects/lock', sessionId: session, message: { role: 'user', content: title } },
];

function catalogueHere(): SessionCatalogue {
  return new SessionCatalogue({
    places: sessionPlaces({ home, platform: 'linux', environment: {} }),
    folders: ['/projects/lock'],
  });
}

async function listed() {
  const catalogue = catalogueHere();
  await catalogue.list();
  return (await catalogue.page('claude-code', 10)).sessions;
}

describe('a recording of the proxy', () => {
  it('is a row of its agent while no file of the session is known', async () => {
    await write(
      `.local/state/context-budget/wire/claude-code/2026~${session}.jsonl`,
      recording('Mend the lock.'),
    );
    expect(await listed()).toMatchObject([{ title: 'Mend the lock.', isOfWorkspace: true }]);
  });

  it('is no second row next to the session whose id it has', async () => {
    const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
    const beside = await write(
      `.local/state/context-budget/wire/claude-code/2026~${session}.jsonl`,
      recording('Mend the lock.'),
    );
    expect(await listed()).toMatchObject([{ path, recording: beside }]);
  });

  it('leads to its session once the file of the session is there', async () => {
    const catalogue = catalogueHere();
    const beside = await write(
      `.local/state/context-budget/wire/claude-code/2026~${session}.jsonl`,
      recording('Mend the lock.'),
    );
    expect(await catalogue.sessionRecordedAt(beside)).toBe(beside);
    const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
    expect(await catalogue.sessionRecordedAt(beside)).toBe(path);
  });

  it('is no second row either if the proxy began it again', async () => {
    const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
    const folder = '.local/state/context-budget/wire/claude-code';
    await write(`${folder}/2026-11-26~${session}.jsonl`, recording('Mend the lock.'));
    await write(`${folder}/2026-11-27~${session}.jsonl`, recording('Mend the lock.'));
    expect(await listed()).toMatchObject([{ path }]);
  });

  describe('without the id of its session', () => {
    const nameless = (name: string) => `.local/state/context-budget/wire/claude-code/${name}.jsonl`;

    it('is joined with the session that began alike and changed at the same time', async () => {
      const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
      const beside = await write(nameless('2026'), recording('Mend the lock.'));
      expect(await listed()).toMatchObject([{ path, recording: beside }]);
    });

    it('stays a row if the session changed at another time', async () => {
      const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
      await write(nameless('2026'), recording('Mend the lock.'));
      await utimes(path, 1_000, 1_000);
      expect(await listed()).toHaveLength(2);
    });

    it('stays a row if two sessions began alike', async () => {
      await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
      await write('.claude/projects/-projects-lock/another.jsonl', file('Mend the lock.'));
      await write(nameless('2026'), recording('Mend the lock.'));
      expect(await listed()).toHaveLength(3);
    });
  });

  it('of another session stays a row', async () => {
    await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
    await write(
      '.local/state/context-budget/wire/claude-code/2026~another-session.jsonl',
      recording('Another.'),
    );
    expect((await listed()).map(({ title }) => title).toSorted()).toEqual(['Another.', 'Mend the lock.']);
  });

  it('has the recordings that it started below it, also if it is joined with a session', async () => {
    const path = await write(`.claude/projects/-projects-lock/${session}.jsonl`, file('Mend the lock.'));
    const name = `.local/state/context-budget/wire/claude-code/2026~${session}`;
    await write(`${name}.jsonl`, recording('Mend the lock.'));
    await write(`${name}/2027.jsonl`, recording('Count the lines.'));
    expect(await listed()).toMatchObject([{ path, subAgents: [{ title: 'Count the lines.' }] }]);
  });
});
