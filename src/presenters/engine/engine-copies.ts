import { inPortions, nodeSlices } from '../../agent/node-slices.ts';
import type { CallHandlers } from '../../agent/worker-channel.ts';
import { sharedLength } from '../../compaction/messages/memoise.ts';
import type { ExactCounter } from '../../compaction/tokens/exact-counter.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import type { PartCounter } from '../../compaction/tokens/token-counter.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import type {
  CompactionHostPorts,
  Counting,
  EngineChannel,
  EngineHost,
  EngineMoment,
  ReadingHost,
  TrialHost,
} from './engine-calls.ts';
import { EngineLink } from './engine-link.ts';
import { entryPortions } from './entry-portions.ts';

const mostCopies = 4;

/** The session for which the engine is asked to work. */
export interface Asked {
  readonly session: string;
  readonly transcript: Pick<Transcript, 'entries'>;
  readonly meter: UsageMeter;
  readonly counting: Counting;
}

/** Work on the engine's copy of a session at one moment. */
export type EngineWork<T> = (channel: EngineChannel, at: EngineMoment) => Promise<T>;

/** Functions of the host that a task of the engine may call. */
export type TaskHost = Partial<CompactionHostPorts & TrialHost & ReadingHost>;

/** Copies sessions to the engine and answers the calls of its tasks. */
export class EngineCopies {
  private readonly link: EngineLink;
  private readonly tasks = new Map<number, TaskHost>();
  private lastTask = 0;
  /** Channel → session id → entries that were already sent. */
  private readonly copies = new WeakMap<EngineChannel, Map<string, readonly TranscriptEntry[]>>();
  private copying: Promise<unknown> = Promise.resolve();
  private readonly counters = new Map<EncodingName, Promise<ExactCounter>>();

  /** @param script the bundled `engine-worker.js` @param warn writes a line to the log */
  constructor(script: URL, warn: (message: string) => void) {
    this.link = new EngineLink(script, this.handlers(), warn);
  }

  run<T>(work: (channel: EngineChannel) => Promise<T>): Promise<T> {
    return this.link.run(work);
  }

  async on<T>(asked: Asked, work: EngineWork<T>): Promise<T> {
    const { session, transcript, counting } = asked;
    return this.link.run(async (channel) => {
      const copied = this.copying.then(() => this.copy(channel, asked));
      this.copying = copied.catch(() => {});
      await copied;
      return work(channel, { session, entries: transcript.entries.length, counting });
    });
  }

  /** Begins a task that the host can stop and that may call the host. @param work gets the number of the task */
  async task<T>(host: TaskHost, work: (task: number) => Promise<T>): Promise<T> {
    const task = ++this.lastTask;
    this.tasks.set(task, host);
    try {
      return await work(task);
    } finally {
      this.tasks.delete(task);
    }
  }

  dispose(): Promise<void> {
    return this.link.dispose();
  }

  /** Counts texts in portions. Other work of the host runs between two portions. */
  count(encoding: EncodingName, texts: readonly string[]): Promise<readonly number[]> {
    return this.link.run(async (channel) => {
      const slices = nodeSlices();
      const counts: Promise<readonly number[]>[] = [];
      for (const some of inPortions(texts, ({ length }) => length)) {
        const counting = channel.call('count', [encoding, some]);
        // Errors are handled below, after all portions were sent.
        counting.catch(() => {});
        counts.push(counting);
        if (slices.isOver) await slices.next();
      }
      return (await Promise.all(counts)).flat();
    });
  }

  /** Returns a counter on this thread, for text that arrives in parts. */
  async running(encoding: EncodingName): Promise<PartCounter> {
    const counter = this.counters.get(encoding) ?? this.counterOf(encoding);
    this.counters.set(encoding, counter);
    try {
      return (await counter).running();
    } catch (error) {
      this.counters.delete(encoding);
      throw error;
    }
  }

  private async counterOf(encoding: EncodingName): Promise<ExactCounter> {
    const [tables, { ExactCounter }] = await Promise.all([
      this.link.run((channel) => channel.call('tables', [encoding])),
      import('../../compaction/tokens/exact-counter.ts'),
    ]);
    return new ExactCounter(tables);
  }

  /** Sends the entries that the engine's copy of the session lacks, in portions. */
  private async copy(channel: EngineChannel, { session, transcript, meter, counting }: Asked): Promise<void> {
    const { entries } = transcript;
    const copies = this.copies.get(channel) ?? new Map<string, readonly TranscriptEntry[]>();
    this.copies.set(channel, copies);
    const sent = copies.get(session) ?? [];
    const same = sharedLength(sent, entries);
    copies.delete(session);
    // A longer copy already contains the requested moment.
    if (same === entries.length && same > 0) {
      copies.set(session, sent);
      return;
    }
    const slices = nodeSlices();
    let from = same;
    for (const { some, usages } of entryPortions(entries.slice(same), meter)) {
      const taking = channel.call('entries', [session, from, some, usages, counting]);
      taking.catch(() => {});
      from += some.length;
      if (slices.isOver) await slices.next();
    }
    if (entries.length === 0) await channel.call('entries', [session, 0, [], [], counting]);
    copies.set(session, entries);
    const [oldest] = copies.keys();
    if (copies.size <= mostCopies || oldest === undefined) return;
    copies.delete(oldest);
    await channel.call('forget', [oldest]);
  }

  private handlers(): CallHandlers<EngineHost> {
    const of = (task: number): TaskHost => this.tasks.get(task) ?? {};
    return {
      progress: (task, running, done) => of(task).progress?.(running, done),
      find: async (task) => of(task).find?.(),
      plan: (task, ...given) => of(task).plan?.(...given),
      phase: (task, phase) => of(task).phase?.(phase),
      summarise: (task, ...given) => asked(of(task).summarise)(...given),
      compactNatively: (task, ...given) => asked(of(task).compactNatively)(...given),
      readFile: async (task, path) => of(task).readFile?.(path),
      spent: (task, use) => of(task).spent?.(use),
      outputs: (task, record, some) => of(task).outputs?.(record, some),
      readShare: (task, share) => of(task).readShare?.(share),
      entriesRead: (task, some, usages) => of(task).entriesRead?.(some, usages),
    };
  }
}

/** @throws {Error} if the task has ended */
function asked<Asked>(ask: Asked | undefined): Asked {
  if (ask === undefined) throw new Error('The task is over.');
  return ask;
}
