import type { ChatMessage, ToolCall } from '../../compaction/messages/message.ts';
import { chatCalls } from '../reading/content-parts.ts';
import {
  callOf,
  type Draft,
  type Imported,
  joinedFrames,
  resultDraft,
  toEntries,
  type TranscriptFormat,
} from '../reading/transcript-format.ts';
import type { Fields } from '../reading/fields.ts';
import { sweAgentEndReports, reportedEndOf } from '../reading/reported-ends.ts';
import { contentText, expectedAt, readJson, type Skip, skipInto } from '../reading/json-document.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { isRecord } from '../../language/is-record.ts';

const expected = importsSentences.say('expectedSweAgent');

/**
 * SWE-agent trajectories. For agents with function calls, the calls are in the file. For agents that write a command
 * in their text, the command (`action`) becomes a call of a tool `shell` with a generated id. The next message is the
 * result. The user wrote the task; the program wrote demonstrations and complaints about unreadable replies.
 */
export const sweAgentFormat: TranscriptFormat = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory (.traj)',
  recognises: (text) =>
    /^\s*\{/.test(text) && /"trajectory"\s*:\s*\[/.test(text) && /"history"\s*:\s*\[/.test(text),
  parse,
};

function parse(text: string): Imported {
  const document = readJson(text, expected);
  const { trajectory, history } = isRecord(document.value) ? document.value : {};
  if (!Array.isArray(trajectory) || !Array.isArray(history)) {
    const missed = Array.isArray(trajectory) ? '/history' : '/trajectory';
    throw expectedAt(document.lineOf(missed), expected);
  }
  const problems: string[] = [];
  const skip = skipInto(problems, document);
  const read = historyReader(skip);
  const drafts = (history as readonly unknown[]).flatMap((value, index): Draft[] => {
    const draft = read(value, `/history/${index}`);
    if (typeof draft === 'object') return [draft];
    skip(`/history/${index}`, draft);
    return [];
  });
  return { entries: toEntries(drafts, joinedFrames), tools: [], compactions: [], problems };
}

/** @returns a function that converts entries, in order, into messages, or returns why an entry is left out */
function historyReader(skip: Skip): (value: unknown, path: string) => Draft | string {
  let commands = 0;
  let unanswered: string | undefined;
  let hasTask = false;

  const assistant = (value: Fields, content: string): Draft | string => {
    const listed = chatCalls(value['tool_calls']);
    if (typeof listed === 'string') return listed;
    const { action } = value;
    let calls: readonly ToolCall[] = listed;
    if (calls.length === 0 && typeof action === 'string' && action.trim() !== '') {
      unanswered = `call_${String(++commands).padStart(4, '0')}`;
      calls = [callOf(unanswered, 'shell', JSON.stringify({ command: action }))];
    }
    const thoughts = thinking(value['thinking_blocks']);
    const chat: ChatMessage = {
      role: 'assistant',
      content: content === '' ? null : content,
      ...(thoughts !== '' && { reasoning_content: thoughts }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return { chat, origin: 'model' };
  };

  const user = (value: Fields, content: string): Draft => {
    if (unanswered !== undefined) {
      const id = unanswered;
      unanswered = undefined;
      return resultDraft(id, content, { end: reportedEndOf(content, sweAgentEndReports) });
    }
    const isTask = !hasTask && value['is_demo'] !== true;
    hasTask ||= isTask;
    return { chat: { role: 'user', content }, origin: isTask ? 'person' : 'harness' };
  };

  return (value, path) => {
    if (!isRecord(value)) return 'an entry of the history is an object.';
    const content = contentText(value['content'] ?? '', `${path}/content`, (part) => part['text'], skip);
    if (content === undefined) return 'the content of a message is a text or an array of texts.';
    switch (value['role']) {
      case 'system':
        return { chat: { role: 'system', content }, origin: 'harness' };
      case 'user':
        return user(value, content);
      case 'assistant':
        unanswered = undefined;
        return assistant(value, content);
      case 'tool': {
        const ids: unknown = value['tool_call_ids'];
        const id: unknown = Array.isArray(ids) ? ids[0] : undefined;
        if (typeof id !== 'string') return 'a tool result has tool_call_ids.';
        return resultDraft(id, content, { end: reportedEndOf(content, sweAgentEndReports) });
      }
      default:
        return 'a message has a role, one of system, user, assistant, tool.';
    }
  };
}

function thinking(blocks: unknown): string {
  if (!Array.isArray(blocks)) return '';
  const thoughts = blocks.map((block) => (isRecord(block) ? block['thinking'] : undefined));
  return thoughts.filter((thought) => typeof thought === 'string').join('\n');
}
