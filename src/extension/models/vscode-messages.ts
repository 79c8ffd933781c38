import type { ModelReply, ModelRequest } from '../../agent/model/chat-model.ts';
import { textOf, type ChatMessage, type ToolCall } from '../../compaction/message.ts';
import { isRecord } from '../../agent/model/provider-error.ts';

/** A part of a message as VS Code's language models know them. */
export type VscodePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly text: string };

export interface VscodeMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly VscodePart[];
}

export interface VscodeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/**
 * A request in the form that VS Code's language models take. They have no system messages, so their text stands in
 * the user's messages, the first at the very beginning; and messages of the same role in a row become one, because
 * some of the models behind them refuse what does not alternate.
 */
export function vscodeMessages(messages: ModelRequest['messages']): readonly VscodeMessage[] {
  const merged: { role: VscodeMessage['role']; parts: VscodePart[] }[] = [];
  for (const message of messages) {
    const parts = partsOf(message);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = merged.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) last.parts.push(...parts);
    else merged.push({ role, parts: [...parts] });
  }
  return merged;
}

export function vscodeTools(tools: ModelRequest['tools']): readonly VscodeTool[] {
  return tools.map(({ function: { name, description = '', parameters } }) => ({
    name,
    description,
    inputSchema: parameters ?? { type: 'object' },
  }));
}

/** The call that a model asked for, as the transcript keeps it. */
export function toolCallOf({ callId, name, input }: VscodeCall): ToolCall {
  return { id: callId, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } };
}

/** What is used of a `LanguageModelToolCallPart`. */
export interface VscodeCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

/** A whole reply. VS Code tells neither why a model stopped nor how many tokens were used. */
export function vscodeReply(content: string, toolCalls: readonly ToolCall[]): ModelReply {
  const finishReason = toolCalls.length > 0 ? 'tool-calls' : 'stop';
  return { content, reasoning: '', toolCalls, finishReason };
}

function partsOf({ role, content, tool_calls = [], tool_call_id: id }: ChatMessage): readonly VscodePart[] {
  const text = textOf(content);
  if (role === 'tool' && id !== undefined) return [{ type: 'result', id, text }];
  const calls = tool_calls.map(({ id: callId, function: { name, arguments: written } }): VscodePart => ({
    type: 'call',
    id: callId,
    name,
    input: inputOf(written),
  }));
  return text.trim() === '' ? calls : [{ type: 'text', text }, ...calls];
}

/** Arguments have to be an object here; what a model wrote wrongly goes back to it as the text that it was. */
function inputOf(written: string): object {
  try {
    const parsed: unknown = JSON.parse(written);
    if (isRecord(parsed)) return parsed;
  } catch {
    // It is kept below.
  }
  return { malformed: written };
}
