import { stat } from 'node:fs/promises';
import { watchPath } from '../../agent/locks/shared-file.ts';
import { inDatabase } from '../import/opencode-database.ts';
import { isSessionInFolder } from '../import/opencode-folder.ts';
import type { InspectedSession } from '../inspector/inspector-model.ts';
import { LiveSession } from './live-session.ts';
import { MarkedLines } from './marked-lines.ts';
import type { LiveChange } from './opened-transcripts.ts';
import type { ReadingPorts } from './session-reader.ts';

/** Compactions that the agent of a session has made just now. */
export interface NewCompactions extends Pick<LiveChange, 'compactions'> {
  readonly path: string;
  readonly session: InspectedSession;
}

export interface CompactionWatchPorts extends ReadingPorts {
  readonly told: (compactions: NewCompactions) => void;
  readonly failed: (error: unknown) => void;
}

/** Bytes of the largest file that is read whole at every change: a document, not lines. */
const largestDocument = 8_000_000;

/** Sessions that are watched at the same time. */
const mostWatched = 8;

/** Watches sessions that go on, those that went on last. */
export class CompactionWatch {
  private readonly ports: CompactionWatchPorts;
  /** Ends of watches by paths, the latest last. */
  private readonly watched = new Map<string, () => void>();

  constructor(ports: CompactionWatchPorts) {
    this.ports = ports;
  }

  /** Watches a session from now on, if it is not watched already. */
  add(path: string): void {
    const known = this.watched.get(path);
    this.watched.delete(path);
    this.watched.set(path, known ?? watchCompactions(path, this.ports));
    for (const [earliest, end] of [...this.watched].slice(0, -mostWatched)) {
      end();
      this.watched.delete(earliest);
    }
  }

  dispose(): void {
    for (const end of this.watched.values()) end();
    this.watched.clear();
  }
}

/**
 * Tells when the agent of a session compacts that nobody has opened. Of a file of lines only appended bytes are searched;
 * the session is read when they tell of a compaction. Documents and databases have no end to look at: they are followed
 * as if they were opened, as long as they are small.
 *
 * @returns what ends it
 */
function watchCompactions(path: string, ports: CompactionWatchPorts): () => void {
  const isLines = path.endsWith('.jsonl') && inDatabase(path) === undefined && !isSessionInFolder(path);
  return isLines ? watchLines(path, ports) : watchDocument(path, ports);
}

function watchLines(path: string, ports: CompactionWatchPorts): () => void {
  const lines = new MarkedLines(path);
  let looking: Promise<void> | undefined;
  let isStale = false;
  const lookWhileStale = async () => {
    while (isStale) {
      isStale = false;
      const known = await lines.look();
      if (known !== undefined) await tellSince(path, known, ports);
    }
  };
  const look = () => {
    isStale = true;
    looking ??= lookWhileStale()
      .catch(ports.failed)
      .finally(() => (looking = undefined));
  };
  const unwatch = watchPath(path, look);
  look();
  return unwatch;
}

/** @param known bytes at the beginning of the file; compactions in them are not new */
async function tellSince(path: string, known: number, ports: CompactionWatchPorts): Promise<void> {
  const reader = await ports.readerOf({ path, first: known });
  const live = await LiveSession.open(
    { ...ports, reader, name: '', quietTime: 0 },
    new AbortController().signal,
  );
  live.follow(({ compactions }) => {
    if (compactions.length > 0) ports.told({ path, session: live.session, compactions });
  });
  await live.look();
  live.dispose();
}

function watchDocument(path: string, ports: CompactionWatchPorts): () => void {
  const stopper = new AbortController();
  let live: LiveSession | undefined;
  const open = async () => {
    const { size } = await stat(inDatabase(path)?.database ?? path);
    if (size > largestDocument) return;
    const reader = await ports.readerOf({ path });
    live = await LiveSession.open({ ...ports, reader, name: '' }, stopper.signal);
    if (stopper.signal.aborted) return;
    live.follow(({ compactions }) => {
      if (live !== undefined && compactions.length > 0)
        ports.told({ path, session: live.session, compactions });
    });
  };
  open().catch(ports.failed);
  return () => {
    stopper.abort();
    live?.dispose();
  };
}
