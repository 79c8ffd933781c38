import { type Fields, fieldsOf, recordsIn, stringIn } from '../wires/wire.ts';
import { isBlank, type Rules, signatureOf } from './rules.ts';

/** Maximum number of cache marks in a request. */
const mostMarks = 4;

interface Turn {
  readonly role: string;
  readonly blocks: readonly Fields[];
}

/** The rules for histories of Anthropic's messages. */
export const messagesRules: Rules = {
  objection(body) {
    const turns = turnsOf(recordsIn(body['messages']));
    if (turns[0]?.role !== 'user') return 'messages: the first message must use the role “user”';
    const marks = marksIn(body);
    if (marks > mostMarks) return `${marks} blocks have cache_control, but at most ${mostMarks} may`;
    for (const [index, { role, blocks }] of turns.entries()) {
      const problem =
        blocks.map((block) => blockObjection(block)).find((one) => one !== undefined) ??
        resultObjection(blocks, turns[index - 1], role);
      if (problem !== undefined) return `messages.${index}: ${problem}`;
    }
    const last = turns.at(-1);
    if (last?.role === 'assistant' && callsIn(last.blocks).length > 0) return 'tool_use without tool_result';
    return thinkingObjection(body, turns);
  },
  refusal: (message): Fields => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
};

/** Joins messages of the same role, as the endpoint does. */
function turnsOf(messages: readonly Fields[]): readonly Turn[] {
  const turns: { role: string; blocks: Fields[] }[] = [];
  for (const message of messages) {
    const { content } = message;
    const role = stringIn(message['role']);
    // Instructions between the messages do not separate them.
    if (role === 'system') continue;
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : recordsIn(content);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else turns.push({ role, blocks: [...blocks] });
  }
  return turns;
}

function blockObjection(block: Fields): string | undefined {
  switch (block['type']) {
    case 'text':
      return isBlank(block['text']) ? 'text blocks must contain non-whitespace text' : undefined;
    case 'thinking':
      return block['signature'] === signatureOf(stringIn(block['thinking']))
        ? undefined
        : 'invalid signature in thinking block';
    case 'tool_use':
      return block['input'] !== null && typeof block['input'] === 'object'
        ? undefined
        : 'the input of tool_use must be an object';
    default:
      return undefined;
  }
}

/** Results come first in the message right after their calls, and all of them. */
function resultObjection(
  blocks: readonly Fields[],
  before: Turn | undefined,
  role: string,
): string | undefined {
  const called = new Set(before === undefined ? [] : callsIn(before.blocks));
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.findIndex(({ type }) => type !== 'tool_result');
  const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result');
  if (called.size > 0 && others >= 0 && others < lastResult) return 'text comes before a tool_result';
  for (const { tool_use_id: id } of results)
    if (!called.delete(stringIn(id))) return `unexpected tool_use_id in tool_result: ${stringIn(id)}`;
  if (called.size > 0) return `tool_use without tool_result: ${[...called].join(', ')}`;
  const made = role === 'assistant' ? callsIn(blocks) : [];
  return new Set(made).size < made.length ? 'tool_use ids must be unique' : undefined;
}

/** While tools run, the assistant's message must begin with the reasoning that it began with. */
function thinkingObjection(body: Fields, turns: readonly Turn[]): string | undefined {
  if (fieldsOf(body['thinking'])['type'] !== 'enabled') return undefined;
  const [reply, results] = turns.slice(-2);
  const isRunning = results?.blocks.some(({ type }) => type === 'tool_result') === true;
  const first = reply?.blocks[0]?.['type'];
  const isSigned = first === 'thinking' || first === 'redacted_thinking';
  return isRunning && reply?.role === 'assistant' && !isSigned
    ? `expected thinking, but found ${stringIn(first)}`
    : undefined;
}

function callsIn(blocks: readonly Fields[]): readonly string[] {
  return blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => stringIn(id));
}

function marksIn(body: Fields): number {
  const blocks = [
    ...recordsIn(body['tools']),
    ...recordsIn(body['system']),
    ...recordsIn(body['messages']).flatMap(({ content }) => recordsIn(content)),
  ];
  return blocks.filter((block) => block['cache_control'] !== undefined).length;
}
