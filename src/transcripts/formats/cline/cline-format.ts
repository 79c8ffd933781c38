import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import type { SaidPart } from '../../../compaction/messages/typed-parts.ts';
import { compactionInPlace, compactionOfState } from './cline-state.ts';
import {
  callOf,
  type Draft,
  type ForeignCompaction,
  type Imported,
  isoTime,
  ofSubAgent,
  type Reply,
  replyDraft,
  resultDraft,
  toEntries,
  type TranscriptFormat,
} from '../../reading/transcript-format.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { clineEndReports, reportedEndOf, clineStatus } from '../../reading/reported-ends.ts';
import { expectedAt, readJson, type Skip, skipInto, newerVersion } from '../../reading/json-document.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedCline');

/** Newest known version of the file format. */
const knownVersion = 1;

/** Key of the message file in the combined session text, which also contains the companion. */
const inObject = /^\s*\{\s*"session"\s*:/;

/**
 * Message files of Cline: an object with messages in Anthropic's form (`ts` in milliseconds) and the system prompt.
 * Tool results are in user messages; each result becomes a message.
 *
 * The combined text has this file as `session` and its companion as `compaction`.
 */
export const clineFormat: TranscriptFormat = {
  id: 'cline',
  title: 'Cline messages (JSON)',
  recognises: (text) =>
    /^\s*\{\s*"version"\s*:/.test(text.replace(inObject, '')) &&
    /"sessionId"\s*:/.test(text) &&
    /"messages"\s*:\s*\[/.test(text),
  parse,
};

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const whole = fieldsOf(document.value);
  const path = isRecord(whole['session']) ? '/session' : '';
  const session = isRecord(whole['session']) ? whole['session'] : whole;
  const { messages, sessionId } = session;
  if (typeof sessionId !== 'string' || !Array.isArray(messages)) {
    const missed = typeof sessionId === 'string' ? '/messages' : '/sessionId';
    throw expectedAt(document.lineOf(path + missed), expected);
  }
  const prompt = session['system_prompt'];
  const drafts: Draft[] =
    typeof prompt === 'string' ? [{ chat: { role: 'system', content: prompt }, origin: 'harness' }] : [];
  const problems: string[] = [...newerVersion('Cline', session['version'], knownVersion)];
  const skip = skipInto(problems, document);
  const starts: number[] = [];
  const compactions: ForeignCompaction[] = [];
  for (const [index, value] of (messages as readonly unknown[]).entries()) {
    starts.push(drafts.length);
    const compaction = compactionInPlace(value, drafts.length);
    if (compaction === undefined) drafts.push(...toDrafts(value, `${path}/messages/${index}`, skip));
    else compactions.push(compaction);
  }
  starts.push(drafts.length);
  const kept = compactionOfState(whole['compaction'], messages, starts);
  if (kept !== undefined) compactions.push(kept);
  const imported = { entries: toEntries(drafts), tools: [], compactions, problems };
  return isOfSubAgent(session['agent'], sessionId) ? ofSubAgent(imported) : imported;
}

/** True for a sub-agent. The user talks only to the lead agent. Ids of its sub-agents begin with its id. */
function isOfSubAgent(agent: unknown, sessionId: string): boolean {
  return agent === 'subagent' || (agent !== 'lead' && sessionId.includes('__'));
}

interface Gathered extends Pick<Reply, 'thoughts' | 'calls'> {
  readonly texts: SaidPart[];
  readonly results: Draft[];
}

function toDrafts(value: unknown, path: string, skip: Skip): readonly Draft[] {
  const role = isRecord(value) ? value['role'] : undefined;
  if (!isRecord(value) || (role !== 'user' && role !== 'assistant')) {
    skip(path, 'a message is an object with the role user or assistant.');
    return [];
  }
  const { content } = value;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    skip(path, 'the content of a message is a text or an array of parts.');
    return [];
  }
  const gathered: Gathered = { texts: [], thoughts: [], calls: [], results: [] };
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  for (const [index, part] of parts.entries()) {
    const objection = gather(part, gathered);
    if (objection !== undefined) skip(`${path}/content/${index}`, objection);
  }
  const said = role === 'user' ? saidIn(gathered, isOfProgram(value)) : replyIn(gathered, value);
  if (said === undefined && gathered.thoughts.length > 0) skip(path, 'nothing follows from the thought.');
  const createdAt = isoTime(value['ts']);
  return [...gathered.results, ...(said === undefined ? [] : [said])].map((draft) => ({
    ...draft,
    createdAt,
  }));
}

/** True for messages that hooks or the program wrote with the user role. The file marks these messages. */
function isOfProgram({ metadata }: Fields): boolean {
  const { displayRole: role } = fieldsOf(metadata);
  return role === 'system' || role === 'status';
}

function saidIn({ texts }: Gathered, isOfProgram: boolean): Draft | undefined {
  const content = texts.map(({ text }) => text).join('\n');
  const origin = isOfProgram ? 'harness' : 'person';
  return content === '' ? undefined : { chat: { role: 'user', content }, origin, parts: texts };
}

function replyIn({ texts, thoughts, calls }: Gathered, value: Fields): Draft | undefined {
  return replyDraft({ texts: texts.map(({ text }) => text), thoughts, calls, ...clineReport(value) });
}

/** @returns the reason why a part was left out; undefined if it was read */
function gather(part: unknown, { texts, thoughts, calls, results }: Gathered): string | undefined {
  if (!isRecord(part)) return 'a part of a message is an object.';
  const { text, thinking, path, content, id, name, input, tool_use_id: callId } = part;
  switch (part['type']) {
    case 'text':
      if (typeof text !== 'string') return 'a text has text.';
      texts.push({ text });
      return;
    case 'thinking':
      if (typeof thinking !== 'string') return 'a thought has thinking.';
      thoughts.push(thinking);
      return;
    case 'file':
      if (typeof path !== 'string' || typeof content !== 'string') return 'a file has path and content.';
      texts.push({ text: `<file path="${path}">\n${content}\n</file>`, isData: true });
      return;
    case 'tool_use':
      if (typeof id !== 'string' || typeof name !== 'string') return 'a tool call has id and name.';
      calls.push(callOf(id, name, JSON.stringify(input ?? {})));
      return;
    case 'tool_result':
      if (typeof callId !== 'string') return 'a tool result has tool_use_id.';
      results.push(toolResult(callId, part));
      return;
    default:
      return 'only texts, thoughts, files, tool calls and tool results can be read.';
  }
}

function toolResult(id: string, part: Fields): Draft {
  const { name, content, is_error: isError } = part;
  const text = resultText(content);
  const draft = resultDraft(id, text, {});
  const chat = { ...draft.chat, ...(typeof name === 'string' && { name }) };
  const end = reportedEndOf(text, clineEndReports);
  const isCommand = name === 'run_commands' && end === undefined;
  const status = isCommand ? clineStatus(content) : undefined;
  return { ...draft, chat, isError: isError === true, end, status };
}

/** Returns the text of a result, which is a string, Anthropic's text parts, or other data as JSON. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const texts = Array.isArray(content)
    ? content.flatMap((part) =>
        isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
      )
    : [];
  return Array.isArray(content) && content.length > 0 && texts.length === content.length
    ? texts.join('\n')
    : JSON.stringify(content);
}

/**
 * Reads the fields that Cline stores with a reply: the model, and the tokens of the request. The input count includes
 * cached tokens.
 *
 * @param message a reply as stored in the file
 */
export function clineReport({ modelInfo, metrics }: Fields): Pick<Draft, 'modelId' | 'usage'> {
  const model = isRecord(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  return {
    modelId: typeof model === 'string' ? model : undefined,
    usage: isRecord(metrics) ? usageIn(metrics) : undefined,
  };
}

/** Reads the counts. Newer files store them directly; task files store them in a separate object. */
function usageIn(metrics: Fields): ReportedUsage | undefined {
  const tokens = fieldsOf(metrics['tokens']);
  const input = metrics['inputTokens'] ?? tokens['prompt'];
  const output = metrics['outputTokens'] ?? tokens['completion'];
  const cached = metrics['cacheReadTokens'] ?? tokens['cached'];
  const written = metrics['cacheWriteTokens'];
  if (typeof input !== 'number' || typeof output !== 'number' || input <= 0) return undefined;
  const cachedInputTokens = typeof cached === 'number' ? Math.min(cached, input) : undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(typeof written === 'number' && {
      cacheWriteTokens: Math.min(written, input - (cachedInputTokens ?? 0)),
    }),
  };
}
