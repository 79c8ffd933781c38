/**
 * Runs the engines of other projects and ours on the same real sessions and writes `docs/peers.md`.
 *
 * The peers are installed into `out/peers`, never into the project. A peer that cannot be installed or run is a row
 * that says so.
 *
 * Usage: node scripts/bench-peers.ts [--only ID,…] [--out FILE]; with `--only` and no `--out` the page is shown.
 */
import { fork } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { peersDocument, type EngineResult } from './bench-peers/document.ts';
import { sessionFiles, window, type SessionMeasure } from './bench-peers/engine-run.ts';
import { ourEngines, peers, type OurEngine } from './bench-peers/engines.ts';
import { installPeers, outputsFolder, peerPackages, type FailedPackages } from './bench-peers/packages.ts';
import type { Peer } from './bench-peers/peer.ts';
import { projectFolder, transcriptsFolder } from './project.ts';
import { runMain } from './run-main.ts';

const sessionsFolder = join(transcriptsFolder, 'normalised');
/** An engine that takes longer than this, in milliseconds, is left out. */
const patience = 600_000;

await runMain(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      out: { type: 'string' },
    },
  });
  if ((await sessionFiles(sessionsFolder)) === undefined) {
    console.log(
      'Nothing was measured: the folder ../shared/transcripts/normalised beside the project is missing.',
    );
    return;
  }
  const failed = await installPeers(console.log);
  const only = values.only?.split(',');
  const isChosen = ({ id }: { readonly id: string }) => only?.includes(id) ?? true;
  const ours: EngineResult[] = [];
  for (const engine of ourEngines.filter(isChosen)) ours.push(await measureOurs(engine));
  const theirs: EngineResult[] = [];
  for (const peer of peers.filter(isChosen)) theirs.push(await measurePeer(peer, failed));
  await rm(outputsFolder, { recursive: true, force: true });
  const date = new Date().toISOString().slice(0, 10);
  const text = peersDocument({ ours, peers: theirs, date, window });
  const page = join(projectFolder, 'docs', 'peers.md');
  const formatted = await format(text, { ...(await resolveConfig(page)), parser: 'markdown' });
  // A part of the engines is not a page: it is shown.
  const out = values.out ?? (only === undefined ? page : undefined);
  if (out === undefined) console.log(`\n${formatted}`);
  else await writeFile(out, formatted);
});

async function measureOurs({ id, title, settings }: OurEngine): Promise<EngineResult> {
  return { title, settings, outcome: await measure(id) };
}

async function measurePeer(
  { id, title, settings, strength, packageName }: Peer,
  failed: FailedPackages,
): Promise<EngineResult> {
  const source = `${packageName}@${peerPackages[packageName] ?? ''}`;
  const reason = failed.get(packageName);
  const outcome = reason === undefined ? await measure(id) : { failure: `could not be installed: ${reason}` };
  return { title, source, settings, strength, outcome };
}

/** In a process of its own: engines do not warm each other up, and a hanging or crashing one affects no other. */
function measure(engine: string): Promise<EngineResult['outcome']> {
  console.log(`${engine} …`);
  return new Promise((resolve) => {
    const worker = join(import.meta.dirname, 'bench-peers', 'engine-process.ts');
    const child = fork(worker, [engine, sessionsFolder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    let outcome: EngineResult['outcome'] = { failure: 'did not run: its process ended' };
    child.on('message', (message: WorkerMessage) => {
      outcome =
        'measures' in message ? message.measures : { failure: `did not run: ${inOneLine(message.failure)}` };
    });
    child.on('close', () => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}

type WorkerMessage = { readonly measures: readonly SessionMeasure[] } | { readonly failure: string };

/** Without paths of this machine. */
function inOneLine(text: string): string {
  return (text.split('\n')[0] ?? '').replaceAll(projectFolder, '…').slice(0, 160);
}
