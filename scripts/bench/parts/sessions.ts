import { mkdirSync } from 'node:fs';
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionPlaces } from '../../../src/transcripts/session-places.ts';
import { medianTimes, type BenchPart } from '../part.ts';

/** Sessions of each of the two agents. */
const sessionsEach = 5_000;
/** Rows that the tree shows of a group at first. */
const rows = 50;
const workspace = '/projects/here';

/** The list of ten thousand sessions of other agents, against reading the names and times of the same files. */
export const part: BenchPart = {
  title: 'Listing 10,000 sessions of other agents',
  async measure() {
    const home = await mkdtemp(join(tmpdir(), 'sessions-'));
    try {
      const folders = await writeSessions(home);
      const places = sessionPlaces({ home, platform: 'linux', environment: {} });
      const made = () => new SessionCatalogue({ places, folders: [workspace] });
      const listed = made();
      await listed.list();
      let fresh = made();
      const contenders = {
        names: { run: () => namesAndTimes(folders) },
        list: { run: () => made().list() },
        shown: {
          run: async () => {
            const catalogue = made();
            await catalogue.list();
            await catalogue.page('claude-code', rows);
            await catalogue.page('codex', rows);
          },
        },
        one: { run: () => listed.lookAt([join(folders[0]!, '0.jsonl')]) },
        all: {
          prepare: () => {
            fresh = made();
          },
          run: async () => {
            await fresh.list();
            await fresh.readAll();
          },
        },
      };
      const times = await medianTimes(contenders, { runs: 11 });
      return [
        {
          name: 'All listed by name and time, against readdir and lstat of the same files',
          value: times.list / times.names,
          unit: 'times',
          target: { atMost: 2 },
        },
        { name: 'All listed by name and time', value: times.list, unit: 'milliseconds' },
        {
          name: `All listed, the first ${rows} of each agent read at both ends`,
          value: times.shown,
          unit: 'milliseconds',
        },
        { name: 'A session has changed, its row is up to date', value: times.one, unit: 'milliseconds' },
        { name: 'All beginnings read, for a search', value: times.all, unit: 'milliseconds' },
      ];
    } finally {
      await rm(home, { recursive: true });
    }
  },
};

/** @returns the folders with the files */
async function writeSessions(home: string): Promise<readonly string[]> {
  const folders = new Set<string>();
  const write = async (folder: string, name: string, text: string) => {
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true });
    folders.add(folder);
    await writeFile(join(folder, name), text);
  };
  for (let index = 0; index < sessionsEach; index++) {
    // Two hundred projects, and a year of days.
    const project = index % 200;
    const cwd = project === 0 ? workspace : `/projects/other-${project}`;
    await write(
      join(home, '.claude/projects', cwd.replaceAll('/', '-')),
      `${index}.jsonl`,
      claudeCodeSession(index, cwd),
    );
    const day = new Date(Date.UTC(2026, 0, 1 + (index % 365)))
      .toISOString()
      .slice(0, 10)
      .replaceAll('-', '/');
    await write(join(home, '.codex/sessions', day), `rollout-${index}.jsonl`, codexSession(index, cwd));
  }
  return [...folders];
}

async function namesAndTimes(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder);
    await Promise.all(names.map((name) => lstat(join(folder, name))));
  }
}

const lines = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const output = 'A line of the output of a tool.\n'.repeat(300);

function claudeCodeSession(index: number, cwd: string): string {
  const usage = { input_tokens: 40_000 + index, output_tokens: 100 };
  const message = { id: 'r1', model: 'claude-sonnet-4-5', role: 'assistant', content: [], usage };
  return lines([
    { type: 'user', cwd, sessionId: `${index}`, message: { role: 'user', content: `Errand ${index}` } },
    { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: output }] } },
    { type: 'assistant', message },
  ]);
}

function codexSession(index: number, cwd: string): string {
  const said = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `Errand ${index}` }] };
  const info = {
    last_token_usage: { input_tokens: 50_000, output_tokens: 100 },
    model_context_window: 272_000,
  };
  return lines([
    {
      type: 'session_meta',
      payload: { id: `${index}`, cwd, base_instructions: { text: 'x'.repeat(2_000) } },
    },
    { type: 'response_item', payload: said },
    { type: 'response_item', payload: { type: 'function_call_output', call_id: 'c1', output } },
    { type: 'event_msg', payload: { type: 'token_count', info } },
  ]);
}
