import type { Message, ToolSchema } from '../../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import type { CompactionPorts } from '../../../src/compaction/service/compact.ts';
import type {
  CompactionEvent,
  CompactionHost,
  CompactionSettings,
} from '../../../src/compaction/service/service-ports.ts';
import { CompactionService } from '../../../src/compaction/service/service.ts';
import { ladder } from '../../../src/compaction/strategies/ladder.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import type { SummaryModel, SummaryReply } from '../../../src/compaction/summary/summary-model.ts';
import type { CancellationSignal } from '../../../src/compaction/signals/cancellation.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import {
  append,
  emptyTranscript,
  recordsOf,
  type Transcript,
} from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { entriesOf, said, textOfTokens, typed } from '../../support/messages.ts';

export const never = new AbortController().signal;

/** A transcript in memory. */
export class Host implements CompactionHost {
  transcript: Transcript = emptyTranscript;
  tools: readonly ToolSchema[] = [];
  /** Each applied record, with its view. */
  readonly appliedTo: (readonly [CompactionRecord, Transcript])[] = [];

  append(entry: TranscriptEntry): Promise<void> {
    if (entry.type === 'compaction' && entry.record.status === 'applied') {
      this.appliedTo.push([entry.record, this.transcript]);
    }
    this.transcript = append(this.transcript, entry);
    return Promise.resolve();
  }

  say(...messages: readonly Message[]): void {
    for (const entry of entriesOf(messages)) this.transcript = append(this.transcript, entry);
  }
}

/** A summarising model that answers on request. */
export class PatientModel implements SummaryModel {
  readonly id = 'patient';
  readonly window = 128_000;
  /** Number of summaries requested. */
  asked = 0;
  /** Largest number of summaries written concurrently. */
  mostAtOnce = 0;
  private waiting: ((reply: SummaryReply | Error) => void)[] = [];

  summarise(_request: unknown, signal: CancellationSignal): Promise<SummaryReply> {
    if (signal.aborted) return Promise.reject(new Error('hung up'));
    this.asked++;
    return new Promise((resolve, reject) => {
      const answer = (reply: SummaryReply | Error) => {
        this.waiting = this.waiting.filter((one) => one !== answer);
        if (reply instanceof Error) reject(reply);
        else resolve(reply);
      };
      signal.addEventListener('abort', () => answer(new Error('hung up')), { once: true });
      this.waiting.push(answer);
      this.mostAtOnce = Math.max(this.mostAtOnce, this.waiting.length);
    });
  }

  get isWriting(): boolean {
    return this.waiting.length > 0;
  }

  /** Answers the request that has waited longest, if there is one. */
  answer(reply: string | Error = '<summary>notes</summary>'): void {
    this.waiting[0]?.(typeof reply === 'string' ? { content: reply, finishReason: 'stop' } : reply);
  }
}

/** A service in memory, with a model that answers on request. */
export class ServiceHarness {
  readonly host = new Host();
  readonly model = new PatientModel();
  readonly events: CompactionEvent[] = [];
  settings: CompactionSettings = {
    strategy: llmSummary,
    options: resolveOptions(llmSummary.options, {}).options,
    budget: {
      window: 10_000,
      reservedOutput: 1_500,
      triggerRatio: 0.75,
      targetRatio: 0.5,
      backgroundRatio: 0.65,
    },
    mode: 'auto',
    protectFirst: false,
  };
  readonly service: CompactionService;
  private readonly meter: UsageMeter;
  private lastRecord = 0;

  constructor(meter: UsageMeter, ports: Pick<CompactionPorts, 'readFile'> = {}) {
    this.meter = meter;
    this.service = new CompactionService(
      this.host,
      {
        ...ports,
        meter,
        model: () => this.model,
        clock: { now: () => 0 },
        nextRecordId: () => `c${++this.lastRecord}`,
      },
      () => this.settings,
      (event) => this.events.push(event),
    );
  }

  choose(strategy: Strategy, options = {}): void {
    this.settings = {
      ...this.settings,
      strategy,
      options: resolveOptions(strategy.options, options).options,
    };
  }

  /** A turn of about this many tokens. */
  fill(tokens: number): void {
    const count = this.host.transcript.entries.length;
    this.host.say(typed(`u${count}`, 'go on'), said(`a${count}`, textOfTokens(tokens)));
  }

  /** Answers every requested summary until the work is done. */
  async answering<T>(work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const end = () => over.abort();
    work.then(end, end);
    while (!over.signal.aborted) {
      await settle();
      this.model.answer();
    }
    return work;
  }

  get records(): readonly CompactionRecord[] {
    return recordsOf(this.host.transcript);
  }

  /** Short form of the events: `start`, `end`, in parentheses if they do not block. */
  get told(): readonly string[] {
    return this.events.flatMap((event) => {
      if (event.type === 'compaction-proposed' || event.type === 'compaction-phase') return [];
      const name = event.type === 'compaction-start' ? 'start' : (event.discarded?.code ?? 'end');
      return [event.isBackground === true ? `(${name})` : name];
    });
  }

  async tokens(): Promise<number> {
    return (await this.service.usage()).total;
  }

  /** Size of messages, in tokens. */
  async sizeOf(messages: readonly Message[]): Promise<number> {
    return (await this.meter.measure(messages)).total;
  }
}

/** Loads the modules of a first compaction. From then on each step takes one turn of the event loop. */
export async function loadCompactions(meter: UsageMeter): Promise<void> {
  const harness = new ServiceHarness(meter);
  for (const strategy of [llmSummary, ladder]) {
    harness.choose(strategy);
    harness.fill(4_000);
    harness.fill(4_000);
    await harness.answering(harness.service.compactNow({}, never));
  }
}

/** Lets everything run that only waits for its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
