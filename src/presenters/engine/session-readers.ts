import { sharedLength } from '../../compaction/messages/memoise.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { withResultsBehindCalls } from '../../transcripts/validate-import.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import { type ImportedChat, readImportedChat } from '../import/imported-chat.ts';
import { readSessionText } from '../import/session-text.ts';
import type { ReadSession } from '../import/read-only-session.ts';
import { readerOf, type SessionReader } from '../live/session-reader.ts';
import type { HostChannel, ImportRun, ReaderRun, ReadPart, ReadState } from './engine-calls.ts';
import { entryPortions } from './entry-portions.ts';

interface Reading {
  readonly reader: SessionReader;
  version: number;
  latest: ReadSession | undefined;
}

interface Place {
  readonly meter: UsageMeter;
  readonly host: HostChannel;
}

/** Sessions of other agents that the engine reads for the host. The host receives only changes. */
export class SessionReaders {
  private readonly readings = new Map<number, Reading>();

  async read(
    task: number,
    run: ReaderRun,
    { meter, host }: Place,
    signal: AbortSignal,
  ): Promise<ReadState | undefined> {
    const reading = this.readingOf(run);
    // A host with another version, for example from a dead thread, receives the whole session.
    const before = reading.version === run.version ? reading.latest : undefined;
    const latest = await readNext(reading, signal, (share) => {
      host.call('readShare', [task, share]).catch(() => {});
    });
    if (latest === undefined || latest === before) return undefined;
    const { entries, others = [], ...part } = latest;
    const same = sharedLength(before?.entries ?? [], entries);
    await send(task, entries.slice(same), { meter, host });
    return {
      ...part,
      version: reading.version,
      same,
      others: others.map(({ kind, id, opening }) => ({ kind, id, opening })),
    };
  }

  /** Implements `readOther` of the engine. @throws {Error} if the conversation no longer exists */
  async readOther(
    task: number,
    run: ReaderRun,
    conversation: string,
    place: Place,
    signal: AbortSignal,
  ): Promise<ReadPart> {
    const reading = this.readingOf(run);
    // If there is no state, the session was read by a thread that died.
    const latest = reading.latest ?? (await readNext(reading, signal, () => {}));
    const other = latest?.others?.find(({ id }) => id === conversation);
    if (other === undefined) throw new Error(`There is no conversation ${conversation} any more.`);
    const { entries, ...part } = withResultsBehindCalls(await other.read());
    await send(task, entries, place);
    return part;
  }

  drop(reader: number): void {
    this.readings.get(reader)?.reader.dispose();
    this.readings.delete(reader);
  }

  private readingOf(run: ReaderRun): Reading {
    const known = this.readings.get(run.reader);
    if (known !== undefined) return known;
    const reader = readerOf(run);
    const reading: Reading = { reader, version: 0, latest: undefined };
    this.readings.set(run.reader, reading);
    return reading;
  }
}

/**
 * Reads and counts a session in the engine, because parsing cannot be interrupted.
 *
 * @returns the chat without its entries, which are sent first
 * @throws {SentenceError} if the session cannot be read
 * @throws {CancelledError} if the signal was aborted
 */
export async function importFor(
  task: number,
  { path, name, systemPrompt }: Omit<ImportRun, 'counting'>,
  { meter, host }: Place,
  signal: AbortSignal,
): Promise<Omit<ImportedChat, 'entries'>> {
  const text = await readSessionText(path, signal, openedLimits);
  const ports = { meter, systemPrompt: () => systemPrompt };
  const { entries, ...chat } = await readImportedChat(text, name, ports, signal);
  await send(task, entries, { meter, host }, signal);
  return chat;
}

/** @returns the latest state, new or unchanged */
async function readNext(
  reading: Reading,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<ReadSession | undefined> {
  const next = await reading.reader.read(signal, progress);
  if (next !== undefined && next !== reading.latest) {
    reading.latest = next;
    reading.version++;
  }
  return reading.latest;
}

async function send(
  task: number,
  entries: readonly TranscriptEntry[],
  { meter, host }: Place,
  signal?: AbortSignal,
): Promise<void> {
  await meter.measureEach(messagesOf({ entries }));
  for (const { some, usages } of entryPortions(entries, meter)) {
    if (signal !== undefined) throwIfCancelled(signal);
    await host.call('entriesRead', [task, some, usages]);
  }
}
