import type { ToolSchema } from '../../compaction/messages/message.ts';
import type { RunOverrides } from '../../compaction/service/start-compaction.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { HistoryMatches, HistorySearch } from '../../compaction/retrieval/history-search.ts';
import type { CompactionService } from '../../compaction/service/service.ts';
import type { CompactionEvent } from '../../compaction/service/service-ports.ts';
import type { ToolHistory } from '../../compaction/transcript/transcript-entry.ts';
import type { Base, Transcript } from '../../compaction/transcript/transcript.ts';
import type { PlannedCompaction } from '../../compaction/service/run-and-record.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import type { SessionEvent, ToolSet, TurnEvent } from '../../transcripts/session/session-event.ts';
import { PendingApprovals } from '../approvals/approval-request.ts';
import { CallStops, ExclusiveWork } from './exclusive-work.ts';
import type { NextRequestPorts } from '../attachments/attachments.ts';
import { SessionEdits } from '../edits/session-edits.ts';
import { followEvent, LastTurn } from './last-turn.ts';
import { firstRequest, MessageWriter, openingMessages } from './message-writer.ts';
import { createSessionCompaction, Journal } from './journal.ts';
import { MessageQueue } from './message-queue.ts';
import { markEntry, type MarkRequest } from '../../compaction/manual-edits/mark-sentence.ts';
import { setPinned, type PinOutcome } from './pins.ts';
import { PlanKeeper } from '../memory/agent-plan.ts';
import { SkillKeeper } from '../memory/skill-messages.ts';
import { continueText } from './system-prompt.ts';
import type { Activity, AgentEvent, Models, SessionPorts, SessionOpening } from './session-ports.ts';
import type { ToolSwitch } from './switched-off.ts';
import { Toolbox } from './toolbox.ts';
import { titleOf } from '../../transcripts/reading/typed-title.ts';
import type { AgentTool } from '../tools/support/tool.ts';
import { shownBy, type TurnContext } from './turn-context.ts';

/** A session: its transcript, the agent that continues it, and its compactions. */
export class AgentSession {
  readonly compaction: CompactionService;
  readonly approvals: PendingApprovals;
  readonly queue: MessageQueue;
  readonly edits: SessionEdits;
  /** The signals that stop a single action, while the turn continues with its output. */
  readonly stops = new CallStops();
  private readonly ports: SessionPorts;
  private readonly emit: (event: AgentEvent) => void;
  private readonly journal: Journal;
  private historySearch: Promise<HistorySearch> | undefined;
  private readonly writer: MessageWriter;
  private readonly toolbox: Toolbox;
  private readonly plan: PlanKeeper;
  private readonly skills: SkillKeeper;
  private models: Models | undefined;
  private readonly work = new ExclusiveWork((wasStopped) => this.ended(wasStopped));
  private state: Activity = 'idle';
  private name: string | undefined;
  private readonly turn: LastTurn;

  constructor(start: SessionOpening, ports: SessionPorts, emit: (event: AgentEvent) => void) {
    this.ports = ports;
    this.emit = emit;
    this.name = start.title;
    this.journal = new Journal({ ...start, folder: ports.folder?.() }, ports.log, (entry) =>
      emit({ type: 'entry', entry }),
    );
    this.turn = new LastTurn(
      start.lastTurn,
      (turn) => this.journal.append(turn),
      (turn) => emit({ type: 'turn', turn }),
    );
    this.approvals = new PendingApprovals(ports.approvals, (callKey, request) =>
      emit({ type: 'approval', callKey, request }),
    );
    this.queue = new MessageQueue(
      start.queue ?? [],
      (texts) => this.journal.append({ type: 'queue', texts }),
      (queue) => emit({ type: 'queue', queue }),
    );
    this.edits = new SessionEdits(ports.files, start.edits ?? [], async (edits) => {
      await this.journal.append(edits);
      emit({ type: 'edits', edits });
    });
    this.writer = new MessageWriter(this.journal, () => this.now());
    this.plan = new PlanKeeper(this.journal);
    this.skills = new SkillKeeper(this.journal);
    this.toolbox = new Toolbox(this.journal, {
      meter: () => ports.meter,
      onDemand: ports.mcpToolsOnDemand ?? (() => 'never'),
      window: () => this.compaction.budget.window,
      offered: () => this.toolsFor(undefined),
    });
    const models = () => this.models;
    this.compaction = createSessionCompaction(this.journal, ports, models, (event) =>
      this.tellCompaction(event),
    );
  }

  get folder(): string | undefined {
    return this.journal.folder;
  }

  get transcript(): Transcript {
    return this.journal.transcript;
  }

  get tools(): readonly ToolSchema[] {
    return this.journal.tools;
  }

