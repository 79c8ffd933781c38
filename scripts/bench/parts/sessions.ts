import { appendFile, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { nodeBundles } from '../../build/build-options.ts';
import { projectFolder } from '../../project.ts';
import { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import { sessionPlaces } from '../../../src/transcripts/found-agents.ts';
import { type BenchPart, type Measure, middleOf, ratioOf, timesInTurn } from '../part.ts';
import { type SessionHome, writeSessionHome } from '../session-home.ts';

const counts = [2_000, 20_000];
/** Rows that the tree shows of a group at first. */
const rows = 50;
const answers = 51;
/** Maximum milliseconds that a model waits for a later answer. */
const mostWait = 30;
/** The number of sessions for which the server's target is set. */
const targeted = 2_000;

/** Measures the list of the sessions of other agents, and the answers of the server about the same sessions. */
export const part: BenchPart = {
  title: 'Lists of 2,000 and 20,000 sessions',
  async measure() {
    const outdir = join(projectFolder, 'out', 'bench', 'sessions');
    await build({ ...nodeBundles({ isProduction: true }), outdir });
    const measures: Measure[] = [];
    for (const count of counts) {
      const home = await mkdtemp(join(tmpdir(), 'sessions-'));
      try {
        const written = await writeSessionHome(home, count);
        const own = [
          ...(await ofTheList(home, written)),
          ...(await ofTheServer(home, written, join(outdir, 'cli.js'))),
        ];
        const sessions = count.toLocaleString('en');
        measures.push(...own.map((measure) => ({ ...measure, name: `${sessions} ${measure.name}` })));
      } finally {
        await rm(home, { recursive: true });
      }
    }
    return measures;
  },
};

async function ofTheList(home: string, { files, folder }: SessionHome): Promise<readonly Measure[]> {
  const places = sessionPlaces({ home, platform: 'linux', environment: {} });
  const made = () => new SessionCatalogue({ places, folders: [folder] });
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const show = async (catalogue: SessionCatalogue) => {
    await catalogue.listOnce();
    await catalogue.ofWorkspace(rows);
    await catalogue.page('codex', rows);
  };
  const known = made();
  await show(known);
  await known.readAll();
  const heap = heapUsed();
  const held = made();
  await held.list();
  await held.readAll();
  const memory = heapUsed() - heap;
  const [changed = ''] = files;
  const times = await timesInTurn(
    {
      names: { run: () => namesAndTimes(folders) },
      first: { run: () => made().list() },
      again: { run: () => known.lookAtAll() },
      heads: {
        run: async () => {
          const catalogue = made();
          await catalogue.list();
          await catalogue.readAll();
        },
      },
      one: {
        prepare: () => appendFile(changed, '{"type":"progress"}\n'),
        run: async () => {
          await known.lookAt([changed]);
          await known.readAll();
          await show(known);
        },
      },
    },
    { clock: 'processor' },
  );
  // Held until here, so that its memory is measured.
  const { length } = await held.all();
  return [
    {
      name: 'listed, against readdir and lstat',
      ...ratioOf(times.first, times.names),
      unit: 'times',
      target: { atMost: 2 },
    },
    { name: 'listed', ...middleOf(times.first), unit: 'milliseconds' },
    { name: 'listed again', ...middleOf(times.again), unit: 'milliseconds' },
    { name: 'listed, and all beginnings read', ...middleOf(times.heads), unit: 'milliseconds' },
    { name: 'listed, rows up to date after a change', ...middleOf(times.one), unit: 'milliseconds' },
    {
      name: 'listed, memory',
      value: memory,
      unit: 'bytes',
      note: `${length.toLocaleString('en')} rows.`,
    },
  ];
}

/** Lists what a list of sessions needs at least. */
async function namesAndTimes(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const names = await readdir(folder);
    await Promise.all(names.map((name) => lstat(join(folder, name))));
  }
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Measures a server process by the time that its client waits, and by the processor time of the process. */
async function ofTheServer(
  home: string,
  { files, folder }: SessionHome,
  program: string,
): Promise<readonly Measure[]> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    cwd: folder,
    env: { HOME: home },
  });
  const client = new Client({ name: 'bench', version: '1.0.0' });
  await client.connect(transport);
  try {
    const ask = async () => {
      const asked = performance.now();
      const { isError } = await client.callTool({ name: 'context_usage', arguments: {} });
      if (isError === true) throw new Error('The server found no session.');
      return performance.now() - asked;
    };
    const askedOften = async (change: () => Promise<void>) => {
      const waits: number[] = [];
      for (let answer = 0; answer < answers; answer++) {
        await change();
        waits.push(await ask());
      }
      return waits;
    };
    const first = await ask();
    const before = await processorTimeOf(transport.pid);
    const later = await askedOften(() => Promise.resolve());
    const processor = ((await processorTimeOf(transport.pid)) - before) / answers;
    const changed = await askedOften(() => appendFile(files[0]!, '{"type":"progress"}\n'));
    const target = files.length === targeted ? { target: { atMost: mostWait } } : {};
    const memory = /^VmHWM:\s*(?<kilobytes>\d+)/mu.exec(await ownFileOf(transport.pid, 'status'));
    return [
      { name: 'served, first answer', value: first, unit: 'milliseconds' },
      { name: 'served, later answers', ...middleOf(later), unit: 'milliseconds', ...target },
      { name: 'served, processor time of a later answer', value: processor, unit: 'milliseconds' },
      { name: 'served, answers after a change', ...middleOf(changed), unit: 'milliseconds', ...target },
      {
        name: 'served, peak memory',
        value: Number(memory?.groups?.['kilobytes']) * 1_024,
        unit: 'bytes',
      },
    ];
  } finally {
    await client.close();
  }
}

/** Milliseconds that processors have worked on a process; its file counts them in hundredths of a second. */
async function processorTimeOf(pid: number | null): Promise<number> {
  const [, fields = ''] = (await ownFileOf(pid, 'stat')).split(') ');
  const [user, system] = fields.split(' ').slice(11, 13).map(Number);
  return (user! + system!) * 10;
}

/** A file of a process in `/proc`; empty on other systems than Linux. */
function ownFileOf(pid: number | null, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
}
