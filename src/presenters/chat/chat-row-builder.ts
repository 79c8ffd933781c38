import { calledFunction } from '../../compaction/ledger/called-function.ts';
import { isPrompt, type Message, textOf, type ToolCall } from '../../compaction/messages/message.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { ApprovalView, ChatRow, ToolRow, UserRow } from '../../protocol/chat-rows.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import type { EditsEvent, TurnEvent } from '../../transcripts/session/session-event.ts';
import { shownWords } from '../../transcripts/reading/typed-title.ts';
import type { SubAgentProgress } from '../../agent/session/session-ports.ts';
import { phraseText, reasonText } from '../../compaction/records/reason.ts';
import { endOfResult } from '../../compaction/ledger/call-ends.ts';
import { factsOfCall } from '../../compaction/ledger/call-facts.ts';
import { headOf } from '../../compaction/text/clip.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { compactionRow } from './compaction-row.ts';
import type { DescribeCall } from '../../agent/tools/catalogue.ts';
import { picturesOf } from './picture-views.ts';

/** Characters shown of a tool's result until the user asks for all of it. */
const previewLength = 2_000;
/** Characters kept of a running action's output, counted from the end. */
const longestOutput = 20_000;

/** Keeps the rows of the chat up to date with each event, and returns only the changes for the page. */
export class ChatRowBuilder {
  private readonly describeCall: DescribeCall;
  private readonly wording: Wording;
  private readonly rows = new Map<string, ChatRow>();
  /** Call id → ids of the rows of calls that wait for a result, oldest first. */
  private readonly waiting = new Map<string, string[]>();
  /** Id of a call's row → id of the message with the result. */
  private readonly results = new Map<string, string>();
  /** Id of a call's row → the call's file changes, as shown to the user. */
  private readonly changes = new Map<string, ApprovalView['changes']>();
  private readonly pins = new Set<string>();

  /**
   * @param describeCall describes a call in a few words
   * @param wording words the program's own sentences; the conversation is not translated
   */
  constructor(describeCall: DescribeCall, wording: Wording) {
    this.describeCall = describeCall;
    this.wording = wording;
  }

  all(): readonly ChatRow[] {
    return [...this.rows.values()];
  }

  resultOf(rowId: string): string | undefined {
    return this.results.get(rowId);
  }

  /** @param tokens size of the message's result or text; undefined if unknown, or if the entry is not a message */
  addEntry(entry: TranscriptEntry, tokens: number | undefined): readonly ChatChange[] {
    switch (entry.type) {
      case 'message':
        return this.addMessage(entry.message, tokens);
      case 'compaction':
        return entry.record.status === 'unchanged' && entry.record.trigger.source !== 'manual'
          ? []
          : [this.set(compactionRow(entry.record, this.wording))];
      case 'undo':
        return entry.recordIds.flatMap((id) => {
          const row = this.rows.get(id);
          return row?.type === 'compaction' ? [this.set({ ...row, isUndone: true })] : [];
        });
      case 'pin':
        return entry.messageIds.flatMap((id) => this.setPin(id, entry.pinned));
      case 'restore':
      case 'mark':
        return [];
    }
  }

  /** Adds streamed text to the answer or the reasoning of a reply. */
  addStreamed(type: 'text' | 'reasoning', id: string, text: string): readonly ChatChange[] {
    const known = this.rows.get(id);
    const row = known?.type === 'assistant' ? known : undefined;
    const { markdown, reasoning } = row ?? { markdown: '', reasoning: '' };
    const added = type === 'text' ? { markdown: markdown + text } : { reasoning: reasoning + text };
    if (row === undefined)
      return [this.set({ type: 'assistant', id, markdown, reasoning, ...added, state: 'streaming' })];
    this.rows.set(id, { ...row, ...added });
    return [{ type, id, text }];
  }

  setApproval(rowId: string, approval: ApprovalView | undefined): readonly ChatChange[] {
    if (approval !== undefined) this.changes.set(rowId, approval.changes);
    return this.changeTool(rowId, ({ approval: _approval, ...row }) =>
      approval === undefined ? { ...row, state: 'running' } : { ...row, state: 'waiting', approval },
    );
  }

  startAction(rowId: string): readonly ChatChange[] {
    return this.changeTool(rowId, (row) => ({ ...row, canStop: true }));
  }

  addOutput(rowId: string, text: string): readonly ChatChange[] {
    const row = this.rows.get(rowId);
    if (row?.type !== 'tool') return [];
    this.rows.set(rowId, { ...row, output: `${row.output ?? ''}${text}`.slice(-longestOutput) });
    return [{ type: 'output', id: rowId, text }];
  }

  setSubAgents(rowId: string, subAgents: readonly SubAgentProgress[]): readonly ChatChange[] {
    const noted = (one: SubAgentProgress) => ({ ...one, note: phraseText(one.note, this.wording) });
    return this.changeTool(rowId, (row) => ({ ...row, subAgents: subAgents.map(noted) }));
  }

  /** Shows the file changes of a turn at its end. */
  setEdits({ turnId, files, isUndone }: EditsEvent): readonly ChatChange[] {
    const id = editsRowId(turnId);
    if (!isUndone) this.rows.delete(id);
    return [
      ...(isUndone ? [] : [{ type: 'row-removed', id } as const]),
      this.set({ type: 'edits', id, files, isUndone }),
    ];
  }

  /** Ends a turn. Calls that still wait will not get a result. */
  endTurn(): readonly ChatChange[] {
    const ids = [...this.waiting.values()].flat();
    this.waiting.clear();
    const streaming = this.all().filter((row) => row.type === 'assistant' && row.state === 'streaming');
    return [
      ...ids.flatMap((id) => {
        const row = this.rows.get(id);
        return row?.type === 'tool' ? [this.set(settled(row, 'interrupted'))] : [];
      }),
      ...streaming.map((row) => this.set({ ...row, state: 'stopped' } as ChatRow)),
    ];
  }

