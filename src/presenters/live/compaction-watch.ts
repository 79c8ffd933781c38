import { stat } from 'node:fs/promises';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { recordsOf } from '../../compaction/transcript/transcript.ts';
import { watchPath } from '../../agent/locks/shared-file.ts';
import type { InspectedSession } from '../inspector/inspector-model.ts';
import { type LiveChange, LiveSession } from './live-session.ts';
import { RepeatedReading, type RepeatedReadingPorts } from './repeated-reading.ts';
import { type IdleState, compactionTracesAt, type CompactionTraces } from './compaction-traces.ts';
import type { ListedAs, ReadingPorts } from './session-reader.ts';

/** Compactions that the agent of a session has just made. */
export interface NewCompactions extends Pick<LiveChange, 'compactions'> {
  readonly path: string;
  readonly session: InspectedSession;
}

export interface CompactionWatchPorts extends ReadingPorts, RepeatedReadingPorts {
  readonly told: (compactions: NewCompactions) => void;
}

/** Maximum bytes of a document that is read as a whole at every change. */
const largestDocument = 8_000_000;

const mostWatched = 8;

/** Watches the live sessions that changed last. */
export class CompactionWatch {
  private readonly ports: CompactionWatchPorts;
  /** Path → watch, the latest watch last. */
  private readonly watched = new Map<string, Watch>();

  constructor(ports: CompactionWatchPorts) {
    this.ports = ports;
  }

  /** Watches a session from now on, or since it was idle. Resolves when every later compaction will be reported. */
  add(path: string, idle?: IdleState): Promise<void> {
    const watch = this.watched.get(path) ?? watchCompactions(path, idle, this.ports);
    this.watched.delete(path);
    this.watched.set(path, watch);
    for (const [earliest, { end }] of [...this.watched].slice(0, -mostWatched)) {
      end();
      this.watched.delete(earliest);
    }
    return watch.begun;
  }

  dispose(): void {
    for (const { end } of this.watched.values()) end();
    this.watched.clear();
  }
}

interface Watch {
  readonly begun: Promise<void>;
  readonly end: () => void;
}

/**
 * Reports compactions in a session that is not open. Searches for traces, or follows a small document as a whole.
 */
function watchCompactions(path: string, idle: IdleState | undefined, ports: CompactionWatchPorts): Watch {
  const stopper = new AbortController();
  const { signal } = stopper;
  // A check that still runs when the watch ends may not find the file. This is not an error.
  const own: CompactionWatchPorts = {
    ...ports,
    told: (compactions) => !signal.aborted && ports.told(compactions),
    failed: (error) => !signal.aborted && ports.failed(error),
  };
  const traces = compactionTracesAt(path, idle);
  const begun =
    traces === undefined ? watchDocument(path, idle, own, signal) : watchTraces(path, traces, own, signal);
  return { begun, end: () => stopper.abort() };
}

function watchTraces(
  path: string,
  traces: CompactionTraces,
  ports: CompactionWatchPorts,
  signal: AbortSignal,
): Promise<void> {
  let told: string | undefined;
  /** The trace of a compaction that was not reported yet, because the session was unreadable while it was written. */
  let found: number | 'last' | undefined;
  const lookOnce = async () => {
    const trace = await traces.look();
    found ??= trace;
    if (found === 'last') told = await tellLast(path, told, ports);
    else if (found !== undefined) await tellSince(path, found, ports);
    found = undefined;
  };
  return readWhenever(traces.files, lookOnce, ports, signal);
}

/** Reads files now and after each change. Resolves when they have been read or reported as unreadable. */
function readWhenever(
  files: readonly string[],
  readOnce: () => Promise<void>,
  ports: RepeatedReadingPorts,
  signal: AbortSignal,
): Promise<void> {
  const reading = new RepeatedReading(readOnce, ports, signal);
  const unwatch = files.map((file) => watchPath(file, () => void reading.look()));
  signal.addEventListener('abort', () => unwatch.forEach((end) => end()));
  return reading.look();
}

/** @param known the part of the session that existed before; its compactions are not reported */
async function tellSince(path: string, known: number, ports: CompactionWatchPorts): Promise<void> {
  const live = await openOnce(path, ports, known);
  try {
    const { compactions = [] } = (await live.readNew()) ?? {};
    if (compactions.length > 0) ports.told({ path, session: live, compactions });
  } finally {
    live.dispose();
  }
}

/** @param told the last reported compaction @returns the compaction that is reported now */
async function tellLast(
  path: string,
  told: string | undefined,
  ports: CompactionWatchPorts,
): Promise<string | undefined> {
  const live = await openOnce(path, ports);
  const last = recordsOf(live.transcript).at(-1);
  live.dispose();
  const identity = last === undefined ? told : identityOf(last);
  if (last !== undefined && identity !== told) ports.told({ path, session: live, compactions: [last] });
  return identity;
}

async function openOnce(path: string, ports: CompactionWatchPorts, first?: number): Promise<LiveSession> {
  const reader = await ports.readerOf({ path, ...(first !== undefined && { first }) });
  return LiveSession.open(
    { ...ports, reader, name: '', listed: () => listedIn(ports, path) },
    new AbortController().signal,
  );
}

function watchDocument(
  path: string,
  idle: IdleState | undefined,
  ports: CompactionWatchPorts,
  signal: AbortSignal,
): Promise<void> {
  const opening = new AbortController();
  let live: LiveSession | undefined;
  const tell = (compactions: readonly CompactionRecord[]) => {
    if (live !== undefined && compactions.length > 0) ports.told({ path, session: live, compactions });
  };
  const open = async () => {
    const { size } = await stat(path);
    if (size > largestDocument) return;
    const reader = await ports.readerOf({ path });
    const listed = () => listedIn(ports, path);
    live = await LiveSession.open({ ...ports, reader, name: '', listed }, signal);
    if (signal.aborted) return;
    if (idle !== undefined) {
      const records = recordsOf(live.transcript);
      tell(records.filter(({ createdAt }) => Date.parse(createdAt) > idle.changedAt));
    }
    live.follow(({ compactions }) => tell(compactions));
    opening.abort();
  };
  signal.addEventListener('abort', () => live?.dispose());
  return readWhenever([path], open, ports, AbortSignal.any([signal, opening.signal]));
}

async function listedIn({ listedAs }: CompactionWatchPorts, path: string): Promise<ListedAs | undefined> {
  return listedAs?.(path);
}

function identityOf({ id, createdAt }: CompactionRecord): string {
  return `${id} ${createdAt}`;
}
