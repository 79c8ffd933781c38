import type { ChatMessage, ToolSchema } from '../../compaction/messages/message.ts';
import { readUsage } from '../../compaction/tokens/read-usage.ts';
import { chatCalls, textOfParts, toolsOf } from '../reading/content-parts.ts';
import { type Draft, type Imported, isoTime, joinedFrames, toEntries } from '../reading/transcript-format.ts';
import { expectEvent, lineFormat, problemAt } from '../reading/json-document.ts';
import type { EventLines, Fields } from '../reading/fields.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';

const expected = importsSentences.say('expectedOpenHands');

/**
 * Output of OpenHands: each line contains a run with its events. Only the last run is read. Each action contains the
 * original reply from which it came, so several actions may repeat one reply. The program's automatic look-ups
 * (`recall`) and errors without a call are left out.
 */
export const openhandsFormat = lineFormat(
  {
    id: 'openhands',
    title: 'OpenHands output (JSON lines)',
    recognises: (text) =>
      /^\s*\{/.test(text) && text.includes('"instance_id":') && /"history":\s*\[\s*\{\s*"id":/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isRun, expected);
  const { events, problems } = lines;
  const runs = events.filter(({ fields }) => isRun(fields));
  const run = runs.at(-1)!;
  const objections: string[] = [];
  if (runs.length > 1) objections.push(`Of the ${runs.length} runs in the file only the last was read.`);
  const drafts: Draft[] = [];
  let tools: readonly ToolSchema[] = [];
  const replies = new Set<unknown>();
  for (const [index, event] of (run.fields['history'] as readonly unknown[]).entries()) {
    const draft = isRecord(event) ? toDraft(event, replies) : 'an event is an object.';
    if (isRecord(event) && event['action'] === 'system')
      tools = toolsOf(isRecord(event['args']) ? event['args']['tools'] : undefined);
    if (typeof draft === 'string') objections.push(problemAt(run.line, `event ${index}: ${draft}`));
    else if (draft !== undefined) drafts.push({ ...draft, createdAt: timeOf(event) });
  }
  return {
    entries: toEntries(drafts, joinedFrames),
    tools,
    compactions: [],
    problems: [...problems, ...objections],
  };
}

function isRun({ instance_id: id, history }: Fields): boolean {
  return typeof id === 'string' && Array.isArray(history);
}

/**
 * @param replies ids of the replies already added
 * @returns the message, the reason why the event cannot be read, or undefined for an event that is not a message
 */
function toDraft(event: Fields, replies: Set<unknown>): Draft | string | undefined {
  const { action, observation, source, args, tool_call_metadata: called } = event;
  if (isRecord(called)) {
    return observation === undefined ? reply(called, replies) : result(event, called);
  }
  if (action !== 'system' && action !== 'message') return undefined;
  const content = isRecord(args) ? args['content'] : undefined;
  if (typeof content !== 'string') return 'a message has args.content.';
  if (action === 'system') return { chat: { role: 'system', content }, origin: 'harness' };
  return source === 'agent'
    ? { chat: { role: 'assistant', content }, origin: 'model' }
    : { chat: { role: 'user', content }, origin: 'person' };
}

function reply({ model_response: response }: Fields, replies: Set<unknown>): Draft | string | undefined {
  const choices = isRecord(response) ? response['choices'] : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isRecord(choice) ? choice['message'] : undefined;
  if (!isRecord(response) || !isRecord(message)) return 'an action has the response that led to it.';
  const { id } = response;
  if (id !== undefined && replies.has(id)) return undefined;
  replies.add(id);
  const calls = chatCalls(message['tool_calls']);
  if (typeof calls === 'string') return calls;
  const text = textOfParts(message['content'] ?? '');
  if (text === undefined) return 'the content of a reply is a text, null or an array of parts.';
  const chat: ChatMessage = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const { model, usage } = response;
  return {
    chat,
    origin: 'model',
    modelId: typeof model === 'string' ? model : undefined,
    usage: readUsage(usage),
  };
}

function result(event: Fields, called: Fields): Draft | string {
  const { content, observation, success } = event;
  const { tool_call_id: id, function_name: name } = called;
  if (typeof id !== 'string' || typeof name !== 'string')
    return 'a result has tool_call_id and function_name.';
  if (typeof content !== 'string') return 'the content of a result is a text.';
  return {
    chat: { role: 'tool', tool_call_id: id, name, content },
    origin: 'tool',
    isError: success === false || observation === 'error',
    end: observation === 'user_rejected' ? 'refused' : undefined,
    status: exitCodeOf(event['extras']),
  };
}

/** Returns the exit code of a command; undefined for −1, which means that the command is still running. */
function exitCodeOf(extras: unknown): number | undefined {
  const metadata = isRecord(extras) ? extras['metadata'] : undefined;
  // Before version 0.19, the exit code was next to the command.
  const code = isRecord(metadata)
    ? metadata['exit_code']
    : isRecord(extras)
      ? extras['exit_code']
      : undefined;
  return typeof code === 'number' && code >= 0 ? code : undefined;
}

/** Returns the time of an event. A time without a zone is read as UTC, so that an import is the same everywhere. */
function timeOf(event: unknown): string | undefined {
  const time = isRecord(event) ? event['timestamp'] : undefined;
  return typeof time === 'string' ? isoTime(/Z|[+-]\d\d:\d\d$/.test(time) ? time : `${time}Z`) : undefined;
}
