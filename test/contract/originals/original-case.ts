import { existsSync, readFileSync } from 'node:fs';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import type { Content, Message, Role, ToolCall } from '../../../src/compaction/messages/message.ts';
import { textOfTokens } from '../../support/messages.ts';

/** The originals' own cases, in a folder next to the project; not part of it. */
const file = '../shared/vectors/peers.json';

export const skipReason = `The originals are not at hand: ${file} is missing.`;

type Fields = Readonly<Record<string, unknown>>;

/** A case of an original: its input and its result. Texts are spelled out. */
export interface OriginalCase {
  /** Id of the system and the case; numbered if a test contains several. */
  readonly id: string;
  /** Name of the rule, as the original calls it. */
  readonly strategy: string;
  readonly params: Fields;
  readonly inputs: readonly Fields[];
  /** Replies of the model, one per call; the last one repeats if there are more calls. */
  readonly replies: readonly string[];
  readonly expected: Fields;
}

/** All cases; empty if the file is missing. */
export function readOriginalCases(): readonly OriginalCase[] {
  if (!existsSync(file)) return [];
  const seen = new Map<string, number>();
  return (JSON.parse(readFileSync(file, 'utf8')) as readonly Fields[]).map((entry) => {
    const name = `${String(entry['system'])} › ${String(entry['test_name'])}`;
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return {
      id: number === 1 ? name : `${name} (${number})`,
      strategy: String(entry['strategy']),
      params: fieldsOf(spelledOut(entry['params'])),
      inputs: listOf(spelledOut(entry['input_messages'])).map(fieldsOf),
      replies: repliesOf(spelledOut(entry['llm_reply'])),
      expected: fieldsOf(spelledOut(entry['expected'])),
    };
  });
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A string, or an empty one for a field of another type. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function repliesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(repliesOf);
  if (typeof value === 'string') return [value];
  const { text } = fieldsOf(value);
  return typeof text === 'string' ? [text] : [];
}

/** The macros of the file, written out. */
function spelledOut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledOut);
  if (typeof value !== 'object' || value === null) return value;
  const [[key, argument] = ['', undefined]] = Object.entries(value);
  switch (key) {
    case '$repeat': {
      const { s, n } = Array.isArray(argument)
        ? { s: String(argument[0]), n: Number(argument[1]) }
        : { s: String(fieldsOf(argument)['s']), n: Number(fieldsOf(argument)['n']) };
      return s.repeat(n);
    }
    case '$tokens':
    case '$tokens_min':
      return textOfTokens(Number(argument));
    case '$concat':
      return listOf(argument)
        .map((part) => String(spelledOut(part)))
        .join('');
    case '$json':
      return JSON.stringify(spelledOut(argument));
    default:
      return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, spelledOut(entry)]));
  }
}

/** Opening of memory notes in the original's format; with us, memory is a kind of message. */
const memoryOpening = 'Here are the relevant facts from memory';

/**
 * The input as our view: `m0` is the first message. A result without a call gets one before it, because it
 * could not be in a view otherwise.
 *
 * @param textOf another text for a message, if the rule needs another size
 */
export function viewOf(
  { inputs }: Pick<OriginalCase, 'inputs'>,
  textOf: (text: string, role: string) => string = (text) => text,
): readonly Message[] {
  const called = new Set(
    inputs.flatMap((input) => listOf(input['tool_calls']).map((call) => String(fieldsOf(call)['id']))),
  );
  return repairPairs(
    inputs.flatMap((input, index) => {
      if ('$generated_conversation' in input)
        return conversationOf(fieldsOf(input['$generated_conversation']));
      const message = messageOf(input, index, textOf);
      const callId = message.tool_call_id;
      if (callId === undefined || called.has(callId)) return [message];
      const name = typeof input['name'] === 'string' ? input['name'] : 'tool';
      return [callOf(`call of m${index}`, callId, name), message];
    }),
  );
}

function messageOf(input: Fields, index: number, textOf: (text: string, role: string) => string): Message {
  const role = String(input['role']) as Role;
  const content = contentOf(input['content'], (text) => textOf(text, role));
  const text = typeof content === 'string' ? content : '';
  const calls = listOf(input['tool_calls']) as readonly ToolCall[];
  const isMemory = text.startsWith(memoryOpening);
  const isReminder = role === 'user' && text.startsWith('<system-reminder>');
  return {
    role,
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(withWrittenArguments) }),
    ...(typeof input['tool_call_id'] === 'string' ? { tool_call_id: input['tool_call_id'] } : {}),
    ...(input['is_error'] === true ? { isError: true } : {}),
    ...(input['destroyed'] === true ? { truncation: { fate: 'hide' as const } } : {}),
    ...(isMemory ? { kind: 'memory' as const } : isReminder ? { kind: 'reminder' as const } : {}),
    id: `m${index}`,
    origin:
      role === 'user' && !isReminder
        ? 'person'
        : role === 'assistant'
          ? 'model'
          : role === 'tool'
            ? 'tool'
            : 'harness',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  };
}

/** Tokens that JSON encoding adds to a text. */
const wrapping = 4;

function withWrittenArguments(call: ToolCall): ToolCall {
  const { name, arguments: given } = call.function;
  const isJson = given.startsWith('{');
  return {
    ...call,
    function: {
      name,
      arguments: isJson ? given : JSON.stringify({ content: given.split(' ').slice(wrapping).join(' ') }),
    },
  };
}

function contentOf(value: unknown, textOf: (text: string) => string): Content {
  if (typeof value === 'string') return textOf(value);
  if (!Array.isArray(value)) return null;
  return value.map(fieldsOf).flatMap((part) => {
    // Our messages keep reasoning separate from the content.
    if (part['type'] === 'thinking' || part['type'] === 'think') return [];
    return [{ ...part, type: String(part['type']) }];
  });
}

function callOf(id: string, callId: string, name: string): Message {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: callId, type: 'function', function: { name, arguments: '{}' } }],
    id,
    origin: 'model',
    createdAt: '',
  };
}

/** Turns of about 200 tokens, every sixth with a call. */
function conversationOf({ tokens }: Fields): readonly Message[] {
  const turns = Math.ceil(Number(tokens) / 200);
  const at = { origin: 'model', createdAt: '' } as const;
  return Array.from({ length: turns }, (_, turn): readonly Message[] => {
    const asked: Message = {
      ...at,
      role: 'user',
      origin: 'person',
      id: `u${turn}`,
      content: textOfTokens(60),
    };
    const answer: Message = { ...at, role: 'assistant', id: `a${turn}`, content: textOfTokens(130) };
    if (turn % 6 !== 0) return [asked, answer];
    const call = callOf(`c${turn}`, `call${turn}`, 'read_file');
    const found: Message = {
      ...at,
      role: 'tool',
      origin: 'tool',
      tool_call_id: `call${turn}`,
      id: `r${turn}`,
      content: textOfTokens(400),
    };
    return [asked, call, found, answer];
  }).flat();
}
