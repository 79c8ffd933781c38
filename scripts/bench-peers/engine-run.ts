import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createBudget } from '../../src/compaction/budget/budget.ts';
import type { CompactionPorts } from '../../src/compaction/service/compact.ts';
import { toChatMessage, type Message } from '../../src/compaction/messages/message.ts';
import { strategyOf } from '../../src/compaction/strategies/index.ts';
import { textCounter } from '../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { compactAt, cutAt } from '../../src/measures/compare-strategies.ts';
import { medianOf } from '../bench/tables.ts';
import { benchmarkPorts, readMessages, settingsOf } from '../bench/transcript-measures.ts';
import { ourEngines, peers, type OurEngine } from './engines.ts';
import { asMessages, validHistory, type PeerInput } from './history.ts';
import { keptFacts, type KeptFacts } from './kept.ts';
import { peersFolder } from './packages.ts';
import type { ImportPeer, PreparePeer } from './peer.ts';

/** Tokens. Engines that take a size come down to half of the window, as ours do. */
export const window = 64_000;
const smallestSession = 60_000;
const cutShare = 0.6;
const timedRuns = 5;
/** One engine on one session. */
export interface SessionMeasure {
  readonly session: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly kept: KeptFacts;
  /** CPU time of one run in milliseconds, and of the reference run next to it; medians. */
  readonly cpu: number;
  readonly referenceCpu: number;
  /** Reason for a failure, in one line; the view is then the unchanged history. */
  readonly failure?: string;
}

interface Session {
  readonly name: string;
  readonly history: readonly Message[];
  readonly later: readonly Message[];
  readonly tokens: number;
}

/** Runs an engine once. @returns the view as messages, made after the clock has stopped */
type Run = () => Promise<() => readonly Message[]>;
/** Makes everything ready for one run, before the clock starts. */
type Prepare = (history: readonly Message[]) => Run;

/** @returns the names of the files, sorted; undefined where the folder is missing */
export async function sessionFiles(folder: string): Promise<readonly string[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  return names?.filter((name) => name.endsWith('.json')).toSorted();
}

/**
 * Measures one engine on every session that is large enough.
 *
 * @param id of a peer or of one of ours
 * @throws Error where the engine cannot be loaded
 */
export async function measureEngine(id: string, folder: string): Promise<readonly SessionMeasure[]> {
  const ports = benchmarkPorts();
  const target = createBudget(settingsOf(window)).target ?? window / 2;
  const prepareReference = prepareOurs(ourEngines[0]!, ports);
  const ours = ourEngines.find((engine) => engine.id === id);
  const peer = peers.find((engine) => engine.id === id);
  if (ours === undefined && peer === undefined) throw new Error(`There is no engine "${id}".`);
  const prepare =
    peer === undefined ? prepareOurs(ours!, ports) : preparePeer(await peer.load(importPeer), target);
  const measures: SessionMeasure[] = [];
  for (const session of await readSessions(folder, ports)) {
    measures.push(await measureSession(session, prepare, prepareReference, ports));
  }
  return measures;
}

const importPeer: ImportPeer = async (specifier) => {
  // The module that imports decides in which folder a package is looked for.
  const source = 'export const load = (specifier) => import(specifier);';
  const path = join(peersFolder, 'import.mjs');
  await writeFile(path, source);
  const { load } = (await import(pathToFileURL(path).href)) as { readonly load: ImportPeer };
  return load(specifier);
};

function prepareOurs({ strategy, isUncounted = false }: OurEngine, ports: CompactionPorts): Prepare {
  const budget = createBudget(settingsOf(window));
  const run = {
    tools: [],
    strategy: strategyOf(strategy),
    budget,
    requirement: 'soft',
    target: budget.target,
  } as const;
  const newMeter = () => new UsageMeter(textCounter('o200k_base'), { countsReasoning: true });
  return (view) => {
    const runPorts = isUncounted ? { ...ports, meter: newMeter() } : ports;
    return async () => {
      const end = await compactAt({ ...run, view }, runPorts, new AbortController().signal);
      return () => end.view;
    };
  };
}

function preparePeer(prepare: PreparePeer, target: number): Prepare {
  return (history) => {
    const input: PeerInput = { messages: history.map(toChatMessage), window, target };
    const run = prepare(input);
    return async () => {
      const view = await run.compact();
      return () => asMessages(view());
    };
  };
}

async function readSessions(folder: string, ports: CompactionPorts): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for (const name of (await sessionFiles(folder)) ?? []) {
    const { messages } = await readMessages(join(folder, name));
    if ((await ports.meter.measure(messages)).total < smallestSession) continue;
    const cut = cutAt(messages, cutShare);
    const history = validHistory(messages.slice(0, cut));
    const { total: tokens } = await ports.meter.measure(history);
    sessions.push({ name, history, later: messages.slice(cut), tokens });
  }
  return sessions;
}

/** The engine and the reference take turns, so that whatever else the machine does weighs on both. */
async function measureSession(
  { name, history, later, tokens }: Session,
  prepare: Prepare,
  prepareReference: Prepare,
  ports: CompactionPorts,
): Promise<SessionMeasure> {
  const result = await firstRun(prepare, history);
  const view = result.view ?? history;
  const times: number[] = [];
  const referenceTimes: number[] = [];
  for (let run = 0; run < timedRuns && result.failure === undefined; run++) {
    referenceTimes.push(await cpuOf(prepareReference(history)));
    times.push(await cpuOf(prepare(history)));
  }
  return {
    session: name,
    tokensBefore: tokens,
    tokensAfter: (await ports.meter.measure(view)).total,
    kept: keptFacts(history, later, view),
    cpu: medianOf(times),
    referenceCpu: medianOf(referenceTimes),
    ...(result.failure === undefined ? {} : { failure: result.failure }),
  };
}

async function firstRun(
  prepare: Prepare,
  history: readonly Message[],
): Promise<{ readonly view?: readonly Message[]; readonly failure?: string }> {
  try {
    const view = await prepare(history)();
    return { view: view() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { failure: message.split('\n')[0]?.slice(0, 160) ?? '' };
  }
}

/** CPU time of all threads of this process, in milliseconds. */
async function cpuOf(run: Run): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
