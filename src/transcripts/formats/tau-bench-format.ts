import type { ChatMessage, Origin } from '../../compaction/messages/message.ts';
import { type Draft, type Imported, toEntries, type TranscriptFormat } from '../reading/transcript-format.ts';
import { chatCalls } from '../reading/content-parts.ts';
import { expectedAt, readJson, skipInto } from '../reading/json-document.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';

const expected = importsSentences.say('expectedTauBench');

const origins: Readonly<Record<string, Origin>> = {
  system: 'harness',
  user: 'person',
  assistant: 'model',
  tool: 'tool',
};

/**
 * Results of tau-bench: an array of runs, each an object with `task_id` and, as `traj`, OpenAI chat messages. Each run
 * is a conversation; only the last is read.
 */
export const tauBenchFormat: TranscriptFormat = {
  id: 'tau-bench',
  title: 'tau-bench results (JSON)',
  recognises: (text) =>
    /^\s*\[\s*\{/.test(text) && /"task_id"\s*:/.test(text) && /"traj"\s*:\s*\[/.test(text),
  parse,
};

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const runs = document.value;
  const last = Array.isArray(runs) ? runs.length - 1 : 0;
  const run: unknown = Array.isArray(runs) ? runs[last] : undefined;
  const path = `/${last}/traj`;
  if (!isRecord(run) || !Array.isArray(run['traj'])) {
    throw expectedAt(document.lineOf(path), expected);
  }
  const problems = last > 0 ? [`Of the ${last + 1} runs in the file only the last was read.`] : [];
  const skip = skipInto(problems, document);
  const drafts = run['traj'].flatMap((value: unknown, index): Draft[] => {
    const draft = toDraft(value);
    if (typeof draft === 'object') return [draft];
    skip(`${path}/${index}`, draft);
    return [];
  });
  return { entries: toEntries(drafts), tools: [], compactions: [], problems };
}

/** @returns the message, or why the value is not one */
function toDraft(value: unknown): Draft | string {
  if (!isRecord(value)) return 'a message is an object.';
  const { role, content, name, tool_call_id: callId } = value;
  const origin = typeof role === 'string' ? origins[role] : undefined;
  if (origin === undefined) return `a message has a role, one of ${Object.keys(origins).join(', ')}.`;
  if (typeof content !== 'string' && content !== null) return 'the content of a message is a text or null.';
  if (role === 'tool' && typeof callId !== 'string') return 'a tool result has a tool_call_id.';
  const calls = chatCalls(value['tool_calls']);
  if (typeof calls === 'string') return calls;
  const chat: ChatMessage = {
    role: role as ChatMessage['role'],
    content: role === 'tool' ? (content ?? '') : content,
    ...(typeof name === 'string' && { name }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(typeof callId === 'string' && { tool_call_id: callId }),
  };
  return { chat, origin, isError: role === 'tool' && content?.startsWith('Error: ') };
}
