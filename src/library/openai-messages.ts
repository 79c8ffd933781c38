import {
  type Message,
  roles,
  textOf,
  toChatMessage,
  toMessage,
  type ChatMessage,
  type Role,
} from '../compaction/messages/message.ts';
import { isSummaryText } from '../compaction/summary/summary-form.ts';
import { isRecord } from '../language/is-record.ts';

/**
 * A chat message from a caller: from the `openai` package, another client, or JSON. Its fields are checked during
 * conversion.
 */
export interface OpenaiInput {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
  readonly reasoning_content?: unknown;
}

/** A chat message for the `openai` package: assignable to its `ChatCompletionMessageParam`. */
export type OpenaiMessage =
  | { role: 'system'; content: string | OpenaiTextPart[]; name?: string }
  | { role: 'developer'; content: string | OpenaiTextPart[]; name?: string }
  | { role: 'user'; content: string | OpenaiTextPart[]; name?: string }
  | { role: 'assistant'; content: string | OpenaiTextPart[] | null; tool_calls?: OpenaiToolCall[] }
  | { role: 'tool'; content: string | OpenaiTextPart[]; tool_call_id: string };

/** A text part of content with several parts. Parts of other types, such as images, stay unchanged. */
export interface OpenaiTextPart {
  type: 'text';
  text: string;
}

/** A call of a function. */
export interface OpenaiToolCall {
  id: string;
  type: 'function';
  /** Name and arguments of the call. The arguments are JSON text as the model wrote it. */
  function: { name: string; arguments: string };
}

/** The fields that the engine adds to a chat message. */
export interface Identity {
  /** Id, unique in the conversation. */
  readonly id: string;
  /** Time in ISO 8601. */
  readonly createdAt: string;
}

/**
 * Converts an OpenAI chat message. Unknown fields stay on the message.
 *
 * ```ts
 * const message = fromOpenai({ role: 'user', content: 'Hello' }, { id: 'm1', createdAt: '2026-01-01T00:00:00Z' });
 * ```
 *
 * @throws {TypeError} if the message is unsupported: an unknown role, a content that is neither a string nor parts, a tool
 *   result without `tool_call_id`, or a call of anything but a function
 */
export function fromOpenai(input: OpenaiInput, { id, createdAt }: Identity): Message {
  const chat = chatMessageOf(input);
  const isSummary = chat.role === 'user' && isSummaryText(textOf(chat.content));
  return toMessage(chat, {
    id,
    createdAt,
    origin: isSummary ? 'strategy' : originOf[chat.role],
    ...(isSummary && { kind: 'summary' }),
  });
}

/**
 * Converts a message of the context into the chat message to send. The result equals the original unless a compaction
 * changed the message.
 */
export function toOpenai(message: Message): OpenaiMessage {
  return toChatMessage(message) as unknown as OpenaiMessage;
}

const originOf: Readonly<Record<Role, Message['origin']>> = {
  system: 'harness',
  developer: 'harness',
  user: 'person',
  assistant: 'model',
  tool: 'tool',
};

/** @throws {TypeError} if the message is unsupported */
function chatMessageOf(input: OpenaiInput): ChatMessage {
  const fields: unknown = input;
  if (!isRecord(fields)) {
    throw new TypeError('A chat message must be an object. Pass the messages of an array one by one.');
  }
  const {
    role,
    content = null,
    tool_calls: calls,
    tool_call_id: callId,
    reasoning_content: reasoning,
  } = fields;
  if (!isRole(role)) throw new TypeError(`The role of a chat message must be one of ${roles.join(', ')}.`);
  if (!isContent(content)) {
    throw new TypeError(
      'The content of a chat message must be a string, null, or a list of parts with a type.',
    );
  }
  if (role === 'tool' && typeof callId !== 'string')
    throw new TypeError('A tool result must have a tool_call_id.');
  if (calls != null && !(Array.isArray(calls) && calls.every(isFunctionCall))) {
    throw new TypeError(
      'Each of the tool_calls must have an id, the type function, and a function with a name and arguments.',
    );
  }
  if (reasoning != null && typeof reasoning !== 'string')
    throw new TypeError('reasoning_content must be a string.');
  const { tool_calls: _calls, reasoning_content: _reasoning, ...rest } = fields;
  return {
    ...rest,
    role,
    // Strict endpoints reject tool and user messages without content.
    content: content === null && role !== 'assistant' ? '' : content,
    ...(calls != null && calls.length > 0 && { tool_calls: calls }),
    ...(reasoning != null && { reasoning_content: reasoning }),
  };
}

function isRole(value: unknown): value is Role {
  return roles.includes(value as Role);
}

function isContent(value: unknown): value is ChatMessage['content'] {
  if (value === null || typeof value === 'string') return true;
  return Array.isArray(value) && value.every(isPart);
}

function isPart(value: unknown): boolean {
  if (!isRecord(value) || typeof value['type'] !== 'string') return false;
  return value['text'] === undefined || typeof value['text'] === 'string';
}

function isFunctionCall(value: unknown): boolean {
  if (!isRecord(value) || typeof value['id'] !== 'string' || value['type'] !== 'function') return false;
  const called = value['function'];
  return isRecord(called) && typeof called['name'] === 'string' && typeof called['arguments'] === 'string';
}
