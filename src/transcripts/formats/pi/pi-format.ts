import { memoised } from '../../../compaction/messages/memoise.ts';
import type { ChatMessage, ReportedUsage } from '../../../compaction/messages/message.ts';
import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import {
  callOf,
  type Draft,
  emptyReply,
  folderIn,
  type ForeignCompaction,
  type Imported,
  isoTime,
  type OtherConversation,
  replyDraft,
  joinedFrames,
  toEntries,
} from '../../reading/transcript-format.ts';
import { eventTrees } from '../../reading/event-tree.ts';
import { expectEvent, lineFormat, problemAt, newerVersion } from '../../reading/json-document.ts';
import type { EventLine, EventLines, Fields } from '../../reading/fields.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import type { ReportedEnd } from '../../../compaction/messages/ledger.ts';
import { piEndReports, reportedEndOf, piStatus } from '../../reading/reported-ends.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedPi');
/** Newest known version of the file format. The first line of a file states its version. */
const knownVersion = 3;
const treeOf = eventTrees({ id: 'id', parentId: 'parentId' });

/**
 * Sessions of Pi: JSON lines. In newer files, every line names its parent. The conversation is the path from the last
 * line to the first; other paths are branches. Commands that the user ran in the shell were sent to the model, unless
 * the user excluded them. Replies that were stopped before any text are left out. A compaction names the first line
 * that was kept.
 */
