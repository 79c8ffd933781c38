import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lutimes, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { SessionStore } from '../../src/presenters/storage/session-store.ts';
import { soak } from '../support/soak.ts';
import { bundledScript } from './support/bundled-script.ts';
import { connectionsIn, lostIn, note, nothingAcknowledged } from './support/acknowledged.ts';
import { busyPlaces, writeConfigurations } from './support/busy-places.ts';
import { fault } from './support/fault.ts';
import { seeded } from './support/seeded.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kills-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the process, and kills it a moment after its first line. @returns its complete lines */
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

fault('programs killed in turns, compactions, imports, approvals, drafts and connections', async (count) => {
  const script = await bundledScript('busy-process', folder);
  let acknowledged = 0;
  const told = new Map<string, number>();

  async function lane(number: number, kills: number): Promise<void> {
    const random = seeded(number);
    let home = '';
    let id = '';
    let known = nothingAcknowledged();
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 10 === 0) {
        home = join(folder, `lane-${number}-${kill}`);
        await writeConfigurations(home);
        const created = new SessionStore(busyPlaces(home).sessions).create(kill);
        await created.file.append({ type: 'title', title: 'killed' });
        await created.file.close();
        id = created.id;
        known = nothingAcknowledged();
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
