import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import { clineReport } from './cline-format.ts';
import {
  carriedCompaction,
  carriedSummary,
  cutRanges,
  rooCompaction,
  type TaskMessage,
} from './cline-task-compactions.ts';
import { saidInTask } from './cline-task-said.ts';
import { type TaskEvent, taskEvents, usageOfRequest } from './cline-task-events.ts';
import {
  callOf,
  type CountedContext,
  type Draft,
  emptyReply,
  folderIn,
  type ForeignCompaction,
  type Imported,
  isoTime,
  replyDraft,
  resultDraft,
  toEntries,
  type TranscriptFormat,
} from '../../reading/transcript-format.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { clineEndReports, reportedEndOf, rooStatus } from '../../reading/reported-ends.ts';
import { expectedAt, readJson, skipInto } from '../../reading/json-document.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';

const expected = importsSentences.say('expectedClineTask');

/** Key of the conversation in the combined text of a task, which also contains the companion. */
const inObject = /^\s*\{\s*"conversation"\s*:/;

/**
 * Conversations of tasks that Cline and Roo Code store in VS Code's storage (`api_conversation_history.json`): an
 * array of messages in Anthropic's form. Calls that a model wrote in the text of its reply stay text, like their
 * results. Summaries are not messages.
 *
 * The combined text has two fields: the array as `conversation`, and the companion `ui_messages.json`, with requests
 * and omitted ranges, as `shown`.
 */
export const clineTaskFormat: TranscriptFormat = {
  id: 'cline-task',
  title: 'Cline or Roo Code task (JSON)',
  recognises: (text) =>
    /^\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*\[/.test(text.replace(inObject, '')) &&
    (/"text"\s*:\s*"<task>/.test(text) || /"type"\s*:\s*"tool_(?:use|result)"/.test(text)),
  parse,
};

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const { value } = document;
  const { conversation, shown }: Fields = isRecord(value) ? value : { conversation: value };
  const path = isRecord(value) ? '/conversation' : '';
  if (!Array.isArray(conversation)) throw expectedAt(document.lineOf(path), expected);
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const task = new Task(taskEvents(shown));
  for (const [index, fields] of (conversation as readonly unknown[]).entries()) {
    task.add(fields, (objection) => skip(`${path}/${index}`, objection));
  }
  return { ...task.end(), tools: [], problems };
}

/** Collects the messages of a task. */
class Task {
  private readonly events: readonly TaskEvent[];
  private readonly drafts: Draft[] = [];
  private readonly messages: TaskMessage[] = [];
  private readonly carried: ForeignCompaction[] = [];
  /** Model that Roo Code named last. */
  private model: string | undefined;

  constructor(events: readonly TaskEvent[]) {
    this.events = events;
  }

  add(fields: unknown, skip: (objection: string) => void): void {
    const { role, content } = fieldsOf(fields);
    const parts = partsOf(content);
    const message = { fields: fieldsOf(fields), parts: parts ?? [], start: this.drafts.length };
    this.messages.push(message);
    if (parts === undefined) skip('a message has a content, a text or an array of parts.');
    else if (message.fields['isSummary'] === true) return;
    else if (role === 'assistant') this.addReply(message, skip);
    else if (role === 'user') this.addSaid(message, skip);
    else skip('a message has the role user or assistant.');
  }

  end(): Pick<Imported, 'entries' | 'compactions' | 'folder' | 'context'> {
    const { drafts, events, messages, carried } = this;
    messages.push({ fields: {}, parts: [], start: drafts.length });
    const ofRoo = messages.flatMap((_message, index) => rooCompaction(messages, index, events) ?? []);
    return {
      entries: toEntries(drafts),
      folder: folderIn([workingFolderIn(messages[0]?.parts)]),
      compactions: [...ofRoo, ...carried, ...cutRanges(messages, events)],
      context: contextAfter(ofRoo.at(-1), events),
    };
  }

  private addReply({ fields, parts }: TaskMessage, skip: (objection: string) => void): void {
    const reported = clineReport(fields);
    const report = {
      modelId: reported.modelId ?? this.model,
      usage: reported.usage ?? usageOfRequest(this.events, this.timeBefore(), fields['ts']),
    };
    const replies = replyOf(parts, isoTime(fields['ts']), skip);
    this.drafts.push(...replies.map((draft) => ({ ...draft, ...report })));
  }

  private addSaid(message: TaskMessage, skip: (objection: string) => void): void {
    const { messages, drafts } = this;
    const index = messages.length - 1;
    const summary = carriedSummary(message.parts, messages[index - 1]);
    if (summary !== undefined) {
      const tokensBefore = drafts.findLast(({ origin }) => origin === 'model')?.usage?.inputTokens;
      this.carried.push(carriedCompaction(summary, messages, index, tokensBefore));
    }
    const parts = summary?.rest ?? message.parts;
    this.model = modelIn(parts) ?? this.model;
    const createdAt = isoTime(message.fields['ts']);
    const said = saidIn(parts, drafts.length === 0, skip);
    drafts.push(...said.map((draft) => ({ ...draft, createdAt })));
  }

  /** Returns the time of the last reply before the message that is being added, or undefined. */
  private timeBefore(): unknown {
    return this.messages.slice(0, -1).findLast(({ fields }) => fields['role'] === 'assistant')?.fields['ts'];
  }
}

/** Returns the tokens that Roo Code counts after a summary, unless a later request reports its tokens. */
function contextAfter(
  last: ForeignCompaction | undefined,
  events: readonly TaskEvent[],
): CountedContext | undefined {
  const { tokensAfter: tokens = 0 } =
    events.findLast(({ request, tokensAfter = 0 }) => {
      return request !== undefined || tokensAfter > 0;
    }) ?? {};
  return last && tokens > 0 ? { tokens, beforeMessageIndex: last.beforeMessageIndex } : undefined;
}

/** Finds the model in Roo Code's environment details (`getEnvironmentDetails.ts`). */
function modelIn(parts: readonly Fields[]): string | undefined {
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const told = texts.findLast((text) => text.includes('<environment_details>'));
  return /<model>([^<\n]+)<\/model>/.exec(told ?? '')?.[1];
}

/**
 * Finds the folder in the environment details of Cline and Roo Code, which are a separate part. Earlier parts were
 * typed or come from files, so they may contain any text.
 */
export function workingFolderIn(content: unknown): string | undefined {
  const texts = partsOf(content)?.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])) ?? [];
  const details = texts.findLast((text) => /^\s*<environment_details>/.test(text));
  return /^# Current (?:Working|Workspace) Directory \((.*)\) Files$/m.exec(details ?? '')?.[1];
}