  get toolHistory(): ToolHistory {
    return this.journal.toolHistory;
  }

  get title(): string {
    return this.name ?? 'New chat';
  }

  get activity(): Activity {
    return this.state;
  }

  get isBusy(): boolean {
    return this.work.isBusy;
  }

  get isEmpty(): boolean {
    return this.journal.isEmpty;
  }

  /** The contents of the next request, without the message that the user is typing. */
  get nextRequest(): NextRequestPorts {
    if (!this.isEmpty) return this.compaction;
    return firstRequest(this.ports, async () => (await this.toolSet()).tools, this.compaction);
  }

  get lastTurn(): TurnEvent | undefined {
    return this.turn.event;
  }

  /**
   * Sends a message; during a turn, before the next model call. Resolves after the turn.
   * @param origin `model` for a sub-agent's task
   * @returns true if the message was accepted
   */
  async send(text: string, origin: 'person' | 'model' = 'person'): Promise<boolean> {
    if (text.trim() === '') return false;
    if (this.isBusy) {
      await this.queue.add(text);
      return true;
    }
    await this.work.run(async (signal) => {
      const opening = await openingMessages(this.journal, this.ports);
      for (const message of opening) await this.writer.append(message);
      if (this.name === undefined) await this.rename(titleOf(text));
      await this.sayQueued(signal);
      await this.say(text, origin, signal);
      await this.runTurn(signal);
    });
    return true;
  }

  /** Repeats the last turn from the point where it failed. */
  async retry(): Promise<boolean> {
    const last = this.transcript.view.findLast(({ kind }) => kind !== 'file');
    if (this.isBusy || last === undefined) return false;
    await this.work.run(async (signal) => {
      if (last.role === 'assistant' && this.queue.all.length === 0)
        await this.writer.appendReminder(continueText);
      await this.runTurn(signal);
    });
    return true;
  }

  stop(): void {
    this.work.stop();
    void this.compaction.stopBackground();
  }

  async rename(title: string): Promise<void> {
    this.name = title;
    await this.journal.append({ type: 'title', title });
    this.emit({ type: 'title', title });
  }

  /** Compacts now, or before the next model call of a running turn. The options are already checked. */
  compactNow(request: RunOverrides = {}): Promise<CompactionRecord> {
    this.compaction.answerProposal();
    return this.work.atPause(async (signal) => {
      this.models = await this.ports.models();
      return this.compaction.compactNow(request, signal);
    });
  }

  /** Plans a compaction for a preview, without changing anything or delaying the running work. */
  async preview(request: RunOverrides, signal: CancellationSignal): Promise<PlannedCompaction> {
    this.models = await this.ports.models();
    return this.compaction.preview(request, signal);
  }