  /** Shows at the end of the chat how the last turn ended; undefined removes it. */
  setTurn(turn: TurnEvent | undefined): readonly ChatChange[] {
    if (turn === undefined) {
      return this.rows.delete(turnRowId) ? [{ type: 'row-removed', id: turnRowId }] : [];
    }
    this.rows.delete(turnRowId);
    return [
      this.set({
        type: 'error',
        id: turnRowId,
        message: reasonText(turn, this.wording),
        canRetry: true,
        isStopped: turn.outcome === 'stopped' || undefined,
      }),
    ];
  }

  private addMessage(message: Message, tokens: number | undefined): readonly ChatChange[] {
    if (message.pinned === true) this.pins.add(message.id);
    if (isPrompt(message)) return [this.set(userRow(message, tokens, this.pins.has(message.id)))];
    if (message.role === 'tool') return this.addResult(message, tokens);
    if (message.role !== 'assistant') return [];
    const text = textOf(message.content);
    const { reasoning = '', interrupted = false } = message;
    const changes: ChatChange[] = [];
    if (text !== '' || reasoning !== '') {
      const state = interrupted ? 'stopped' : 'done';
      const { id } = message;
      const isPinned = this.pins.has(id);
      changes.push(this.set({ type: 'assistant', id, markdown: text, reasoning, state, tokens, isPinned }));
    }
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      changes.push(this.set(this.toolRow(message.id, index, call)));
    }
    return changes;
  }

  private toolRow(callerId: string, index: number, call: ToolCall): ToolRow {
    const id = `${callerId}:${index}`;
    this.waiting.set(call.id, [...(this.waiting.get(call.id) ?? []), id]);
    const { name, arguments: input } = calledFunction(call.function);
    const { filesRead, filesModified } = factsOfCall(call);
    return {
      type: 'tool',
      id,
      tool: name,
      label: this.describeCall(name, input, this.wording),
      callerId,
      path: filesRead[0] ?? filesModified[0],
      state: 'running',
      preview: '',
      isClipped: false,
    };
  }

  /** Adds a result to the newest waiting call with the same id. The view pairs calls and results in the same way. */
  private addResult(message: Message, tokens: number | undefined): readonly ChatChange[] {
    const id = this.waiting.get(message.tool_call_id ?? '')?.pop();
    const row = id === undefined ? undefined : this.rows.get(id);
    if (row?.type !== 'tool') return [];
    this.results.set(row.id, message.id);
    const text = textOf(message.content);
    const { outcome } = message;
    const shown = this.changes.get(row.id) ?? [];
    const changed = (outcome?.files ?? []).map((file) => ({
      ...file,
      diff: shown.find(({ path }) => path === file.path)?.diff ?? '',
    }));
    return [
      this.set({
        ...settled(row, stateOf(message)),
        tokens,
        summary: outcome?.summary && this.wording.stored(outcome.sentence, outcome.summary),
        changes: changed.length === 0 ? undefined : changed,
        ...picturesOf(message),
        messageId: message.id,
        isPinned: this.pins.has(message.id),
        preview: headOf(text, previewLength),
        isClipped: text.length > previewLength,
      }),
    ];
  }

  private setPin(messageId: string, isPinned: boolean): readonly ChatChange[] {
    if (isPinned) this.pins.add(messageId);
    else this.pins.delete(messageId);
    return this.all().flatMap((row) => {
      const isMeant = row.type === 'tool' ? row.messageId === messageId : row.id === messageId;
      const canBePinned = row.type === 'tool' || row.type === 'user' || row.type === 'assistant';
      return isMeant && canBePinned ? [this.set({ ...row, isPinned })] : [];
    });
  }

  private changeTool(rowId: string, change: (row: ToolRow) => ToolRow): readonly ChatChange[] {
    const row = this.rows.get(rowId);
    return row?.type === 'tool' ? [this.set(change(row))] : [];
  }

  private set(row: ChatRow): ChatChange {
    this.rows.set(row.id, row);
    return { type: 'row', row };
  }
}

/** The row of a user message. Its attachments are shown as chips. */
function userRow(message: Message, tokens: number | undefined, isPinned: boolean): UserRow {
  const attachments = message.attached?.items
    .filter(({ type }) => type !== 'picture')
    .map(({ label, tokens, path, lines }) => ({ label, tokens, path, lines }));
  return {
    type: 'user',
    id: message.id,
    text: shownWords(message).trimEnd(),
    tokens,
    isPinned,
    ...picturesOf(message),
    attachments: attachments?.length === 0 ? undefined : attachments,
  };
}

const turnRowId = 'turn';

/** Returns the row of a finished call, which can no longer be approved, stopped or followed. */
function settled(row: ToolRow, state: ToolRow['state']): ToolRow {
  const { approval: _approval, output: _output, canStop: _canStop, ...rest } = row;
  return { ...rest, state };
}

function stateOf(result: Message): ToolRow['state'] {
  switch (endOfResult(result)) {
    case 'refused':
    case 'notAllowed':
      return 'declined';
    case 'cancelled':
    case 'unanswered':
      return 'interrupted';
    case 'failed':
    case 'skipped':
      return 'failed';
    default:
      return 'done';
  }
}

const editsPrefix = 'edits:';

/** Id of the row with the file changes of a turn. */
function editsRowId(turnId: string): string {
  return `${editsPrefix}${turnId}`;
}

/** The turn whose edits a row lists; undefined for every other row. */
export function turnOfRow(rowId: string): string | undefined {
  return rowId.startsWith(editsPrefix) ? rowId.slice(editsPrefix.length) : undefined;
}