function partsOf(content: unknown): readonly Fields[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : undefined;
}

function replyOf(
  parts: readonly Fields[],
  createdAt: string | undefined,
  skip: (objection: string) => void,
): readonly Draft[] {
  const reply = emptyReply(createdAt);
  for (const { type, text, thinking, id, name, input } of parts) {
    if (type === 'text' && typeof text === 'string') reply.texts.push(text);
    else if (type === 'thinking' && typeof thinking === 'string') reply.thoughts.push(thinking);
    else if (type === 'reasoning' && typeof text === 'string') reply.thoughts.push(text);
    else if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') {
      reply.calls.push(callOf(id, name, JSON.stringify(input ?? {})));
    } else if (type !== 'redacted_thinking') skip('a part of a reply is a text, a thought or a tool call.');
  }
  const draft = replyDraft(reply);
  return draft === undefined ? [] : [draft];
}

/** @param isFirst true for the task itself, even without tags */
function saidIn(
  parts: readonly Fields[],
  isFirst: boolean,
  skip: (objection: string) => void,
): readonly Draft[] {
  const results = parts.flatMap(({ type, tool_use_id: callId, content, is_error: isError }): Draft[] => {
    if (type !== 'tool_result') return [];
    if (typeof callId !== 'string') {
      skip('a tool result has a tool_use_id.');
      return [];
    }
    const text = textOfParts(content) ?? '';
    const end = reportedEndOf(text, clineEndReports);
    const status = end === undefined ? rooStatus(text) : undefined;
    return [resultDraft(callId, text, { isError: isError === true, end, status })];
  });
  const others = parts.filter(({ type }) => type !== 'tool_result');
  if (others.length === 0) return results;
  const content = contentOfParts(others) ?? '';
  const said = saidInTask(saidParts(others), isFirst);
  return [...results, { chat: { role: 'user', content }, origin: 'person', parts: said }];
}
