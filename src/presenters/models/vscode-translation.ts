import {
  imageNotTaken,
  ModelError,
  type ModelErrorCode,
  type ModelReply,
  type ModelRequest,
} from '../../agent/model/chat-model.ts';
import { overflowOf } from '../../agent/model/overflow.ts';
import {
  type EmbeddedImage,
  embeddedImage,
  imageParts,
  withTextForImages,
} from '../../compaction/images/image-part.ts';
import { type ChatMessage, textOf, type ToolCall } from '../../compaction/messages/message.ts';
import { ellipsised } from '../../compaction/text/clip.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** A part of a message in VS Code's language model API. */
export type VscodePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: EmbeddedImage }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: object }
  | { readonly type: 'result'; readonly id: string; readonly text: string };

export interface VscodeMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly VscodePart[];
}

interface VscodeTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/**
 * Converts a request to VS Code's API. It has no system messages, so they become user messages, the first one at the
 * very beginning. Consecutive messages of one role are joined, because some models refuse them.
 */
export function vscodeMessages(
  messages: ModelRequest['messages'],
  takesImages = true,
): readonly VscodeMessage[] {
  const merged: { role: VscodeMessage['role']; parts: VscodePart[] }[] = [];
  for (const message of messages) {
    const parts = partsOf(takesImages ? message : withoutImages(message));
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

/** A tool call of a model, in the form of the transcript. */
export function toolCallOf({ callId, name, input }: VscodeCall): ToolCall {
  return { id: callId, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } };
}

/** The parts of a `LanguageModelToolCallPart` that we use. */
interface VscodeCall {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
}

/** A complete reply. VS Code reports neither the finish reason nor the tokens used. */
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
  const images = imageParts(content).flatMap((part): readonly VscodePart[] => {
    const image = embeddedImage(part);
    return image === undefined ? [] : [{ type: 'image', image }];
  });
  return [...(text.trim() === '' ? [] : [{ type: 'text', text } as const]), ...images, ...calls];
}

function withoutImages(message: ChatMessage): ChatMessage {
  return { ...message, content: withTextForImages(message.content, imageNotTaken) };
}

/** Arguments as an object, as the API requires. Invalid JSON is returned to the model as text. */
function inputOf(written: string): object {
  try {
    const parsed: unknown = JSON.parse(written);
    if (isRecord(parsed)) return parsed;
  } catch {
    // Returned as text below.
  }
  return { malformed: written };
}

/** Maximum characters quoted from another program's error. */
const longestQuote = 500;
/** Maximum depth of nested causes that are read. */
const deepestCause = 5;

/**
 * Converts an error of VS Code's models into an error that suggests a remedy. The reason is in `code`; for unknown
 * codes, it is in the message or in the cause.
 *
 * @param model display name of the model
 */
export function vscodeFailure(error: unknown, model: string): ModelError {
  if (error instanceof ModelError) return error;
  const said = wordsOf(error);
  const words = said.join(' ');
  const overflow = overflowOf({ message: words });
  const code = overflow === undefined ? codeOf(error, words) : 'overflow';
  const message = quoting(explain(code, model, words), said.at(-1) ?? '');
  return new ModelError(code, message, { ...overflow, cause: error });
}

/** Error for a missing model. The extension that provides it may still be starting. */
export function missingVscodeModel(model: string): ModelError {
  return new ModelError('not-found', modelsSentences.say('vscodeModelMissing', { model }));
}

function codeOf(error: unknown, words: string): ModelErrorCode {
  const named: unknown = error instanceof Error ? (Reflect.get(error, 'code') ?? error.name) : undefined;
  switch (named) {
    case 'NoPermissions':
      return 'unauthorised';
    case 'NotFound':
      return 'not-found';
    case 'Blocked':
      return 'rate-limited';
    case 'Canceled':
      return 'cancelled';
  }
  if (isOffTopic(words)) return 'rejected';
  if (/rate.?limit|quota|too many requests|\b429\b/i.test(words)) return 'rate-limited';
  if (/\btimed?[ -]?out/i.test(words)) return 'timeout';
  if (/ENOTFOUND|ECONN|EAI_AGAIN|fetch failed|net::ERR|offline/i.test(words)) return 'network';
  return 'server';
}

function explain(code: ModelErrorCode, model: string, words: string): Sentence {
  switch (code) {
    case 'overflow':
      return modelsSentences.say('conversationTooLong', { model });
    case 'unauthorised':
      return modelsSentences.say('vscodeNotAllowed', { model });
    case 'not-found':
      return missingVscodeModel(model).sentence;
    case 'rate-limited':
      return modelsSentences.say('vscodeLimited', { model });
    case 'cancelled':
      return modelsSentences.say('stopped');
    case 'rejected':
      return isOffTopic(words)
        ? modelsSentences.say('vscodeOffTopic', { model })
        : modelsSentences.say('requestRejected', { host: model, status: '' });
    case 'timeout':
      return modelsSentences.say('hostTimedOut', { host: model, status: '' });
    case 'network':
      return modelsSentences.say('vscodeUnreachable', { model });
    default:
      return modelsSentences.say('vscodeFailed', { model });
  }
}

function isOffTopic(words: string): boolean {
  return /off[_-]?topic/i.test(words);
}

/** Messages of an error and its causes, outermost first, without duplicates. */
function wordsOf(error: unknown): readonly string[] {
  const said: string[] = [];
  let cause = error;
  for (let depth = 0; depth < deepestCause && cause instanceof Error; depth++) {
    if (cause.message !== '' && !said.includes(cause.message)) said.push(cause.message);
    cause = cause.cause;
  }
  return said;
}

/** A sentence that ends with VS Code's own message. */
function quoting(message: Sentence, words: string): Sentence {
  const line = words.replace(/\s+/g, ' ').trim();
  if (line === '') return message;
  const clipped = ellipsised(line, longestQuote);
  return modelsSentences.say('withVscodeWords', { message, words: clipped });
}

/** The properties of a `LanguageModelChat` that identify it. */
interface VscodeModelNames {
  readonly vendor: string;
  readonly id: string;
  readonly family: string;
  readonly name: string;
}

/** Name of a model in the settings. Includes the vendor, because ids are unique only for a vendor. */
export function vscodeModelName({ vendor, id }: Pick<VscodeModelNames, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

/** Finds a model by name. A more exact name takes precedence, then the first model. */
export function findVscodeModel<Model extends VscodeModelNames>(
  models: readonly Model[],
  name: string,
): Model | undefined {
  const wanted = name.trim().toLowerCase();
  const namesOf: readonly ((model: Model) => string)[] = [
    vscodeModelName,
    ({ id }) => id,
    ({ vendor, family }) => `${vendor}/${family}`,
    ({ family }) => family,
    ({ name: shown }) => shown,
  ];
  for (const nameOf of namesOf) {
    const found = models.find((model) => nameOf(model).toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
