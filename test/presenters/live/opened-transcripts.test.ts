import { appendFile, copyFile, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { LiveSession } from '../../../src/presenters/live/live-session.ts';
import { OpenedTranscripts } from '../../../src/presenters/live/opened-transcripts.ts';
import { type ReadingPorts, readerOf } from '../../../src/presenters/live/session-reader.ts';
import { isLive, SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionRow } from '../../../src/presenters/sessions/session-row.ts';
import { titleOfSession } from '../../../src/presenters/import/session-title.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { createMeter } from '../../support/engine.ts';
import { originalSessions, skipReasonOfOriginals } from '../../support/transcripts.ts';

const now = Date.parse('2026-02-03T04:05:06.000Z');
const project = '.claude/projects/-projects-lock';

describe('opened sessions', () => {
  let home: string;
  let opened: OpenedTranscripts;
  let catalogue: SessionCatalogue;
  let ports: ReadingPorts;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'opened-'));
    const meter = await createMeter();
    catalogue = new SessionCatalogue({
      places: sessionPlaces({ home, platform: 'linux', environment: {} }),
      folders: [],
    });
    ports = {
      meterOf: () => meter,
      budget: () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
      factsOf: (model) => factsOfModel(model),
      readerOf: (place) => Promise.resolve(readerOf(place)),
      listedAs: async (path) => {
        const listed = await catalogue.find(path);
        return listed && { title: titleOfSession(listed, englishWording), isLive: isLive(listed, now) };
      },
    };
    opened = new OpenedTranscripts({ ...ports, wording: englishWording });
  });
  afterEach(async () => {
    opened.dispose();
    await rm(home, { recursive: true });
  });

  /** @param age minutes since it was changed */
  const write = async (name: string, age: number, ...lines: readonly object[]) => {
    const path = join(home, project, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const at = new Date(now - age * 60_000);
    await utimes(path, at, at);
    return path;
  };
  const open = async (path: string) => {
    const reader = await ports.readerOf({ path });
    const listed = async () => ports.listedAs?.(path);
    const live = { ...ports, reader, name: parse(path).name, listed, failed: () => {} };
    const session = await LiveSession.open(live, new AbortController().signal);
    return opened.add({ path, session, subAgents: [] });
  };
  const asked = (content: string) => ({
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-02-03T04:00:00.000Z',
    message: { role: 'user', content },
  });
  const replied = {
    type: 'assistant',
    uuid: 'a1',
    parentUuid: 'u1',
    sessionId: 's',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      usage: { input_tokens: 4_000, output_tokens: 0 },
    },
  };

  it('have the same title in the picker and the inspector as in the list', async () => {
    const titled = { type: 'ai-title', aiTitle: 'Spring cleaning' };
    const id = await open(await write('a.jsonl', 60, titled, asked('Tidy up'), replied));
    expect((await opened.find(id))?.session.title).toBe('Spring cleaning');
    expect((await opened.choices()).map(({ name }) => name)).toEqual(['Spring cleaning']);
  });

  it('keep incremental results only while their files grow', async () => {
    const path = await write('a.jsonl', 60, asked('Tidy up'), replied);
    const id = await open(path);
    const before = await opened.find(id);
    const changed = () => new Promise<void>((resolve) => opened.onDidChange(() => resolve()));
    let next = changed();
    await appendFile(
      path,
      `${JSON.stringify({ ...asked('And the attic?'), uuid: 'u2', parentUuid: 'a1' })}\n`,
    );
    await next;
    expect(await opened.find(id)).toBe(before);
    next = changed();
    await write('a.jsonl', 60, asked('Tidy up'), {
      ...replied,
      message: { role: 'assistant', content: 'No.' },
    });
    await next;
    expect(await opened.find(id)).not.toBe(before);
  });

  it('are live while they are in the list, with the tokens shown in their header', async () => {
    await open(await write('a.jsonl', 1, asked('Growing'), replied));
    await open(await write('b.jsonl', 60, asked('Old'), replied));
    expect((await opened.choices()).map(({ name, state, tokens }) => [name, state, tokens])).toEqual([
      ['Growing', 'live', 4_000],
      ['Old', undefined, 4_000],
    ]);
  });

  const places = {
    'claude-code-jsonl': `${project}/real.jsonl`,
    'codex-rollout-jsonl': '.codex/sessions/2026/02/03/rollout-real.jsonl',
  };
  it.skipIf(originalSessions.length === 0).each(Object.entries(places))(
    `have the same title in the list and in the inspector, also in real files: %s (${skipReasonOfOriginals})`,
    async (format, place) => {
      const path = join(home, place);
      await mkdir(dirname(path), { recursive: true });
      await copyFile(
        originalSessions.find((one) => one.includes(`/${format}/`))!,
        path,
      );
      const row = { ...(await catalogue.find(path))!, subAgents: [] };
      const { label } = sessionRow(row, { factsOf: ports.factsOf, wording: englishWording, now });
      expect((await opened.find(await open(path)))?.session.title).toBe(label);
    },
  );
});
