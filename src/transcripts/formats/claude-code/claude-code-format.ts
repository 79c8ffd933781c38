import { conversationsOf, isErrorNotice } from './claude-code-branches.ts';
import { endOfClaudeCodeResult, withBriefResult } from './claude-code-ends.ts';
import { ClaudeCodeHistory } from './claude-code-history.ts';
import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import {
  callOf,
  type Draft,
  folderIn,
  type Imported,
  isoTime,
  ofSubAgent,
  resultDraft,
} from '../../reading/transcript-format.ts';
import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import { expectEvent, lineFormat, problemAt } from '../../reading/json-document.ts';
import { fieldsOf, wordIn, type EventLine, type EventLines, type Fields } from '../../reading/fields.ts';
import { readGrowing } from '../../reading/growing-list.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedClaudeCode');

/**
 * Attachments that the program does not send to the model: reports of hooks, and changes of its mode. Text
 * and objections that hooks add are sent.
 */
const unsaidAttachment =
  /^(?:hook_(?!additional_context$|blocking_error$)\w+|(?:\w+_)?mode(?:_\w+)?|command_permissions|structured_output)$/;

/**
 * Sessions of Claude Code: JSON lines in Anthropic's form. A reply has one line per part, with results of its calls
 * in between. `isMeta` marks text that the program wrote in the user's name. `isSidechain` marks sub-agents. Their
 * conversations and abandoned branches are read as separate conversations. Provider errors, which the program shows
 * as replies, are left out. A prompt that was queued until a call ended may have no separate line. Summaries of
 * compactions are not messages.
 */
