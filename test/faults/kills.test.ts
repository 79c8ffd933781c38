import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { lutimes, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  applyChanges,
  holdsConnection,
  planConnection,
  planDisconnection,
} from '../../src/bridge/connect/config-changes.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { ApprovalStore } from '../../src/presenters/storage/approval-store.ts';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../src/presenters/storage/state-file.ts';
import { soak } from '../support/soak.ts';
import { bundledScript } from './support/bundled-script.ts';
import { busyPlaces, configuration, writeConfigurations } from './support/busy-places.ts';
import { fault } from './support/fault.ts';
import { seeded } from './support/seeded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kills-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the process, and kills it a moment after its first line. @returns the lines that it wrote as a whole */
async function killed(script: string, args: readonly string[], after: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8');
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), after));
  child.stdout.on('data', (text: string) => (out += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== null) throw new Error(`The process ended by itself, with code ${code}.`);
  return out.split('\n').slice(0, -1);
}

/** What was acknowledged in one folder so far. */
interface Acknowledged {
  readonly entries: string[];
  readonly imports: Map<string, number>;
  approval: string | undefined;
  draft: string | undefined;
}

function note(acknowledged: Acknowledged, lines: readonly string[]): void {
  for (const line of lines) {
    const [what, value = '', size = ''] = line.split(' ');
    if (what === 'entry') acknowledged.entries.push(value);
    if (what === 'imported') acknowledged.imports.set(value, Number(size));
    if (what === 'approved') acknowledged.approval = value;
    if (what === 'draft') acknowledged.draft = value;
  }
}

/** What the next start finds. @returns what is lost; what nobody acknowledged may be there, too */
async function lostIn(home: string, id: string, acknowledged: Acknowledged): Promise<readonly string[]> {
  const { sessions, approvals, state } = busyPlaces(home);
  const store = new SessionStore(sessions);
  const lost: string[] = [];
  const { contents } = (await store.open(id))!;
  const found = contents.entries.map((entry) =>
    createHash('sha1').update(JSON.stringify(entry)).digest('hex'),
  );
  let at = -1;
  for (const entry of acknowledged.entries) {
    const next = found.indexOf(entry, at + 1);
    if (next < 0) lost.push(`entry ${entry} is ${found.includes(entry) ? 'out of order' : 'gone'}`);
    else at = next;
  }
  // What was written and not acknowledged counts from now on.
  acknowledged.entries.splice(0, Infinity, ...found);
  const [violation] = findViolations(transcriptOf(contents.entries).view);
  if (violation !== undefined) lost.push(`the view is not valid: ${violation.code}`);
  for (const [imported, size] of acknowledged.imports) {
    const entries = (await store.open(imported))?.contents.entries.length;
    if (entries !== size) lost.push(`import ${imported} has ${entries} of ${size}`);
  }
  acknowledged.imports.clear();
  const reports: string[] = [];
  const rules = new ApprovalStore(approvals, ({ english }) => reports.push(english)).load();
  const isKnown = rules.some(({ pattern }) => pattern === acknowledged.approval);
  if (acknowledged.approval !== undefined && !isKnown && rules.length === 0)
    lost.push('the approvals are gone');
  lost.push(...reports);
  const draft = await new StateFile(state).draftOf('s1');
  if (acknowledged.draft !== undefined && draft === '') lost.push('the draft is gone');
  return lost;
}

/** Connects and disconnects after a kill, as the user would. @returns what cannot be put right */
async function connectionsIn(home: string): Promise<readonly string[]> {
  const { agentFiles, notes } = busyPlaces(home);
  // A lock of a process that was killed is anybody's after ten seconds.
  await lutimes(join(notes, 'connections.lock'), 1, 1).catch(() => {});
  const harm: string[] = [];
  const textsOf = () => Promise.all(agentFiles.map(({ path }) => readFile(path, 'utf8')));
  await applyChanges(await planDisconnection(agentFiles, notes), notes);
  if ((await textsOf()).some((text) => text !== configuration)) harm.push('not as before once disconnected');
  await applyChanges(await planConnection(agentFiles), notes);
  if (!agentFiles.every(holdsConnection)) harm.push('not connected again');
  await applyChanges(await planDisconnection(agentFiles, notes), notes);
  if ((await textsOf()).some((text) => text !== configuration)) harm.push('not as before in the end');
  const folders = [...new Set(agentFiles.map(({ path }) => dirname(path)))];
  const left = (await Promise.all(folders.map((one) => readdir(one)))).flat();
  harm.push(...left.filter((name) => name.endsWith('.tmp')).map((name) => `left ${name}`));
  return harm;
}

fault('kills in turns, compactions, imports, approvals, drafts and connections', async (count) => {
  const script = await bundledScript('busy-process', folder);
  let acknowledged = 0;
  const told = new Map<string, number>();

  async function lane(number: number, kills: number): Promise<void> {
    const random = seeded(number);
    let home = '';
    let id = '';
    let known: Acknowledged = { entries: [], imports: new Map(), approval: undefined, draft: undefined };
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 10 === 0) {
        home = join(folder, `lane-${number}-${kill}`);
        await writeConfigurations(home);
        const created = new SessionStore(busyPlaces(home).sessions).create(kill);
        await created.file.append({ type: 'title', title: 'killed' });
        await created.file.close();
        id = created.id;
        known = { entries: [], imports: new Map(), approval: undefined, draft: undefined };
      }
      const lines = await killed(script, [home, id, `${number}${kill}`], random() * 1_200);
      for (const what of lines.map((line) => line.split(' ')[0]!)) told.set(what, (told.get(what) ?? 0) + 1);
      acknowledged += lines.length;
      note(known, lines);
      count.tried();
      for (const harm of [...(await lostIn(home, id, known)), ...(await connectionsIn(home))]) {
        count.harmed(`kill ${number}-${kill}: ${harm}`);
      }
      for (const file of ['state.json', 'approvals.json'])
        await lutimes(join(home, `${file}.lock`), 1, 1).catch(() => {});
    }
  }
  const kills = soak(12, 320) / 2;
  await Promise.all([lane(1, kills), lane(2, kills)]);
  const kinds = [...told].map(([what, times]) => `${times} ${what}`).join(', ');
  count.note(`${acknowledged} acknowledged: ${kinds}`);
});
