import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { ImportedChat } from '../import/imported-chat.ts';
import type { ReadSession } from '../import/read-only-session.ts';
import { type SessionReader, withKnownParts } from '../live/session-reader.ts';
import { type SourcePlace, sourceOf } from '../live/session-source.ts';
import type { Counting, EngineChannel, ImportRun, ReaderRun, ReadingHost } from './engine-calls.ts';
import type { EngineClient } from './engine-client.ts';
import { stoppedBy } from './engine-tasks.ts';
import { learnUsages } from './entry-portions.ts';

/** The engine, and the meter that counts the entries that the engine reads. */
export interface EngineReading {
  readonly engine: EngineClient;
  readonly meterOf: () => UsageMeter;
}

/**
 * Reads another agent's session on the engine, to continue it as a chat.
 *
 * @throws {SentenceError} if the session cannot be read
 * @throws {CancelledError} if the signal was aborted
 */
export async function importOn(
  reading: EngineReading,
  run: Omit<ImportRun, 'counting'>,
  signal: AbortSignal,
): Promise<ImportedChat> {
  const { result, entries } = await readOn(reading, signal, (channel, task, counting) =>
    channel.call('importChat', [task, { ...run, counting }], { signal }),
  );
  return { ...result, entries };
}

let lastReader = 0;

/** Returns a reader for another agent's session that works on the engine. */
export function engineReader(reading: EngineReading, place: SourcePlace): SessionReader {
  const reader = ++lastReader;
  let known: ReadSession | undefined;
  let version = 0;
  const runOf = (counting: Counting): ReaderRun => ({ ...place, reader, version, counting });
  const readOther = async (id: string) => {
    const { signal } = new AbortController();
    const { result, entries } = await readOn(reading, signal, (channel, task, counting) =>
      channel.call('readOther', [task, runOf(counting), id]),
    );
    return { ...result, entries };
  };
  return {
    read: async (signal, progress) => {
      const { result, entries } = await readOn(
        reading,
        signal,
        (channel, task, counting) => channel.call('readSession', [task, runOf(counting)], { signal }),
        progress,
      );
      if (result === undefined) return undefined;
      const { version: read, same, others, ...part } = result;
      version = read;
      const later: ReadSession = {
        ...part,
        entries: [...(known?.entries.slice(0, same) ?? []), ...entries],
        others: others.map((other) => ({ ...other, read: () => readOther(other.id) })),
      };
      known = withKnownParts(later, known);
      return known;
    },
    watch: (changed) => sourceOf(place).watch(changed),
    dispose: () => {
      known = undefined;
      const dropping = reading.engine.run(reading.meterOf(), (channel) =>
        channel.call('dropReader', [reader]),
      );
      // If the engine has ended, its reader no longer exists.
      dropping.catch(() => {});
    },
  };
}

/** Reads on the engine. @returns the engine's answer, and the entries that the engine sent before the answer */
async function readOn<Result>(
  { engine, meterOf }: EngineReading,
  signal: AbortSignal,
  work: (channel: EngineChannel, task: number, counting: Counting) => Promise<Result>,
  readShare: (share: number) => void = () => {},
): Promise<{ readonly result: Result; readonly entries: readonly TranscriptEntry[] }> {
  throwIfCancelled(signal);
  const meter = meterOf();
  const entries: TranscriptEntry[] = [];
  const host = {
    readShare,
    entriesRead: (...[some, usages]: Parameters<ReadingHost['entriesRead']>) => {
      entries.push(...some);
      learnUsages(meter, { some, usages });
    },
  };
  const result = await engine.task(host, (task) =>
    engine.run(meter, (channel, counting) => {
      // Discards the entries that a dead thread sent.
      entries.length = 0;
      return stoppedBy(signal, channel, task, work(channel, task, counting));
    }),
  );
  return { result, entries };
}
