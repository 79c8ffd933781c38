import * as v from 'valibot';
import {
  roles,
  textOf,
  toMessage,
  type ChatMessage,
  type Message,
  type ReportedUsage,
  type Role,
  type ToolSchema,
} from '../../compaction/messages/message.ts';
import { readUsage } from '../../compaction/tokens/read-usage.ts';
import { isSummaryText } from '../../compaction/summary/summary-form.ts';
import {
  type ForeignCompaction,
  type Imported,
  ImportError,
  isCommand,
  OtherFileError,
  positive,
  type TranscriptFormat,
  typedIn,
  unknownTime,
} from '../reading/transcript-format.ts';
import { reportedEnds } from '../../compaction/messages/ledger.ts';
import { type Fields, fieldsOf, recordsIn } from '../reading/fields.ts';
import { anyEndReports, reportedEndOf } from '../reading/reported-ends.ts';
import { expectedAt, readJson } from '../reading/json-document.ts';
import { callsSchema, contentSchema } from '../session/session-schema.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** Beginning of a message that an unknown agent wrote; any text may follow. Used only if the file has no marks. */
const harnessOpening = /^\s*<(?:system-reminder|system|environment_context|user_instructions)\b/;

const expected = importsSentences.say('expectedChat');

/**
 * OpenAI chat messages: an array, or an object with `messages` and optional fields. These are `tools`, `compactions`,
 * `window`, `meta.injected_message_indices` (messages with the user role that a program wrote) and `meta.call_ends`
 * (the `end` of the call that the message at `index` answers). Replies may have their `model` and the `usage` reported
 * by the provider. Early versions of Copilot CLI used `chatMessages`.
 */
