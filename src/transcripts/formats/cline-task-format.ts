import { contentOfParts, textOfParts } from '../reading/content-parts.ts';
import { clineReport } from './cline-format.ts';
import {
  callOf,
  type Draft,
  emptyReply,
  type ForeignCompaction,
  type Imported,
  isoTime,
  replyDraft,
  toEntries,
  type TranscriptFormat,
} from '../reading/transcript-format.ts';
import type { Fields } from '../reading/fields.ts';
import { expectedAt, readJson, skipInto } from '../reading/json-document.ts';
import { importsSentences } from '../../language/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';

const expected = importsSentences.say('expectedClineTask');

/** Tags that the extension puts around typed text. */
const typedMark = /<(?:task|feedback|answer|user_message)>/;

/**
 * The conversation of a task as Cline and Roo Code keep it in the editor's storage
 * (`api_conversation_history.json`): an array of messages in Anthropic's shape. Tools that the model called in the
 * text of its reply stay text, and so do their results. A summary that Roo Code marks is not a message.
 */
export const clineTaskFormat: TranscriptFormat = {
  id: 'cline-task',
  title: 'Cline or Roo Code task (JSON)',
  recognises: (text) =>
    /^\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*\[/.test(text) &&
    (/"text"\s*:\s*"<task>/.test(text) || /"type"\s*:\s*"tool_(?:use|result)"/.test(text)),
  parse,
};

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const { value } = document;
  if (!Array.isArray(value)) throw expectedAt(document.lineOf(''), expected);
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const drafts: Draft[] = [];
  const compactions: ForeignCompaction[] = [];
  for (const [index, fields] of (value as readonly unknown[]).entries()) {
    const skipMessage = (objection: string) => skip(`/${index}`, objection);
    const parts = isRecord(fields) ? partsOf(fields['content']) : undefined;
    if (!isRecord(fields) || parts === undefined) {
      skipMessage('a message has a content, a text or an array of parts.');
      continue;
    }
    const createdAt = isoTime(fields['ts']);
    if (fields['isSummary'] === true) {
      const summary = textOfParts(parts) ?? '';
      const at = createdAt === undefined ? {} : { createdAt };
      compactions.push({ agent: 'roo-code', beforeMessageIndex: drafts.length, summary, ...at });
    } else if (fields['role'] === 'assistant') {
      const report = clineReport(fields);
      drafts.push(...replyOf(parts, createdAt, skipMessage).map((draft) => ({ ...draft, ...report })));
    } else if (fields['role'] === 'user') {
      const isFirst = drafts.length === 0;
      drafts.push(...saidIn(parts, isFirst, skipMessage).map((draft) => ({ ...draft, createdAt })));
    } else skipMessage('a message has the role user or assistant.');
  }
  return { entries: toEntries(drafts), tools: [], compactions, problems };
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

/** @param isFirst the task itself, however it is marked */
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
    const chat = { role: 'tool', tool_call_id: callId, content: textOfParts(content) ?? '' } as const;
    return [{ chat, origin: 'tool', isError: isError === true }];
  });
  const others = parts.filter(({ type }) => type !== 'tool_result');
  if (others.length === 0) return results;
  const isTyped = isFirst || typedMark.test(textOfParts(others) ?? '');
  const content = contentOfParts(others) ?? '';
  return [...results, { chat: { role: 'user', content }, origin: isTyped ? 'person' : 'harness' }];
}
