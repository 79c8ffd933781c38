import { stat } from 'node:fs/promises';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { recordsOf } from '../../compaction/transcript/transcript.ts';
import { watchPath } from '../../agent/locks/shared-file.ts';
import type { InspectedSession } from '../inspector/inspector-model.ts';
import { type LiveChange, LiveSession } from './live-session.ts';
import { RepeatedReading, type RepeatedReadingPorts } from './repeated-reading.ts';
import { type IdleState, sessionMarksAt, type SessionMarks } from './session-marks.ts';
import type { ListedAs, ReadingPorts } from './session-reader.ts';

/** Compactions that the agent of a session has made just now. */
export interface NewCompactions extends Pick<LiveChange, 'compactions'> {
  readonly path: string;
  readonly session: InspectedSession;
}

export interface CompactionWatchPorts extends ReadingPorts, RepeatedReadingPorts {
  readonly told: (compactions: NewCompactions) => void;
}

/** Bytes of the largest document that is read whole at every change. */
const largestDocument = 8_000_000;

/** Sessions that are watched at the same time. */
const mostWatched = 8;

/** Watches sessions that go on, those that went on last. */
export class CompactionWatch {
  private readonly ports: CompactionWatchPorts;
  /** By paths, the latest last. */
  private readonly watched = new Map<string, Watch>();

  constructor(ports: CompactionWatchPorts) {
    this.ports = ports;
  }

  /**
   * Watches a session from now on, if it is not watched already.
   *
   * @param idle the session before it went on; compactions since are told, too
   * @returns once every later compaction will be told
   */
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

/** A session that is watched. */
interface Watch {
  readonly begun: Promise<void>;
  readonly end: () => void;
}

/**
 * Tells when the agent of a session compacts that nobody has opened. Marks are looked for, and the session is read when
 * there is one. Documents have none: they are followed as if they were opened, as long as they are small.
 */
function watchCompactions(path: string, idle: IdleState | undefined, ports: CompactionWatchPorts): Watch {
  const stopper = new AbortController();
  const { signal } = stopper;
  // A look that is under way when the watch ends may find its file gone. Nobody needs to hear of it.
  const own: CompactionWatchPorts = {
    ...ports,
    told: (compactions) => !signal.aborted && ports.told(compactions),
    failed: (error) => !signal.aborted && ports.failed(error),
  };
  const marks = sessionMarksAt(path, idle);
  const begun =
    marks === undefined ? watchDocument(path, idle, own, signal) : watchMarks(path, marks, own, signal);
  return { begun, end: () => stopper.abort() };
}

function watchMarks(
  path: string,
  marks: SessionMarks,
  ports: CompactionWatchPorts,
  signal: AbortSignal,
): Promise<void> {
  let told: string | undefined;
  /** The mark whose compaction was not told yet: while a session is written, it may be impossible to read. */
  let found: number | 'last' | undefined;
  const lookOnce = async () => {
    const mark = await marks.look();
    found ??= mark;
    if (found === 'last') told = await tellLast(path, told, ports);
    else if (found !== undefined) await tellSince(path, found, ports);
    found = undefined;
  };
  return readWhenever(marks.files, lookOnce, ports, signal);
}

/** Reads some files, now and whenever one changes. @returns once they were read, or told to be unreadable */
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

/** @param known part of the session that was there before; compactions in it are not new */
async function tellSince(path: string, known: number, ports: CompactionWatchPorts): Promise<void> {
  const live = await openOnce(path, ports, known);
  try {
    const { compactions = [] } = (await live.readNew()) ?? {};
    if (compactions.length > 0) ports.told({ path, session: live, compactions });
  } finally {
    live.dispose();
  }
}

/** @param told the compaction that was told last @returns the one that is told now */
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