export const piFormat = lineFormat(
  {
    id: 'pi',
    title: 'Pi session (JSON lines)',
    recognises: (text) => /^\s*\{"type":\s*"session",[^\n]*"cwd":/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isHeader, expected);
  const { events, problems } = lines;
  const tree = treeOf(events);
  const imported = toImported(tree.wayTo(), events);
  const others = tree.branches().flatMap(({ id, end, own }): OtherConversation[] => {
    const said = own.map(({ fields }) => toDraft(fields)).find((draft) => typeof draft === 'object');
    if (said === undefined) return [];
    const opening = textOfParts(said.chat.content) ?? undefined;
    return [{ kind: 'branch', id, opening, read: () => toImported(tree.wayTo(end), events) }];
  });
  return {
    ...imported,
    problems: [
      ...newerVersion('Pi', headerOf(events)?.['version'], knownVersion),
      ...problems,
      ...imported.problems,
    ],
    others,
  };
}

/**
 * @param way lines of the conversation
 * @param events all lines of the file
 */
function toImported(way: readonly EventLine[], events: readonly EventLine[]): Imported {
  const drafts: Draft[] = [];
  const compactions: ForeignCompaction[] = [];
  const problems: string[] = [];
  /** Number of messages before each line. */
  const messagesBefore: number[] = [];
  for (const { line, fields } of way) {
    messagesBefore.push(drafts.length);
    if (fields['type'] === 'compaction' && typeof fields['summary'] === 'string') {
      const kept = firstKept(fields, events);
      compactions.push({
        agent: 'pi',
        beforeMessageIndex: drafts.length,
        summary: fields['summary'],
        keptFromIndex: kept && messagesBefore[way.indexOf(kept)],
        createdAt: isoTime(fields['timestamp']),
      });
      continue;
    }
    const draft = toDraft(fields);
    if (typeof draft === 'string') problems.push(problemAt(line, draft));
    else if (draft !== undefined) drafts.push(draft);
  }
  const folder = folderIn([headerOf(events)?.['cwd']]);
  return { entries: toEntries(drafts, joinedFrames), folder, tools: [], compactions, problems };
}

function headerOf(events: readonly EventLine[]): Fields | undefined {
  return events.find(({ fields }) => isHeader(fields))?.fields;
}

function isHeader({ type, cwd }: Fields): boolean {
  return type === 'session' && typeof cwd === 'string';
}

/** Finds the first kept line. Older files give its index, counting the header; newer files give its id. */
function firstKept(compaction: Fields, events: readonly EventLine[]): EventLine | undefined {
  const { firstKeptEntryId: id, firstKeptEntryIndex: index } = compaction;
  if (typeof index === 'number') return events[index];
  return typeof id === 'string' ? events.find(({ fields }) => fields['id'] === id) : undefined;
}

/** @returns the message, the reason why the line cannot be read, or undefined for a line that is not a message */
const toDraft = memoised((fields: Fields): Draft | string | undefined => {
  const createdAt = isoTime(fields['timestamp']);
  switch (fields['type']) {
    case 'message': {
      const draft = isRecord(fields['message']) ? spoken(fields['message']) : 'a message is an object.';
      return typeof draft === 'object' ? { ...draft, createdAt } : draft;
    }
    case 'custom_message':
    case 'branch_summary': {
      const content = contentOfParts(fields['content'] ?? fields['summary']);
      if (content === undefined) return 'its content is a text or an array of parts.';
      return { chat: { role: 'user', content }, origin: 'harness', createdAt };
    }
    default:
      return undefined;
  }
});

function spoken(message: Fields): Draft | string | undefined {
  const { role, content, toolCallId, toolName, isError } = message;
  switch (role) {
    case 'user': {
      const said = contentOfParts(content);
      if (said === undefined) return 'the content of a message is a text or an array of parts.';
      return { chat: { role, content: said }, origin: 'person', parts: saidParts(content) };
    }
    case 'assistant':
      return reply(message);
    case 'toolResult': {
      const text = textOfParts(content);
      if (typeof toolCallId !== 'string' || text === undefined) return 'a result has toolCallId and content.';
      const name = typeof toolName === 'string' && { name: toolName };
      const chat: ChatMessage = { role: 'tool', tool_call_id: toolCallId, ...name, content: text };
      const end = isError === true ? endOfPiResult(text) : undefined;
      const isCommand = toolName === 'bash' && end === undefined;
      const status = isCommand ? piStatus(text, isError === true) : undefined;
      return { chat, origin: 'tool', isError: isError === true, end, status };
    }
    case 'bashExecution':
      return shellRun(message);
    case 'custom':
    case 'hookMessage':
    case 'branchSummary':
    case 'compactionSummary': {
      const said = contentOfParts(content ?? message['summary']);
      if (said === undefined) return 'the content of a message is a text or an array of parts.';
      return { chat: { role: 'user', content: said }, origin: 'harness' };
    }
    default:
      return 'a message has a role, one of user, assistant, toolResult, bashExecution, custom.';
  }
}

/** Reads the end of a command from the last line of its output, which reports a stop. */
function endOfPiResult(text: string): ReportedEnd | undefined {
  const isCut = /(?:^|\n)Command (?:aborted|timed out after \d+ seconds)$/u.test(text.trimEnd());
  return reportedEndOf(text, piEndReports) ?? (isCut ? 'cancelled' : undefined);
}

/** Returns a command that the user ran outside the conversation, with its output, as a message. */
function shellRun(run: Fields): Draft | string | undefined {
  const { command, output, exitCode, cancelled, excludeFromContext: isKeptBack } = run;
  if (typeof command !== 'string') return 'a command that was run has command.';
  if (isKeptBack === true) return undefined;
  const ending =
    cancelled === true ? '[cancelled]' : typeof exitCode === 'number' ? `[exit code ${exitCode}]` : '';
  const content = [`$ ${command}`, typeof output === 'string' ? output : '', ending]
    .filter((text) => text !== '')
    .join('\n');
  return { chat: { role: 'user', content }, origin: 'harness' };
}

/** Reads the usage. Pi's input count excludes tokens read from and written to the cache. */
export function readPiUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : 0);
  const [cachedInputTokens, cacheWriteTokens] = [count('cacheRead'), count('cacheWrite')];
  const inputTokens = count('input') + cachedInputTokens + cacheWriteTokens;
  if (inputTokens === 0) return undefined;
  return { inputTokens, outputTokens: count('output'), cachedInputTokens, cacheWriteTokens };
}

function reply({ content, model, usage }: Fields): Draft | string | undefined {
  if (!Array.isArray(content)) return 'the content of a reply is an array of parts.';
  const gathered = emptyReply(undefined);
  if (typeof model === 'string') gathered.modelId = model;
  gathered.usage = readPiUsage(usage);
  for (const part of content.filter(isRecord)) {
    const { type, text, thinking, id, name, arguments: input } = part;
    if (type === 'text' && typeof text === 'string') gathered.texts.push(text);
    else if (type === 'thinking' && typeof thinking === 'string') gathered.thoughts.push(thinking);
    else if (type === 'toolCall' && typeof id === 'string' && typeof name === 'string') {
      gathered.calls.push(callOf(id, name, JSON.stringify(input ?? {})));
    } else return 'a part of a reply is a text, a thought or a tool call.';
  }
  return replyDraft(gathered);
}
