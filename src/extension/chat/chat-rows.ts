import { describeCall } from '../../agent/tools/describe-call.ts';
import type { Message, ToolCall } from '../../compaction/message.ts';
import { isTyped, textOf } from '../../compaction/message.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import type { TranscriptEntry } from '../../compaction/transcript-entry.ts';
import type { TurnEvent } from '../../transcripts/session-event.ts';
import type { ChatChange, ChatRow, CompactionRow, ToolRow } from '../protocol/chat.ts';

/** Characters of a tool's result that are shown before somebody asks for all of it. */
const previewLength = 2_000;

/** The rows of the chat, kept up to date event by event, so that a view gets what changed and nothing else. */
export class ChatRows {
  private readonly rows = new Map<string, ChatRow>();
  /** Call id → rows of calls that wait for a result, oldest first. */
  private readonly waiting = new Map<string, string[]>();
  /** Row of a call → id of the message with its result. */
  private readonly results = new Map<string, string>();

  all(): readonly ChatRow[] {
    return [...this.rows.values()];
  }

  resultOf(rowId: string): string | undefined {
    return this.results.get(rowId);
  }

  /** @param tokens of the message's own result or text, where the entry is a message */
  addEntry(entry: TranscriptEntry, tokens: number): readonly ChatChange[] {
    switch (entry.type) {
      case 'message':
        return this.addMessage(entry.message, tokens);
      case 'compaction':
        return entry.record.status === 'unchanged' && entry.record.trigger.source !== 'manual'
          ? []
          : [this.set(compactionRow(entry.record))];
      case 'undo':
        return entry.recordIds.flatMap((id) => {
          const row = this.rows.get(id);
          return row?.type === 'compaction' ? [this.set({ ...row, isUndone: true })] : [];
        });
      case 'restore':
      case 'pin':
        return [];
    }
  }

  addText(messageId: string, text: string): readonly ChatChange[] {
    const row = this.rows.get(messageId);
    if (row?.type !== 'assistant') {
      return [
        this.set({ type: 'assistant', id: messageId, markdown: text, reasoning: '', state: 'streaming' }),
      ];
    }
    this.rows.set(messageId, { ...row, markdown: row.markdown + text });
    return [{ type: 'text', id: messageId, text }];
  }

  addReasoning(messageId: string, text: string): readonly ChatChange[] {
    const row = this.rows.get(messageId);
    const before = row?.type === 'assistant' ? row : undefined;
    return [
      this.set({
        type: 'assistant',
        id: messageId,
        markdown: before?.markdown ?? '',
        reasoning: (before?.reasoning ?? '') + text,
        state: 'streaming',
      }),
    ];
  }

  /** Nothing runs any more: calls that still wait for a result will not get one. */
  endTurn(): readonly ChatChange[] {
    const ids = [...this.waiting.values()].flat();
    this.waiting.clear();
    const streaming = this.all().filter((row) => row.type === 'assistant' && row.state === 'streaming');
    return [
      ...ids.flatMap((id) => {
        const row = this.rows.get(id);
        return row?.type === 'tool' ? [this.set({ ...row, state: 'interrupted' })] : [];
      }),
      ...streaming.map((row) => this.set({ ...row, state: 'stopped' } as ChatRow)),
    ];
  }

  /** Shows how the last turn ended, at the end of the chat; undefined takes it away. */
  setTurn(turn: TurnEvent | undefined): readonly ChatChange[] {
    if (turn === undefined) {
      return this.rows.delete(turnRowId) ? [{ type: 'row-removed', id: turnRowId }] : [];
    }
    this.rows.delete(turnRowId);
    return [this.set({ type: 'error', id: turnRowId, message: turn.message, canRetry: true })];
  }

  private addMessage(message: Message, tokens: number): readonly ChatChange[] {
    if (isTyped(message)) return [this.set({ type: 'user', id: message.id, text: textOf(message.content) })];
    if (message.role === 'tool') return this.addResult(message, tokens);
    if (message.role !== 'assistant') return [];
    const text = textOf(message.content);
    const { reasoning = '', interrupted = false } = message;
    const changes: ChatChange[] = [];
    if (text !== '' || reasoning !== '') {
      const state = interrupted ? 'stopped' : 'done';
      changes.push(this.set({ type: 'assistant', id: message.id, markdown: text, reasoning, state }));
    }
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      changes.push(this.set(this.toolRow(`${message.id}:${index}`, call)));
    }
    return changes;
  }

  private toolRow(id: string, call: ToolCall): ToolRow {
    this.waiting.set(call.id, [...(this.waiting.get(call.id) ?? []), id]);
    const { name, arguments: input } = call.function;
    return {
      type: 'tool',
      id,
      tool: name,
      label: describeCall(name, input),
      state: 'running',
      preview: '',
      isClipped: false,
    };
  }

  /** A result belongs to the newest call of its id that still waits, as in the view. */
  private addResult(message: Message, tokens: number): readonly ChatChange[] {
    const id = this.waiting.get(message.tool_call_id ?? '')?.pop();
    const row = id === undefined ? undefined : this.rows.get(id);
    if (row?.type !== 'tool') return [];
    this.results.set(row.id, message.id);
    const text = textOf(message.content);
    return [
      this.set({
        ...row,
        state: message.isError === true ? 'failed' : 'done',
        tokens,
        preview: text.slice(0, previewLength),
        isClipped: text.length > previewLength,
      }),
    ];
  }

  private set(row: ChatRow): ChatChange {
    this.rows.set(row.id, row);
    return { type: 'row', row };
  }
}

const turnRowId = 'turn';

function compactionRow(record: CompactionRecord): CompactionRow {
  const { id, actualStrategy, requestedStrategy, status, before, after, reason } = record;
  return {
    type: 'compaction',
    id,
    strategy: actualStrategy,
    ...(requestedStrategy === actualStrategy ? {} : { requestedStrategy }),
    status,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    ...(reason === undefined ? {} : { reason: reason.message }),
    isUndone: false,
  };
}
