import type { ChatMessage, Origin } from '../../compaction/messages/message.ts';
import { readUsage } from '../../compaction/tokens/read-usage.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { chatCalls, contentOfParts, saidParts, toolsOf } from '../reading/content-parts.ts';
import { type Fields, fieldsOf, recordsIn } from '../reading/fields.ts';
import { expectedAt, readJson, skipInto } from '../reading/json-document.ts';
import {
  type Draft,
  type Imported,
  isoTime,
  joinedFrames,
  positive,
  toEntries,
  type TranscriptFormat,
} from '../reading/transcript-format.ts';

/**
 * Logs of the OpenHands SDK in LiteLLM's form, with one request and its response in each file: OpenAI chat messages
 * with content parts. The response is the last message. `timestamp` is in seconds.
 */
export const litellmFormat: TranscriptFormat = {
  id: 'litellm',
  title: 'LiteLLM log of the OpenHands SDK (JSON)',
  recognises: (text) =>
    /^\s*\{/.test(text) &&
    text.includes('"latency_sec":') &&
    /"response":\s*\{/.test(text) &&
    /"messages":\s*\[/.test(text),
  parse: parseLitellm,
};

function parseLitellm(text: string): Imported {
  const expected = importsSentences.say('expectedLiteLlm');
  const document = readJson(text, expected);
  const { messages, response, tools, timestamp, context_window: window } = fieldsOf(document.value);
  if (!Array.isArray(messages) || !isRecord(response)) throw expectedAt(document.lineOf(''), expected);
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const createdAt = typeof timestamp === 'number' ? isoTime(timestamp * 1000) : undefined;
  const read = (value: unknown, path: string): readonly Draft[] => {
    const draft = toDraft(value);
    if (typeof draft === 'object') return [{ ...draft, createdAt }];
    skip(path, draft);
    return [];
  };
  const replies = recordsIn(response['choices']).slice(0, 1);
  const drafts = [
    ...messages.flatMap((message: unknown, index) => read(message, `/messages/${index}`)),
    ...replies.flatMap(({ message }) =>
      read(message, '/response/choices/0/message').map((draft) => ({ ...draft, ...reportIn(response) })),
    ),
  ];
  return {
    entries: toEntries(drafts, joinedFrames),
    tools: toolsOf(tools),
    compactions: [],
    problems,
    window: positive(window),
  };
}

function reportIn({ model, usage }: Fields): Pick<Draft, 'modelId' | 'usage'> {
  return { modelId: typeof model === 'string' ? model : undefined, usage: readUsage(usage) };
}

/**
 * Results of tau-bench: an array of runs. Each run is an object with `task_id` and, as `traj`, a conversation of
 * OpenAI chat messages. Only the last run is read.
 */
export const tauBenchFormat: TranscriptFormat = {
  id: 'tau-bench',
  title: 'tau-bench results (JSON)',
  recognises: (text) =>
    /^\s*\[\s*\{/.test(text) && /"task_id"\s*:/.test(text) && /"traj"\s*:\s*\[/.test(text),
  parse: parseTauBench,
};

function parseTauBench(text: string): Imported {
  const expected = importsSentences.say('expectedTauBench');
  const document = readJson(text, expected);
  const runs = document.value;
  const last = Array.isArray(runs) ? runs.length - 1 : 0;
  const { traj } = fieldsOf(Array.isArray(runs) ? runs[last] : undefined);
  const path = `/${last}/traj`;
  if (!Array.isArray(traj)) throw expectedAt(document.lineOf(path), expected);
  const problems = last > 0 ? [`Of the ${last + 1} runs in the file only the last was read.`] : [];
  const skip = skipInto(problems, document);
  const drafts = traj.flatMap((value: unknown, index): Draft[] => {
    const draft = toDraft(value);
    if (typeof draft === 'string') {
      skip(`${path}/${index}`, draft);
      return [];
    }
    const { role, content } = draft.chat;
    const isError = role === 'tool' && typeof content === 'string' && content.startsWith('Error: ');
    return [{ ...draft, isError }];
  });
  return { entries: toEntries(drafts), tools: [], compactions: [], problems };
}

const origins: Readonly<Record<string, Origin>> = {
  system: 'harness',
  user: 'person',
  assistant: 'model',
  tool: 'tool',
};

/** @returns the draft of the message, or a sentence that states why the value is not a message */
function toDraft(value: unknown): Draft | string {
  if (!isRecord(value)) return 'a message is an object.';
  const { role, name, tool_call_id: callId, reasoning_content: reasoning } = value;
  const origin = typeof role === 'string' ? origins[role] : undefined;
  if (origin === undefined) return `a message has a role, one of ${Object.keys(origins).join(', ')}.`;
  const content = contentOfParts(value['content'] ?? '');
  if (content === undefined) return 'the content of a message is a text, null or an array of parts.';
  if (role === 'tool' && typeof callId !== 'string') return 'a tool result has a tool_call_id.';
  const calls = chatCalls(value['tool_calls']);
  if (typeof calls === 'string') return calls;
  const chat: ChatMessage = {
    role: role as ChatMessage['role'],
    content: role === 'assistant' && content === '' ? null : content,
    ...(typeof reasoning === 'string' && { reasoning_content: reasoning }),
    ...(typeof name === 'string' && { name }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(typeof callId === 'string' && { tool_call_id: callId }),
  };
  return { chat, origin, parts: saidParts(value['content']) };
}