  /** @throws {TranscriptError} if the record is not in force */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.work.atPause(() => this.compaction.undo(recordId));
  }

  /** Pins or unpins messages. @throws {TranscriptError} unless the transcript contains all of them */
  pin(messageIds: readonly string[], pinned: boolean): Promise<PinOutcome> {
    const restore = (messageId: string) => this.compaction.restore(messageId);
    return this.work.atPause(() => setPinned(this.journal, messageIds, pinned, this.now(), restore));
  }

  /** Marks a sentence, or removes its newest mark. @returns false if nothing changed @throws {TranscriptError} */
  async mark(request: MarkRequest): Promise<boolean> {
    const entry = markEntry(this.transcript, request, this.now());
    if (entry !== undefined) await this.journal.append(entry);
    return entry !== undefined;
  }

  /** Applies a preview, unless the context has changed since it was made. */
  applyRecord(record: CompactionRecord, base: Base): Promise<CompactionRecord> {
    return this.work.atPause(() => this.compaction.applyRecord(record, base));
  }

  toolSet(): Promise<ToolSet> {
    return this.toolbox.look();
  }

  async switchTool(change: ToolSwitch): Promise<void> {
    await this.toolbox.switch(change);
    this.emit({ type: 'tools' });
  }

  /** @throws {TranscriptError} if the transcript does not contain the message */
  restore(messageId: string): Promise<readonly string[]> {
    return this.work.atPause(() => this.compaction.restore(messageId));
  }

  /** Takes over a line that another window wrote to this session. */
  follow(event: SessionEvent): void {
    const named = (title: string) => void (this.name = title);
    const { journal, turn, queue, edits, emit } = this;
    followEvent(event, { journal, turn, queue, edits, emit, named });
  }

  private async runTurn(signal: AbortSignal): Promise<void> {
    await this.turn.clear();
    await this.sayQueued(signal);
    const turnId = this.journal.lastTypedId;
    try {
      this.models = await this.ports.models();
      await this.toolbox.take(await this.toolsFor(turnId));
      // Imported on demand, so that activation does not load it.
      const { runTurn } = await import('./run-turn.ts');
      await runTurn(await this.turnContext(this.models), signal);
    } catch (error) {
      const isStopped = await this.turn.brokeOff(error, signal.aborted);
      // Messages that were queued during a stopped turn go back to the user.
      const unsaid = isStopped ? await this.queue.takeAll() : '';
      if (unsaid !== '') this.emit({ type: 'unsaid', text: unsaid });
    }
    await this.edits.endTurn(turnId);
    void this.takeBackground().catch(() => {});
  }

  /** Takes over a background compaction that ends after the turn. A failure is among its reported phases. */
  private async takeBackground(): Promise<void> {
    if (await this.compaction.backgroundEnded())
      await this.work.atPause((signal) => this.compaction.takeBackground(signal));
  }

  /** @param turnId id of the message that the turn answers */
  private async toolsFor(turnId: string | undefined): Promise<readonly AgentTool[]> {
    return this.ports.tools({
      recall: (id) => this.journal.original(id),
      searchHistory: (query) => this.searchHistory(query),
      requestCompaction: (focus) =>
        this.work.inPause((pause) => this.compaction.compactForAgent(focus, pause)),
      setPlan: (plan) => this.plan.set(plan),
      saySkill: (name, text) => this.skills.load(name, text),
      editor: await this.edits.editorOf(turnId),
      budget: () => this.compaction.budget,
      approvals: this.ports.approvals,
      isOff: (tool) => this.toolbox.isOff(tool),
      approve: (...question) => this.approvals.ask(...question),
      showSubAgents: (callKey, subAgents) => this.emit({ type: 'sub-agents', callKey, subAgents }),
    });
  }

  private async searchHistory(query: string): Promise<HistoryMatches> {
    const search = this.ports.historySearch ?? (await (this.historySearch ??= this.loadHistorySearch()));
    return search(this.transcript, query);
  }

  /** Loads the search when it is first used, so that activation does not load it. */
  private async loadHistorySearch(): Promise<HistorySearch> {
    const { createHistorySearch } = await import('../../compaction/retrieval/history-search.ts');
    return createHistorySearch((texts) => this.ports.meter.countTexts(texts));
  }

  private async turnContext(models: Models): Promise<TurnContext> {
    const { createIngest } = await import('../ingest/ingest.ts');
    const { toolbox } = this;
    return {
      journal: this.journal,
      model: models.chat,
      get tools() {
        return toolbox.inRequest;
      },
      compaction: this.compaction,
      approvals: this.approvals,
      stops: this.stops,
      ingest: createIngest(this.ports.meter, () => this.compaction.budget),
      now: () => this.now(),
      ...shownBy(this.emit),
      setActivity: (activity) => this.setActivity(activity),
      calledAll: async () => {
        await this.skills.say((skill) => this.writer.append(skill));
        const { hasFinishedStep } = await this.plan.say((plan) => this.writer.append(plan));
        if (hasFinishedStep) this.work.inPause((pause) => this.compaction.compactAfterStep(pause));
      },
      pause: async (signal) => {
        await this.work.pause(signal);
        await this.sayQueued(signal);
      },
    };
  }

  private sayQueued(signal: AbortSignal): Promise<void> {
    return this.queue.drain((text) => this.say(text, 'person', signal));
  }

  /** Appends a prompt. If its attachments cannot be read, the text is appended unchanged. */
  private async say(text: string, origin: 'person' | 'model', signal: AbortSignal): Promise<void> {
    const attachments = await this.ports.attachments?.(this.compaction);
    await this.writer.appendPrompt(text, origin, attachments?.attach, signal);
  }

  /** Sends the messages queued during the turn, unless the turn was stopped or failed. */
  private ended(wasStopped: boolean): void {
    this.setActivity('idle');
    if (wasStopped || this.turn.event !== undefined || this.queue.all.length === 0) return;
    void this.work.run((signal) => this.runTurn(signal)).catch(() => {});
  }

  private setActivity(activity: Activity): void {
    if (activity === this.state) return;
    this.state = activity;
    this.emit({ type: 'activity', activity });
  }

  private tellCompaction(event: CompactionEvent): void {
    const holdsUp = 'isBackground' in event ? !event.isBackground : event.type !== 'compaction-proposed';
    if (holdsUp && event.type === 'compaction-start') this.setActivity('compacting');
    this.emit(event);
    if (holdsUp && event.type === 'compaction-end') this.setActivity('waiting');
  }

  private now(): string {
    return new Date(this.ports.now()).toISOString();
  }
}
