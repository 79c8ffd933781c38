import type { ApprovalRequest } from '../../agent/approvals/approval-request.ts';
import { ruleInWords } from '../../agent/approvals/approval-rules.ts';
import type { FileChange } from '../../agent/edits/file-editor.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import { editedFile, unifiedDiff } from '../../agent/edits/line-diff.ts';
import { newestPlan, planSource } from '../../agent/memory/agent-plan.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent } from '../../agent/session/session-ports.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import { isTyped, textOf, typedText } from '../../compaction/messages/message.ts';
import type { TriggerSource } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { ApprovalView, ChatRow, PlanStepView } from '../../protocol/chat-rows.ts';
import type { ChatChange, Meter } from '../../protocol/chat.ts';
import { ChatRowBuilder } from './chat-row-builder.ts';
import { outOfContext } from './out-of-context.ts';
import { replayRows } from './replay.ts';
import { nextSize } from '../next-size.ts';
import { ReplyCount } from './reply-count.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { DescribeCall } from '../../agent/tools/catalogue.ts';

interface FeedPorts {
  readonly meterOf: () => UsageMeter;
  readonly wording: Wording;
  readonly changed: (changes: readonly ChatChange[]) => void;
  readonly failed: (message: string) => void;
  /** True if the session continues in another window, where its calls may still return a result. */
  readonly isElsewhere?: boolean;
}

const movesMeter: ReadonlySet<AgentEvent['type']> = new Set(['entry', 'compaction-start', 'compaction-end']);

/** Turns the events of a session into rows of the chat and a meter, in order. */
export class ChatFeed {
  private readonly session: AgentSession;
  private readonly ports: FeedPorts;
  private readonly rows: ChatRowBuilder;
  /** Describes a call. Loaded with the code of the tools, before the first row that needs it. */
  private describeCall: DescribeCall = () => '';
  /** Resolves when all events so far are handled. Events are handled in turn, because counting is asynchronous. */
  private queue: Promise<void> = Promise.resolve();
  private isMeterStale = false;
  private readonly reply: ReplyCount;
  /** Id of a call's row → the file changes that the call would make. Kept until the program ends. */
  private readonly asked = new Map<string, readonly FileChange[]>();
  /** Resolves when the earlier conversation is shown; rejects if it cannot be shown. */
  readonly ready: Promise<void>;

  constructor(session: AgentSession, ports: FeedPorts) {
    this.session = session;
    this.ports = ports;
    this.rows = new ChatRowBuilder((...call) => this.describeCall(...call), ports.wording);
    this.reply = new ReplyCount(ports.meterOf);
    // Messages that are added later arrive as events.
    this.ready = this.replay(session.transcript.entries);
    this.enqueue(() => this.ready);
  }

  /** Returns all rows once the events so far are handled. */
  async allRows(): Promise<readonly ChatRow[]> {
    await this.queue;
    return this.rows.all();
  }

  /** The whole result of a call by the id of its row, or undefined. */
  outputOf(rowId: string): string | undefined {
    const messageId = this.rows.resultOf(rowId);
    const result = messagesOf(this.session.transcript).find(({ id }) => id === messageId);
    return result === undefined ? undefined : textOf(result.content);
  }

  /** The whole text of a message; for a typed message, only the typed text. Undefined if no message has the id. */
  textOf(messageId: string): string | undefined {
    const message = messagesOf(this.session.transcript).find(({ id }) => id === messageId);
    if (message === undefined) return undefined;
    return isTyped(message) ? typedText(message).trimEnd() : textOf(message.content);
  }

  /** The file changes, made or proposed, of a call that needed approval. */
  changesOf(rowId: string): readonly FileChange[] {
    return this.asked.get(rowId) ?? [];
  }

  handle(event: AgentEvent): void {
    const isDropped = this.followReply(event);
    this.enqueue(async () => {
      const slices = nodeSlices();
      for (const [index, part] of partsOf(event).entries()) {
        if (index > 0 && slices.isOver) await slices.next();
        const changes = await this.changesFor(part);
        if (changes.length > 0) this.ports.changed(changes);
      }
    });
    if (isDropped || movesMeter.has(event.type)) this.refreshMeter();
  }