export const openaiFormat: TranscriptFormat = {
  id: 'openai',
  title: 'OpenAI chat messages (JSON)',
  recognises: (text) => /^\s*[[{]/.test(text),
  parse,
};

function parse(text: string): Imported {
  const document = parseJson(text);
  const fields = Array.isArray(document) ? { messages: document } : fieldsOf(document);
  const list = fields['messages'] ?? fields['chatMessages'];
  if (!Array.isArray(list) || !isOfMessages(list)) {
    throw new OtherFileError(expectedAt(1, expected).sentence);
  }
  const meta = fieldsOf(fields['meta']);
  const injected = indices(meta['injected_message_indices']);
  const ends = endsIn(meta['call_ends']);
  const messages = list.map((value: unknown, index) => ({
    ...message(value, index, injected, list[index - 1]),
    ...ends.get(index),
  }));
  return {
    entries: messages.map((imported) => ({ type: 'message', message: imported })),
    tools: tools(fields['tools']),
    compactions: compactions(fields['compactions'] ?? meta['compactions']),
    problems: [],
    window: positive(fields['window']),
  };
}

function parseJson(text: string): unknown {
  try {
    return readJson(text, expected).value;
  } catch (error) {
    throw error instanceof ImportError ? new OtherFileError(error.sentence) : error;
  }
}

/** True if the values look like messages. */
function isOfMessages(list: readonly unknown[]): boolean {
  return list.length === 0 || list.some((value) => isRecord(value) && 'role' in value);
}

function message(
  value: unknown,
  index: number,
  injected: ReadonlySet<number> | undefined,
  before: unknown,
): Message {
  const expected = (what: Sentence) =>
    new ImportError(importsSentences.say('expectedAtMessage', { index: String(index), what }));
  if (!isRecord(value)) throw expected(importsSentences.say('expectedObject'));
  const role = value['role'];
  if (!roles.includes(role as Role))
    throw expected(importsSentences.say('expectedRole', { roles: roles.join(', ') }));
  const content: unknown = value['content'] ?? null;
  if (!v.is(contentSchema, content)) throw expected(importsSentences.say('expectedContent'));
  if (role === 'tool' && typeof value['tool_call_id'] !== 'string')
    throw expected(importsSentences.say('expectedCallId'));
  const calls = value['tool_calls'];
  if (calls !== undefined && calls !== null && !v.is(callsSchema, calls)) {
    throw expected(importsSentences.say('expectedCalls'));
  }
  const reasoning = value['reasoning_content'] ?? '';
  if (typeof reasoning !== 'string') throw expected(importsSentences.say('expectedReasoning'));
  const chat = withContent(value, role as Role, content);
  // The previous message may have no content at all.
  const isOfCommand =
    isRecord(before) && v.is(contentSchema, before['content']) && isCommand(before as unknown as ChatMessage);
  const origin = originOf(chat, isOfCommand || injected?.has(index));
  return toMessage(chat, {
    id: `m${index + 1}`,
    origin,
    createdAt: unknownTime,
    ...markOf(chat),
    ...(chat.role === 'user' && origin === 'person' && typedIn(chat)),
    ...(role === 'assistant' && reportIn(value)),
    ...(role === 'tool' && endIn(chat)),
  });
}

function endsIn(list: unknown): ReadonlyMap<unknown, Pick<Message, 'outcome' | 'isError'>> {
  return new Map(
    recordsIn(list).flatMap(({ index, end: told }): [unknown, Pick<Message, 'outcome' | 'isError'>][] => {
      const end = reportedEnds.find((one) => one === told);
      if (end !== undefined) return [[index, { outcome: { end } }]];
      return told === 'failed' ? [[index, { isError: true }]] : [];
    }),
  );
}

/** Reads the end of a call from the text for the model. A mark in the file takes precedence. */
function endIn({ content }: ChatMessage): Pick<Message, 'outcome' | 'isError'> {
  const text = textOf(content);
  const end = reportedEndOf(text, anyEndReports);
  // Claude Code marks calls that its tools refused in this way.
  const isError = text.startsWith('<tool_use_error>');
  return { ...(end !== undefined && { outcome: { end } }), ...(isError && { isError }) };
}

function reportIn({ model, usage }: Fields): Pick<Message, 'modelId' | 'usage'> {
  const reported = ownUsage(usage) ?? readUsage(usage);
  return {
    ...(typeof model === 'string' && { modelId: model }),
    ...(reported !== undefined && { usage: reported }),
  };
}

/** Reads usage under the names that the command `import` writes. */
function ownUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return {
    inputTokens,
    outputTokens,
    ...(typeof cachedInputTokens === 'number' && { cachedInputTokens }),
    ...(typeof cacheWriteTokens === 'number' && { cacheWriteTokens }),
  };
}

/** Gives a tool result without content an empty text, and removes calls and reasoning that are null. */
function withContent(value: Fields, role: Role, content: unknown): ChatMessage {
  const isReport = (key: string) => role === 'assistant' && (key === 'model' || key === 'usage');
  const isNone = (key: string, field: unknown) =>
    field === null && (key === 'tool_calls' || key === 'reasoning_content');
  const entries = Object.entries(value).filter(([key, field]) => !isNone(key, field) && !isReport(key));
  const chat = Object.fromEntries(entries);
  if (content === null && (role === 'tool' || !('content' in chat))) {
    chat['content'] = role === 'tool' ? '' : null;
  }
  return chat as unknown as ChatMessage;
}

function originOf(chat: ChatMessage, isInjected: boolean | undefined): Message['origin'] {
  switch (chat.role) {
    case 'assistant':
      return 'model';
    case 'tool':
      return 'tool';
    case 'system':
    case 'developer':
      return 'harness';
    case 'user':
      if (markOf(chat).kind !== undefined) return 'strategy';
      return (isInjected ?? harnessOpening.test(firstText(chat))) ? 'harness' : 'person';
  }
}

function markOf(chat: ChatMessage): { readonly kind?: 'summary' } {
  return chat.role === 'user' && isSummaryText(firstText(chat)) ? { kind: 'summary' } : {};
}

function firstText({ content }: ChatMessage): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content[0]?.text ?? '';
}

function indices(value: unknown): ReadonlySet<number> | undefined {
  return Array.isArray(value) ? new Set(value.filter((index) => Number.isInteger(index))) : undefined;
}

function tools(value: unknown): readonly ToolSchema[] {
  if (value === undefined || value === null) return [];
  const isList =
    Array.isArray(value) &&
    value.every(
      (tool) => isRecord(tool) && isRecord(tool['function']) && typeof tool['function']['name'] === 'string',
    );
  if (!isList) {
    const schema = '{ type, function: { name, … } }';
    throw new ImportError(importsSentences.say('expectedTools', { schema }));
  }
  return value as readonly ToolSchema[];
}

function compactions(value: unknown): readonly ForeignCompaction[] {
  return recordsIn(value).flatMap((compaction): ForeignCompaction[] => {
    const index = compaction['beforeMessageIndex'] ?? compaction['before_message_index'];
    const summary = compaction['summary'];
    if (typeof index !== 'number' || typeof summary !== 'string') return [];
    const agent = compaction['agent'] ?? compaction['kind'];
    const createdAt = compaction['createdAt'] ?? compaction['timestamp'];
    const keptFromIndex = compaction['keptFromIndex'];
    return [
      {
        beforeMessageIndex: index,
        summary,
        agent: typeof agent === 'string' ? agent : undefined,
        createdAt: typeof createdAt === 'string' ? createdAt : undefined,
        keptFromIndex: typeof keptFromIndex === 'number' ? keptFromIndex : undefined,
      },
    ];
  });
}
