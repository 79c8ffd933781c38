import type { CallHandlers } from '../../agent/worker-channel.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import { createHistorySearch, type HistorySearch } from '../../compaction/retrieval/history-search.ts';
import { loadTables, encodingCounter } from '../../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../compaction/tokens/usage.ts';
import { appendAll, emptyTranscript, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { breakDownTokens } from '../../insights/token-breakdown.ts';
import { LedgerFeed } from '../inspector/ledger-feed.ts';
import { compactFor } from './compaction-task.ts';
import type { Counting, EngineThread, HostChannel, EngineMoment } from './engine-calls.ts';
import { learnUsages } from './entry-portions.ts';
import type { SessionReaders } from './session-readers.ts';
import { TrialTask } from './trial-task.ts';

/** A session that the engine works on. All calls about the session use the same object. */
interface Looked {
  readonly kept: KeptSession;
  readonly source: { transcript: Transcript };
  readonly searches: Map<UsageMeter, HistorySearch>;
}

/**
 * The functions of the engine, which runs on its own thread, or in slices on the host's thread.
 *
 * @param host the channel to the host
 */
export function createEngine(host: () => HostChannel): CallHandlers<EngineThread> {
  const sessions = new Map<string, Looked>();
  const meters = new Map<string, UsageMeter>();
  const ledgers = new LedgerFeed();
  const trials = new Map<number, TrialTask>();
  const stops = new Map<number, AbortController>();
  let readers: Promise<SessionReaders> | undefined;

  const meterOf = (counting: Counting): UsageMeter => {
    const key = JSON.stringify([counting.encoding, counting.imageRule]);
    const { encoding, imageRule } = counting;
    const meter =
      meters.get(key) ??
      new UsageMeter(encodingCounter(encoding, nodeSlices()), { countsReasoning: false, imageRule });
    meters.set(key, meter);
    return meter;
  };
  const looked = (session: string): Looked => {
    const found = sessions.get(session);
    if (found === undefined) throw new Error(`There is no copy of session ${session}.`);
    return found;
  };
  /** Returns the data that a call about a moment of a session needs. */
  const at = ({ session, entries, counting }: EngineMoment) => {
    const { kept, source, searches } = looked(session);
    source.transcript = kept.at(entries);
    return { source, searches, transcript: source.transcript, meter: meterOf(counting) };
  };
  /** Runs work that the host can stop. */
  const stoppable = async <T>(task: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const stop = new AbortController();
    stops.set(task, stop);
    try {
      return await work(stop.signal);
    } finally {
      stops.delete(task);
      trials.delete(task);
    }
  };
  const loadedReaders = () =>
    (readers ??= import('./session-readers.ts').then(({ SessionReaders }) => new SessionReaders()));
  const trialOf = (task: number): TrialTask => {
    const trial = trials.get(task);
    if (trial === undefined) throw new Error('No custom strategy is planning.');
    return trial;
  };

  return {
    count: (encoding, texts) => encodingCounter(encoding, nodeSlices()).count(texts),
    tables: loadTables,
    entries(session, from, some, usages, counting) {
      const source = { transcript: emptyCopy };
      const found = sessions.get(session) ?? { kept: new KeptSession(), source, searches: new Map() };
      sessions.set(session, found);
      found.kept.replace(from, some);
      learnUsages(meterOf(counting), { some, usages });
    },
    forget: (session) => void sessions.delete(session),
    facts: (moment, filter, from) => ledgers.facts(at(moment).source, filter, from),
    async prepareSearch(moment) {
      const { source, meter } = at(moment);
      await ledgers.prepareSearch(source, meter);
    },
    search(moment, query, most) {
      const { source, meter } = at(moment);
      return ledgers.search(source, meter, query, most);
    },
    searchHistory(moment, query, most) {
      const { transcript, searches, meter } = at(moment);
      const search = searches.get(meter) ?? createHistorySearch((texts) => meter.countTexts(texts));
      searches.set(meter, search);
      return search(transcript, query, most);
    },
    breakDown(moment, held, most) {
      const { transcript, meter } = at(moment);
      return breakDownTokens({ ...held, view: transcript.view, pins: transcript.pins }, meter, most);
    },
    compact(moment, task, run) {
      const { transcript, meter } = at(moment);
      return stoppable(task, (signal) => compactFor(task, run, { transcript, meter, host: host() }, signal));
    },
    tryStrategies(moment, task, trial) {
      const { transcript, meter } = at(moment);
      const trying = new TrialTask(task, host());
      trials.set(task, trying);
      return stoppable(task, (signal) => trying.run(trial, transcript, meter, signal));
    },
    importChat: (task, run) =>
      stoppable(task, async (signal) => {
        // The readers of all formats are needed only for sessions of other agents.
        const { importFor } = await import('./session-readers.ts');
        return importFor(task, run, { meter: meterOf(run.counting), host: host() }, signal);
      }),
    readSession: (task, run) =>
      stoppable(task, async (signal) =>
        (await loadedReaders()).read(task, run, { meter: meterOf(run.counting), host: host() }, signal),
      ),
    readOther: (task, run, conversation) =>
      stoppable(task, async (signal) => {
        const place = { meter: meterOf(run.counting), host: host() };
        return (await loadedReaders()).readOther(task, run, conversation, place, signal);
      }),
    async dropReader(reader) {
      (await readers)?.drop(reader);
    },
    stop: (task) => stops.get(task)?.abort(),
    countFor: (task, texts) => trialOf(task).ports.meter.count(texts),
    summariseFor: (task, ids, focus) => trialOf(task).model.summarise(ids, focus),
    promptFor: (task, prompt) => trialOf(task).model.prompt(prompt),
  };
}

const emptyCopy: Transcript = { ...emptyTranscript };

/** The engine's copy of a session. Each entry is sent once and stays available to later calls. */
class KeptSession {
  private readonly entries: TranscriptEntry[] = [];
  private built = emptyTranscript;

  /** Replaces all entries after the first `from` entries. */
  replace(from: number, some: readonly TranscriptEntry[]): void {
    if (from > this.entries.length) throw new Error(`The copy ends before entry ${from}.`);
    if (this.built.entries.length > from) this.built = emptyTranscript;
    this.entries.splice(from, Infinity, ...some);
  }

  /** The transcript when it had `length` entries. Returns the same object until another length is requested. */
  at(length: number): Transcript {
    const known = this.built.entries.length > length ? emptyTranscript : this.built;
    this.built = appendAll(known, this.entries.slice(known.entries.length, length));
    return this.built;
  }
}