  refreshMeter(): void {
    if (this.isMeterStale) return;
    this.isMeterStale = true;
    this.enqueue(async () => {
      this.isMeterStale = false;
      // Read before the count, because `streamed` becomes 0 if the reply ends during the count.
      const { streamed } = this;
      const state = { meter: await this.meter(), streamed, proposal: this.proposal };
      this.ports.changed([{ type: 'state', state }]);
    });
  }

  /** Tokens of the streamed reply that the meter does not include yet. */
  get streamed(): number {
    return this.reply.tokens;
  }

  get pins(): readonly string[] {
    return [...this.session.transcript.pins];
  }

  get outOfContext(): ReturnType<typeof outOfContext> {
    return outOfContext(this.session.transcript);
  }

  get plan(): readonly PlanStepView[] {
    return newestPlan(messagesOf(this.session.transcript)) ?? [];
  }

  /** Trigger of the compaction that waits for the user's approval, or null. */
  get proposal(): TriggerSource | null {
    return this.session.compaction.proposal?.source ?? null;
  }

  async meter(): Promise<Meter> {
    const { compaction } = this.session;
    const { tokens, byKind } = await nextSize(this.session, () => this.refreshMeter());
    const { window } = compaction.budget;
    const { isBreakerOpen, isSpendingLimitReached } = compaction;
    const reported = messagesOf(this.session.transcript).findLast(({ usage }) => usage !== undefined)?.usage;
    return {
      tokens,
      byKind,
      window,
      ...compaction.outlook(),
      isBreakerOpen,
      isSpendingLimitReached,
      reported,
    };
  }

  private async replay(entries: readonly TranscriptEntry[]): Promise<void> {
    ({ describeCall: this.describeCall } = await import('../../agent/tools/catalogue.ts'));
    const meter = this.ports.meterOf();
    await meter.measureEach(entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])));
    const edits = this.session.edits.all;
    await replayRows(this.rows, { entries, edits, tokensOf: (message) => meter.knownUsage(message)?.total });
    if (!this.session.isBusy && this.ports.isElsewhere !== true) this.rows.endTurn();
    this.rows.setTurn(this.session.lastTurn);
  }

  private async changesFor(event: AgentEvent): Promise<readonly ChatChange[]> {
    switch (event.type) {
      case 'entry': {
        const rows = this.rows.addEntry(event.entry, await this.tokensOf(event.entry));
        if (event.entry.type === 'pin') {
          return [...rows, { type: 'state', state: { pins: this.pins } }];
        }
        if (movesContext(event.entry)) return [...rows, { type: 'state', state: this.outOfContext }];
        const isPlan = event.entry.type === 'message' && event.entry.message.source === planSource;
        return isPlan ? [...rows, { type: 'state', state: { plan: this.plan } }] : rows;
      }
      case 'text':
        this.reply.add(event.messageId, event.text);
        return [
          ...this.rows.addStreamed('text', event.messageId, event.text),
          ...(this.streamed === 0 ? [] : [{ type: 'streamed', tokens: this.streamed } as const]),
        ];
      case 'reasoning':
        return this.rows.addStreamed('reasoning', event.messageId, event.text);
      case 'activity': {
        const { activity } = event;
        const ended = activity === 'idle' ? this.rows.endTurn() : [];
        return [...ended, { type: 'state', state: { activity } }];
      }
      case 'turn':
        return this.rows.setTurn(event.turn);
      case 'title':
        return [{ type: 'state', state: { title: event.title } }];
      case 'approval':
        return this.setApproval(event.callKey, event.request);
      case 'action':
        return this.rows.startAction(event.callKey);
      case 'output':
        return this.rows.addOutput(event.callKey, event.text);
      case 'sub-agents':
        return this.rows.setSubAgents(event.callKey, event.subAgents);
      case 'edits':
        return this.rows.setEdits(event.edits);
      case 'queue':
        return [{ type: 'state', state: { queue: event.queue } }];
      case 'compaction-proposed':
        return [{ type: 'state', state: { proposal: event.trigger?.source ?? null } }];
      case 'tools':
      case 'unsaid':
      case 'warning':
      case 'compaction-start':
      case 'compaction-end':
      case 'compaction-phase':
        return [];
    }
  }

  /** Starts and ends the count of replies. @returns true if a shown reply will not become a message */
  private followReply(event: AgentEvent): boolean {
    if (event.type === 'entry' && event.entry.type === 'message' && event.entry.message.role === 'assistant')
      this.reply.said(event.entry.message.id);
    if (event.type !== 'activity' || (event.activity !== 'waiting' && event.activity !== 'idle'))
      return false;
    const isDropped = this.streamed > 0;
    this.reply.end();
    if (event.activity === 'waiting') this.reply.expect();
    return isDropped;
  }

  private setApproval(rowId: string, request: ApprovalRequest | undefined): readonly ChatChange[] {
    if (request?.changes !== undefined) this.asked.set(rowId, request.changes);
    return this.rows.setApproval(rowId, request && approvalView(request, this.ports.wording));
  }

  private async tokensOf(entry: TranscriptEntry): Promise<number> {
    if (entry.type !== 'message') return 0;
    const [usage] = await this.ports.meterOf().measureEach([entry.message]);
    return usage?.total ?? 0;
  }

  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(work).catch((error: unknown) => this.ports.failed(messageOf(error)));
  }
}

