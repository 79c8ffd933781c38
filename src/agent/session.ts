import { CancelledError } from '../compaction/cancellation.ts';
import { messageOf } from '../compaction/failure.ts';
import type { Message, ToolSchema } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { CompactionService } from '../compaction/service.ts';
import type { CompactionEvent, CompactionSettings } from '../compaction/service-ports.ts';
import type { OutsideStrategy } from '../compaction/outside/outside-strategy.ts';
import { createHistorySearch, type HistorySearch } from '../compaction/retrieval/history-search.ts';
import type { SummaryModel } from '../compaction/summary/model.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import type { Transcript } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import type { SessionEvent, TurnEvent } from '../transcripts/session-event.ts';
import { Journal } from './journal.ts';
import type { ChatModel } from './model.ts';
import { continueText } from './prompt.ts';
import type { RequestCompaction } from './tools/compact.ts';
import type { SearchHistory } from './tools/search-history.ts';
import { titleOf } from './session-title.ts';
import type { Tool } from './tools/tool.ts';
import { runTurn, type TurnContext } from './turn.ts';

export type Activity = 'idle' | 'waiting' | 'streaming' | 'tools' | 'compacting';

/** What happens in a session, told after it was made durable. */
export type AgentEvent =
  | { readonly type: 'entry'; readonly entry: TranscriptEntry }
  | { readonly type: 'text'; readonly messageId: string; readonly text: string }
  | { readonly type: 'reasoning'; readonly messageId: string; readonly text: string }
  | { readonly type: 'activity'; readonly activity: Activity }
  | { readonly type: 'turn'; readonly turn: TurnEvent | undefined }
  | { readonly type: 'title'; readonly title: string }
  | CompactionEvent;

/** The models a session uses, as settings have them at one moment. */
export interface Models {
  readonly chat: ChatModel;
  /** Writes summaries where no other model is named; the chat's own where not given. */
  readonly compaction?: SummaryModel | undefined;
  /** The model of this name at the same provider, for summaries. */
  readonly named: (name: string) => SummaryModel;
}

/** What a session gets from its host. */
export interface SessionPorts {
  /** Appends to the session's file; resolves when it is there. */
  readonly log: (event: SessionEvent) => Promise<void>;
  /** Looked up at the beginning of each turn and compaction, which keeps what it began with. */
  readonly models: () => Promise<Models>;
  /** The tools that may be used now. They read and search originals of this session, and may ask to compact it. */
  readonly tools: (
    recall: (id: string) => Message | undefined,
    searchHistory: SearchHistory,
    requestCompaction: RequestCompaction,
  ) => readonly Tool[];
  readonly settings: () => CompactionSettings;
  /** The strategy that `custom` stands for now. */
  readonly outside?: () => Promise<OutsideStrategy>;
  readonly meter: UsageMeter;
  readonly systemPrompt: () => string;
  readonly now: () => number;
}

/** What is known of a session when it is opened. */
export interface SessionStart {
  readonly title: string | undefined;
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  readonly lastTurn: TurnEvent | undefined;
}

/** A conversation: its transcript, the agent that carries it on, and the compactions of its view. */
export class AgentSession {
  readonly compaction: CompactionService;
  private readonly ports: SessionPorts;
  private readonly emit: (event: AgentEvent) => void;
  private readonly journal: Journal;
  private readonly searchHistory: HistorySearch;
  private models: Models | undefined;
  private stopper: AbortController | undefined;
  private state: Activity = 'idle';
  private name: string | undefined;
  private turn: TurnEvent | undefined;
  /** Work on the view that waits for a moment between two model calls. */
  private waiting: ((signal: AbortSignal) => Promise<void>)[] = [];

  constructor(start: SessionStart, ports: SessionPorts, emit: (event: AgentEvent) => void) {
    this.ports = ports;
    this.emit = emit;
    this.name = start.title;
    this.turn = start.lastTurn;
    this.searchHistory = createHistorySearch((texts) => ports.meter.countTexts(texts));
    this.journal = new Journal(start, ports.log, (entry) => emit({ type: 'entry', entry }));
    this.compaction = new CompactionService(
      this.journal,
      {
        get meter() {
          return ports.meter;
        },
        model: (name) =>
          name === undefined ? (this.models?.compaction ?? this.models?.chat) : this.models?.named(name),
        ...(ports.outside === undefined ? {} : { outside: ports.outside }),
        clock: { now: ports.now },
        nextRecordId: () => this.journal.nextRecordId(),
      },
      ports.settings,
      (event) => this.tellCompaction(event),
    );
  }

  get transcript(): Transcript {
    return this.journal.transcript;
  }

  get title(): string {
    return this.name ?? 'New chat';
  }

  get activity(): Activity {
    return this.state;
  }

  get isBusy(): boolean {
    return this.stopper !== undefined;
  }

  /** Nothing was said yet. */
  get isEmpty(): boolean {
    return this.transcript.entries.every(({ type }) => type !== 'message');
  }

  /** How the last turn ended, where it was stopped or failed. */
  get lastTurn(): TurnEvent | undefined {
    return this.turn;
  }