export const claudeCodeFormat = lineFormat(
  {
    id: 'claude-code',
    title: 'Claude Code session (JSON lines)',
    recognises: (text) =>
      /^\s*\{/.test(text) && /"parentUuid":\s*(?:null|")/.test(text) && text.includes('"sessionId":'),
  },
  read,
  withBriefResult,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, isSaid, expected);
  const { events, problems } = lines;
  const [main, ...others] = conversationsOf(events);
  const imported = readMain(main?.events ?? events).end();
  return {
    ...imported,
    problems: [...problems, ...imported.problems],
    others: others.map(({ kind, id, opening, events: rows }) => ({
      kind: kind === 'main' ? 'branch' : kind,
      id,
      opening,
      read: () => toImported(rows),
    })),
  };
}

function toImported(events: readonly EventLine[]): Imported {
  const conversation = new Conversation();
  for (const event of events) conversation.add(event);
  return conversation.end();
}

/** Reads the active conversation, in which each line is read once while the file grows. */
const readMain = readGrowing(() => new Conversation());

/** A conversation, read line by line. */
class Conversation {
  private readonly history = new ClaudeCodeHistory();
  private readonly problems: string[] = [];
  private readonly prompts = new QueuedPrompts();
  private folder: string | undefined;
  private isOfSubAgent = true;

  add({ line, fields }: EventLine): void {
    const { history, prompts } = this;
    const skip = (objection: string) => this.problems.push(problemAt(line, objection));
    this.folder ??= folderIn([fields['cwd']]);
    this.isOfSubAgent &&= !isSaid(fields) || fields['isSidechain'] === true;
    history.line(fields['uuid']);
    switch (fields['type']) {
      case 'assistant':
        if (!isErrorNotice(fields)) addReply(fields, history, skip);
        break;
      case 'user':
        addUser(fields, history, skip);
        break;
      case 'system':
        if (fields['subtype'] === 'compact_boundary') history.boundary(fields['compactMetadata']);
        break;
      case 'queue-operation': {
        const content = prompts.delivered(fields);
        const createdAt = isoTime(fields['timestamp']);
        if (content !== undefined)
          history.add({ chat: { role: 'user', content }, origin: 'person', createdAt });
        break;
      }
      case 'attachment': {
        const attachment = fields['attachment'];
        if (!isRecord(attachment)) break;
        const isQueued = attachment['type'] === 'queued_command';
        const content = isQueued ? prompts.attached(attachment) : attachmentText(attachment);
        const isPrompt = isQueued && (attachment['commandMode'] ?? 'prompt') === 'prompt';
        const isTyped = isPrompt && !isOfProgram(attachment);
        const origin = isTyped ? 'person' : 'harness';
        const createdAt = isoTime(fields['timestamp']);
        if (content !== undefined) history.add({ chat: { role: 'user', content }, origin, createdAt });
      }
    }
  }

  end(): Imported {
    const { folder, problems } = this;
    const imported = { ...this.history.end(), folder, tools: [], problems: [...problems] };
    return this.isOfSubAgent ? ofSubAgent(imported) : imported;
  }
}

function isSaid(event: Fields): boolean {
  return (event['type'] === 'user' || event['type'] === 'assistant') && isRecord(event['message']);
}

/** Model name in replies that the program wrote. */
export const placeholderModel = '<synthetic>';

/** Receives a sentence for each part that cannot be read. */
type Skip = (objection: string) => void;

function addReply(fields: Fields, history: ClaudeCodeHistory, skip: Skip): void {
  const parts = partsOf(fields['message']);
  if (parts === undefined) {
    skip('a reply has a message with an array of parts.');
    return;
  }
  const { id, model, usage } = fields['message'] as Fields;
  const reply = history.reply(typeof id === 'string' ? id : undefined, isoTime(fields['timestamp']));
  if (typeof model === 'string' && model !== placeholderModel) reply.modelId = model;
  // A reply's first lines are written before it has ended, so the last line has the right number of output tokens.
  const reported = model === placeholderModel ? undefined : readUsage(usage);
  if (reported !== undefined && reported.outputTokens >= (reply.usage?.outputTokens ?? 0))
    reply.usage = reported;
  for (const part of parts) {
    const { type, text, thinking, id: callId, name, input } = part;
    const answeredId = part['tool_use_id'];
    if (type === 'text' && typeof text === 'string') reply.texts.push(text);
    else if (type === 'thinking' && typeof thinking === 'string') reply.thoughts.push(thinking);
    else if (callTypes.has(type) && typeof callId === 'string' && typeof name === 'string') {
      history.call(reply, callOf(callId, name, JSON.stringify(input ?? {})));
    } else if (typeof type === 'string' && type.endsWith('_tool_result') && typeof answeredId === 'string') {
      history.result(serverResult(answeredId, part, isoTime(fields['timestamp'])));
    } else if (type !== 'redacted_thinking') skip('a part of a reply is a text, a thought or a tool call.');
  }
}

/** Types of calls. Tools run in the program, or at the provider during the reply. */
const callTypes: ReadonlySet<unknown> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

function serverResult(id: string, { content }: Fields, createdAt: string | undefined): Draft {
  const isError = wordIn(fieldsOf(content)['type']).endsWith('_error');
  return resultDraft(id, textOfParts(content) || JSON.stringify(content ?? ''), { createdAt, isError });
}

function addUser(fields: Fields, history: ClaudeCodeHistory, skip: Skip): void {
  const createdAt = isoTime(fields['timestamp']);
  const parts = partsOf(fields['message']);
  if (parts === undefined) {
    skip("a user's line has a message with a text or an array of parts.");
    return;
  }
  if (fields['isCompactSummary'] === true) {
    history.compaction(textOfParts(parts) ?? '', createdAt);
    return;
  }
  if (fields['isVisibleInTranscriptOnly'] === true) return;
  for (const { type, tool_use_id: callId, content, is_error: isError } of parts) {
    if (type !== 'tool_result') continue;
    if (typeof callId !== 'string') {
      skip('a tool result has a tool_use_id.');
      continue;
    }
    const text = textOfParts(content) ?? '';
    const ended = endOfClaudeCodeResult(fields, text, isError === true);
    history.result(resultDraft(callId, text, { createdAt, isError: isError === true, ...ended }));
  }
  const said = parts.filter(({ type }) => type !== 'tool_result');
  if (said.length === 0) return;
  const content = contentOfParts(said) ?? '';
  const origin = isOfProgram(fields) ? 'harness' : 'person';
  history.add({ chat: { role: 'user', content }, origin, parts: saidParts(said), createdAt });
}

/** True if the program wrote a message. Newer versions state the origin. Only tools' messages name a call. */
export function isOfProgram({ isMeta, sourceToolUseID, origin, promptSource }: Fields): boolean {
  const { kind } = fieldsOf(origin);
  return (
    isMeta === true ||
    typeof sourceToolUseID === 'string' ||
    promptSource === 'system' ||
    (kind !== undefined && kind !== 'human')
  );
}

function partsOf(message: unknown): readonly Fields[] | undefined {
  const { content } = fieldsOf(message);
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : undefined;
}

/** Prompts typed while the agent worked. A queue operation, an attachment, or both report their delivery. */
class QueuedPrompts {
  private readonly waiting: string[] = [];
  /** Delivered prompts that only the queue or only an attachment has reported so far. */
  private readonly toldOnce: { readonly text: string; readonly by: 'queue' | 'attachment' }[] = [];

  /** @returns the prompt that this queue operation delivered to the model during a turn */
  delivered({ operation, content }: Fields): string | undefined {
    if (operation === 'enqueue' && typeof content === 'string') this.waiting.push(content);
    else if (operation === 'popAll') this.waiting.length = 0;
    // A dequeued prompt starts a turn and has its own line.
    else if (operation === 'dequeue') this.waiting.shift();
    else if (operation === 'remove') {
      const text = this.waiting.shift();
      return text === undefined ? undefined : this.once(text, 'queue');
    }
    return undefined;
  }

  /** @returns the prompt of an attachment, unless the queue already reported it */
  attached({ prompt }: Fields): string | undefined {
    const text = textOfParts(prompt);
    return text === undefined || text === '' ? undefined : this.once(text, 'attachment');
  }

  private once(text: string, by: 'queue' | 'attachment'): string | undefined {
    const told = this.toldOnce.findIndex((other) => other.text === text && other.by !== by);
    if (told < 0) {
      this.toldOnce.push({ text, by });
      return text;
    }
    this.toldOnce.splice(told, 1);
    return undefined;
  }
}

/** Returns the text of an attachment that the program sent in addition to the prompt. */
function attachmentText(attachment: Fields): string | undefined {
  const { type, content, ...rest } = attachment;
  if (unsaidAttachment.test(wordIn(type))) return undefined;
  // The model gets the text of a text attachment. For other attachments, the text sent is not in the file.
  const isText =
    typeof content === 'string' && !Object.values(rest).some((value) => typeof value === 'string');
  const said = isText ? content : JSON.stringify(attachment);
  return `<system-reminder source="${wordIn(type)}">\n${said}\n</system-reminder>`;
}
