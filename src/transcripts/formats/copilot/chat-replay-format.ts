import type { ChatMessage, ToolSchema } from '../../../compaction/messages/message.ts';
import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import { chatCalls } from '../../reading/content-parts.ts';
import {
  callOf,
  type Draft,
  type Imported,
  isoTime,
  positive,
  resultDraft,
  toEntries,
  type TranscriptFormat,
} from '../../reading/transcript-format.ts';
import { copilotEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { contentText, expectedAt, readJson, type Skip, skipInto } from '../../reading/json-document.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedCopilot');

/** Roles by their numbers in these files. */
const roles = ['system', 'user', 'assistant', 'tool'] as const;
const assistantRole = roles.indexOf('assistant');
/** Types of parts: text, and marks of the end of the provider's cache. */
const textPart = 1;
const cachePart = 3;

/**
 * Replay files that Copilot Chat exports from its debug log: every request with all of its messages. The longest
 * request contains the conversation. Its reply and the called tools follow it.
 */
export const chatReplayFormat: TranscriptFormat = {
  id: 'chat-replay',
  title: 'Copilot chat replay (JSON)',
  recognises: (text) =>
    /^\s*\{/.test(text) && /"prompts"\s*:\s*\[/.test(text) && /"logs"\s*:\s*\[/.test(text),
  parse,
};

/** An entry of the log, with its path in the file. */
interface Log {
  readonly path: string;
  readonly fields: Fields;
}

interface Request extends Log {
  readonly messages: readonly unknown[];
}

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const { prompts } = fieldsOf(document.value);
  if (!Array.isArray(prompts)) throw expectedAt(document.lineOf('/prompts'), expected);
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const logs = logsOf(prompts, skip);
  const requests = logs.flatMap((log) => requestOf(log, skip));
  const longest = requests.reduce<Request | undefined>(
    (best, request) =>
      best === undefined || request.messages.length >= best.messages.length ? request : best,
    undefined,
  );
  if (longest === undefined) {
    throw expectedAt(document.lineOf('/prompts'), importsSentences.say('expectedRequest'));
  }
  const asked = longest.messages.flatMap((value, index): Draft[] => {
    const path = `${longest.path}/requestMessages/messages/${index}`;
    const draft = toDraft(value, path, timeOf(requests, index), skip);
    if (typeof draft === 'object') return [{ ...draft, ...reportOf(repliedAt(requests, longest, index)) }];
    skip(path, draft);
    return [];
  });
  const drafts = [...asked, ...replyOf(longest, logs)];
  const window = metadataOf(longest)['maxPromptTokens'];
  return {
    entries: toEntries(drafts),
    tools: toolsOf(longest, skip),
    compactions: [],
    problems,
    window: positive(window),
  };
}

/** Finds the request that a message answers. It consists of exactly the messages before that message. */
function repliedAt(requests: readonly Request[], longest: Request, index: number): Request | undefined {
  const isReply = isRecord(longest.messages[index]) && longest.messages[index]['role'] === assistantRole;
  if (!isReply) return undefined;
  const last = JSON.stringify(longest.messages[index - 1]);
  return requests.findLast(
    ({ messages }) => messages.length === index && JSON.stringify(messages[index - 1]) === last,
  );
}

function reportOf(request: Request | undefined): Pick<Draft, 'modelId' | 'usage'> {
  if (request === undefined) return {};
  const { model, usage } = metadataOf(request);
  return { modelId: typeof model === 'string' ? model : undefined, usage: readUsage(usage) };
}

function metadataOf({ fields: { metadata } }: Request): Fields {
  return fieldsOf(metadata);
}

function logsOf(prompts: readonly unknown[], skip: Skip): readonly Log[] {
  return prompts.flatMap((prompt, index): readonly Log[] => {
    const list = isRecord(prompt) ? prompt['logs'] : undefined;
    if (!Array.isArray(list)) {
      skip(`/prompts/${index}`, 'a prompt has an array of logs.');
      return [];
    }
    return (list as readonly unknown[]).flatMap((fields, position): readonly Log[] => {
      const path = `/prompts/${index}/logs/${position}`;
      if (isRecord(fields)) return [{ path, fields }];
      skip(path, 'a log is an object.');
      return [];
    });
  });
}

function requestOf(log: Log, skip: Skip): readonly Request[] {
  if (log.fields['kind'] !== 'request') return [];
  const body = log.fields['requestMessages'];
  const messages = isRecord(body) ? body['messages'] : undefined;
  if (Array.isArray(messages)) return [{ ...log, messages }];
  skip(log.path, 'a request has requestMessages with an array of messages.');
  return [];
}

/** Returns the time of the first request that is long enough to contain the message. */
function timeOf(requests: readonly Request[], index: number): string | undefined {
  return metadataTime(requests.find(({ messages }) => messages.length > index)?.fields, 'startTime');
}

function metadataTime(request: Fields | undefined, key: 'startTime' | 'endTime'): string | undefined {
  const metadata = request?.['metadata'];
  return isRecord(metadata) ? isoTime(metadata[key]) : undefined;
}

/** @returns the message, or a sentence that states why the value is not a message */
function toDraft(value: unknown, path: string, createdAt: string | undefined, skip: Skip): Draft | string {
  if (!isRecord(value)) return 'a message is an object.';
  const role = typeof value['role'] === 'number' ? roles[value['role']] : undefined;
  if (role === undefined) return 'the role of a message is a number from 0 to 3.';
  const content = contentText(value['content'], `${path}/content`, textOfPart, skip);
  if (content === undefined) return 'the content of a message is a text or an array of parts.';
  const { toolCallId: callId } = value;
  switch (role) {
    case 'system':
      return { chat: { role, content }, origin: 'harness', createdAt };
    case 'user':
      return { chat: { role, content }, origin: 'person', createdAt };
    case 'tool':
      if (typeof callId !== 'string') return 'a tool result has a toolCallId.';
      return resultDraft(callId, content, { createdAt, end: reportedEndOf(content, copilotEndReports) });
    case 'assistant': {
      const calls = chatCalls(value['toolCalls']);
      if (typeof calls === 'string') return calls;
      return { chat: assistantMessage(content, calls), origin: 'model', createdAt };
    }
  }
}

function assistantMessage(text: string, calls: NonNullable<ChatMessage['tool_calls']>): ChatMessage {
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function textOfPart({ type, text }: Fields): unknown {
  if (type === cachePart) return '';
  return type === textPart ? text : undefined;
}

/** Returns the response to a request: the reply, and the tools called before the next request. */
function replyOf(request: Request, logs: readonly Log[]): readonly Draft[] {
  const after = logs.slice(logs.findIndex(({ path }) => path === request.path) + 1);
  const next = after.findIndex(({ fields }) => fields['kind'] === 'request');
  const called = (next < 0 ? after : after.slice(0, next)).flatMap(({ fields }) => {
    const { kind, id, tool, args, time, response } = fields;
    if (kind !== 'toolCall' || typeof id !== 'string' || typeof tool !== 'string') return [];
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
    return [{ call: callOf(withoutMark(id), tool, text), result: linesOf(response), time: isoTime(time) }];
  });
  const response = request.fields['response'];
  const text = isRecord(response) && response['type'] === 'success' ? linesOf(response['message']) : '';
  if (text === '' && called.length === 0) return [];
  const calls = called.map(({ call }) => call);
  const createdAt = metadataTime(request.fields, 'endTime');
  return [
    { chat: assistantMessage(text, calls), origin: 'model', createdAt, ...reportOf(request) },
    ...called.map(({ call, result, time }) =>
      resultDraft(call.id, result, { createdAt: time, end: reportedEndOf(result, copilotEndReports) }),
    ),
  ];
}

/** Removes VS Code's suffix from the id of a call in the log. Ids in messages do not have it. */
function withoutMark(id: string): string {
  return id.replace(/__vscode-\d+$/, '');
}

function linesOf(value: unknown): string {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : '';
  return value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('');
}

function toolsOf({ fields, path }: Request, skip: Skip): readonly ToolSchema[] {
  const metadata = fields['metadata'];
  const list = isRecord(metadata) ? metadata['tools'] : undefined;
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).flatMap((tool, index): readonly ToolSchema[] => {
    if (isRecord(tool) && isRecord(tool['function']) && typeof tool['function']['name'] === 'string') {
      return [tool as unknown as ToolSchema];
    }
    skip(`${path}/metadata/tools/${index}`, 'a tool has a function with a name.');
    return [];
  });
}