  /**
   * Says something and lets the agent answer. Resolves when the turn is over, however it ended. While one is
   * running, nothing is sent.
   *
   * @returns whether the message was taken
   */
  async send(text: string): Promise<boolean> {
    if (this.isBusy || text.trim() === '') return false;
    await this.whileBusy(async (signal) => {
      if (this.isEmpty) await this.say('system', this.ports.systemPrompt());
      if (this.name === undefined) await this.rename(titleOf(text));
      await this.say('person', text);
      await this.runTurn(signal);
    });
    return true;
  }

  /** Tries the last turn again, from where it broke off. */
  async retry(): Promise<boolean> {
    const last = this.transcript.view.at(-1);
    if (this.isBusy || last === undefined) return false;
    await this.whileBusy(async (signal) => {
      if (last.role === 'assistant') await this.say('harness', continueText);
      await this.runTurn(signal);
    });
    return true;
  }

  /** Stops whatever is running: the model call, its tools, a compaction. */
  stop(): void {
    this.stopper?.abort();
  }

  async rename(title: string): Promise<void> {
    this.name = title;
    await this.journal.write({ type: 'title', title });
    this.emit({ type: 'title', title });
  }

  /** Compacts now, or, while a turn is running, before its next model call. */
  compactNow(focus?: string): Promise<CompactionRecord> {
    this.compaction.answerProposal();
    return this.atPause(async (signal) => {
      this.models = await this.ports.models();
      return this.compaction.compactNow({ focus }, signal);
    });
  }

  /** @throws {TranscriptError} if the record is not in force */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.atPause(() => this.compaction.undo(recordId));
  }

  /** @throws {TranscriptError} if the transcript has no such message */
  restore(messageId: string): Promise<readonly string[]> {
    return this.atPause(() => this.compaction.restore(messageId));
  }

  private async runTurn(signal: AbortSignal): Promise<void> {
    await this.setTurn(undefined);
    try {
      this.models = await this.ports.models();
      const tools = this.ports.tools(
        (id) => this.journal.original(id),
        (query) => this.searchHistory(this.transcript, query),
        (focus) => this.waiting.push((pause) => this.compaction.compactForAgent(focus, pause)),
      );
      await this.journal.setTools(tools.map(({ schema }) => schema));
      await runTurn(this.turnContext(this.models.chat, tools), signal);
    } catch (error) {
      const isStopped = error instanceof CancelledError || signal.aborted;
      await this.setTurn({
        type: 'turn',
        outcome: isStopped ? 'stopped' : 'failed',
        message: isStopped ? 'Stopped.' : messageOf(error),
      });
    }
  }

  private turnContext(model: ChatModel, tools: readonly Tool[]): TurnContext {
    return {
      journal: this.journal,
      model,
      tools,
      compaction: this.compaction,
      now: () => this.now(),
      showText: (messageId, text) => this.emit({ type: 'text', messageId, text }),
      showReasoning: (messageId, text) => this.emit({ type: 'reasoning', messageId, text }),
      setActivity: (activity) => this.setActivity(activity),
      pause: async (signal) => {
        for (const work of this.waiting.splice(0)) await work(signal);
      },
    };
  }

  /** Runs work on the view: at once when nothing else is running, otherwise between two model calls. */
  private async atPause<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (!this.isBusy) return this.whileBusy(work);
    return new Promise<T>((resolve, reject) => {
      this.waiting.push((signal) => work(signal).then(resolve, reject));
    });
  }

  private async whileBusy<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopper = new AbortController();
    this.stopper = stopper;
    try {
      return await work(stopper.signal);
    } finally {
      // What was asked for during the last model call has no later pause to wait for.
      for (const late of this.waiting.splice(0)) await late(stopper.signal);
      this.stopper = undefined;
      this.setActivity('idle');
    }
  }

  private say(who: 'system' | 'person' | 'harness', content: string): Promise<void> {
    const message = {
      content,
      id: this.journal.nextMessageId(),
      createdAt: this.now(),
    };
    return this.journal.append({
      type: 'message',
      message:
        who === 'system'
          ? { role: 'system', origin: 'harness', ...message }
          : who === 'person'
            ? { role: 'user', origin: 'person', ...message }
            : { role: 'user', origin: 'harness', kind: 'reminder', ...message },
    });
  }

  private async setTurn(turn: TurnEvent | undefined): Promise<void> {
    if (turn === this.turn) return;
    if (turn !== undefined) await this.journal.write(turn);
    this.turn = turn;
    this.emit({ type: 'turn', turn });
  }

  private setActivity(activity: Activity): void {
    if (activity === this.state) return;
    this.state = activity;
    this.emit({ type: 'activity', activity });
  }

  private tellCompaction(event: CompactionEvent): void {
    if (event.type === 'compaction-start') this.setActivity('compacting');
    this.emit(event);
    if (event.type === 'compaction-end') this.setActivity('waiting');
  }

  private now(): string {
    return new Date(this.ports.now()).toISOString();
  }
}