/** True if an entry moves messages into or out of the context. Adding a message does not count. */
function movesContext(entry: TranscriptEntry): boolean {
  return (
    entry.type === 'undo' ||
    entry.type === 'restore' ||
    (entry.type === 'compaction' && entry.record.status === 'applied')
  );
}

/** Splits text that a model sent at once into several events, so that no message to the page is too long. */
function partsOf(event: AgentEvent): readonly AgentEvent[] {
  if (event.type !== 'text' && event.type !== 'reasoning') return [event];
  return batchesOf(event.text).map((text) => ({ ...event, text }));
}

/** Maximum characters of a diff in the chat; the diff editor shows the whole diff. */
const longestDiff = 20_000;

/** The approval request as the user sees it, without file contents. */
export function approvalView(request: ApprovalRequest, wording: Wording): ApprovalView {
  const { kind, title, details, warnings = [], changes = [], rule, terms } = request;
  const warning = warnings
    .map((sentence) => wording.text(sentence))
    .join(wording.language === 'en' ? ' ' : '');
  return {
    kind,
    title: wording.text(title),
    details: typeof details === 'string' ? details : details.map((line) => wording.text(line)).join('\n'),
    changes: changes.map((change) => ({ ...editedFile(change), diff: diffOf(change) })),
    warning: warning || undefined,
    rule: rule && wording.text(ruleInWords(rule)),
    terms,
  };
}

function diffOf({ before, after }: FileChange): string {
  const diff = unifiedDiff(before ?? '', after ?? '');
  if (diff.length <= longestDiff) return diff;
  return diff.slice(0, diff.lastIndexOf('\n', longestDiff) + 1);
}

/** Maximum UTF-8 bytes of a text as JSON in one message. The whole message may have 2 kB. */
const longestBatch = 1_600;

/** Splits streamed text into pieces for one message each. No piece is empty or ends inside a character. */
export function batchesOf(text: string): readonly string[] {
  const batches: string[] = [];
  let start = 0;
  let end = 0;
  let bytes = 0;
  for (const character of text) {
    const more = bytesOf(character);
    if (bytes + more > longestBatch) {
      batches.push(text.slice(start, end));
      start = end;
      bytes = 0;
    }
    end += character.length;
    bytes += more;
  }
  if (end > start) batches.push(text.slice(start, end));
  return batches;
}

/** Maximum bytes of a character in JSON. Control characters and half surrogate pairs are written as `\uXXXX`. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
  if (code < 0x80) return character === '"' || character === '\\' ? 2 : 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}
