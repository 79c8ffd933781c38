import { ClaudeCodeHistory } from './claude-code-history.ts';
import { contentOfParts, textOfParts } from './content-parts.ts';
import { callOf, isoTime } from './draft.ts';
import { problemAt, readEventLines } from './event-lines.ts';
import { isFields, type Fields } from './fields.ts';
import type { Imported, TranscriptFormat } from './format.ts';

const expected = 'a Claude Code session, JSON lines with "type", "uuid", "parentUuid" and "message"';

/** Attachments that the agent's program keeps to itself, and prompts that the queue has delivered already. */
const unsaidAttachments: ReadonlySet<unknown> = new Set([
  'hook_success',
  'hook_system_message',
  'command_permissions',
  'queued_command',
]);

/**
 * Sessions of Claude Code: JSON lines in Anthropic's shape. A reply is spread over a line per part, with the results
 * of its calls in between; `isMeta` marks what the program wrote in the user's name, `isSidechain` the conversations
 * of subagents, which are left out. A prompt that waited in the queue until a call had ended is on no line of its
 * own. Summaries of compactions are no messages.
 */
export const claudeCodeFormat: TranscriptFormat = {
  id: 'claude-code',
  title: 'Claude Code session (JSON lines)',
  recognises: (text) =>
    /^\s*\{/.test(text) && /"parentUuid":\s*(?:null|")/.test(text) && text.includes('"sessionId":'),
  parse,
};

function parse(text: string): Imported {
  const { events, problems } = readEventLines(text, isSaid, expected);
  const history = new ClaudeCodeHistory();
  const allProblems = [...problems];
  const queue: string[] = [];
  for (const { line, fields } of events) {
    if (fields['isSidechain'] === true) continue;
    const skip = (objection: string) => allProblems.push(problemAt(line, objection));
    const createdAt = isoTime(fields['timestamp']);
    switch (fields['type']) {
      case 'assistant':
        addReply(fields, history, skip);
        break;
      case 'user':
        addUser(fields, history, skip);
        break;
      case 'queue-operation': {
        const prompt = deliveredPrompt(fields, queue);
        if (prompt !== undefined) {
          history.add({ chat: { role: 'user', content: prompt }, origin: 'person', createdAt });
        }
        break;
      }
      case 'attachment': {
        const content = attachmentText(fields['attachment']);
        if (content !== undefined) {
          history.add({ chat: { role: 'user', content }, origin: 'harness', createdAt });
        }
      }
    }
  }
  return { ...history.end(), tools: [], problems: allProblems };
}

function isSaid(event: Fields): boolean {
  return (event['type'] === 'user' || event['type'] === 'assistant') && isFields(event['message']);
}

/** @param skip told of what cannot be read, a sentence */
type Skip = (objection: string) => void;

function addReply(fields: Fields, history: ClaudeCodeHistory, skip: Skip): void {
  const parts = partsOf(fields['message']);
  if (parts === undefined) {
    skip('a reply has a message with an array of parts.');
    return;
  }
  const { id } = fields['message'] as Fields;
  const reply = history.reply(typeof id === 'string' ? id : undefined, isoTime(fields['timestamp']));
  for (const part of parts) {
    const { type, text, thinking, id: callId, name, input } = part;
    if (type === 'text' && typeof text === 'string') reply.texts.push(text);
    else if (type === 'thinking' && typeof thinking === 'string') reply.thoughts.push(thinking);
    else if (type === 'tool_use' && typeof callId === 'string' && typeof name === 'string') {
      history.call(reply, callOf(callId, name, JSON.stringify(input ?? {})));
    } else if (type !== 'redacted_thinking') skip('a part of a reply is a text, a thought or a tool call.');
  }
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
  for (const { type, tool_use_id: callId, content, is_error: isError } of parts) {
    if (type !== 'tool_result') continue;
    if (typeof callId !== 'string') {
      skip('a tool result has a tool_use_id.');
      continue;
    }
    const text = textOfParts(content) ?? '';
    const chat = { role: 'tool', tool_call_id: callId, content: text } as const;
    history.result({ chat, origin: 'tool', createdAt, isError: isError === true });
  }
  const said = parts.filter(({ type }) => type !== 'tool_result');
  if (said.length === 0) return;
  const content = contentOfParts(said) ?? '';
  const origin = fields['isMeta'] === true ? 'harness' : 'person';
  history.add({ chat: { role: 'user', content }, origin, createdAt });
}

function partsOf(message: unknown): readonly Fields[] | undefined {
  const content = isFields(message) ? message['content'] : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : undefined;
}

/** @returns the prompt that this step of the queue gave to the model in the middle of a turn */
function deliveredPrompt({ operation, content }: Fields, queue: string[]): string | undefined {
  if (operation === 'enqueue' && typeof content === 'string') queue.push(content);
  else if (operation === 'popAll') queue.length = 0;
  // A prompt that is dequeued starts a turn, and has a line of its own.
  else if (operation === 'dequeue') queue.shift();
  else if (operation === 'remove') return queue.shift();
  return undefined;
}

/** What the program told the model beside the prompt, as the data it was told. */
function attachmentText(attachment: unknown): string | undefined {
  if (!isFields(attachment) || unsaidAttachments.has(attachment['type'])) return undefined;
  return `<system-reminder source="${String(attachment['type'])}">\n${JSON.stringify(attachment)}\n</system-reminder>`;
}
