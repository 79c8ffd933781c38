import { isRecord } from '../language/is-record.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { type Fields, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { contentOfBlocks, messagesForm, replyOfBlocks, writtenSystem } from './messages-blocks.ts';
import { MessagesReplyReader } from './messages-reply.ts';
import { wireTool } from './tool-server.ts';
import { isTurn, writtenTurns } from './turns.ts';
import type { Wire, WireMessage, WireTool } from './wire.ts';

/** Anthropic's messages, at Anthropic itself and at clouds that take its bodies. */
export const messagesWire: Wire = {
  id: 'messages',
  title: 'Anthropic messages',
  asks(path) {
    if (/\/messages\/count_tokens$|\/count-tokens:rawPredict$/u.test(path)) return 'count';
    return /\/messages$|:(?:r|streamR)awPredict$/u.test(path) ? 'reply' : undefined;
  },
  readRequest(body, path) {
    const turns = turnsIn(body);
    if (turns === undefined) return undefined;
    const session = sessionIn(body['metadata']);
    const tools = recordsIn(body['tools']);
    const deferred = new Map(
      tools.filter(isDeferred).map((tool) => [tool['name'], JSON.stringify(withoutMarks(tool))]),
    );
    return {
      model: wordIn(body['model']) || /\/models\/([^/:]+):/u.exec(path)?.[1],
      tools: tools.map(toolOf),
      messages: [...systemOf(body['system']), ...turns.flatMap((turn) => messagesOf(turn, deferred))],
      ...(session !== undefined && { session }),
    };
  },
  createReplyReader: () => new MessagesReplyReader(),
  withMessages(body, messages) {
    const sent = turnsIn(body) ?? [];
    const isOfSystem = ({ chat: { role }, raw }: WireMessage) =>
      (role === 'system' || role === 'developer') && !isTurn(raw[0]);
    const { system: old, ...withoutSystem } = body;
    const system = writeSystem(old, messages.filter(isOfSystem));
    const others = messages.filter((message) => !isOfSystem(message));
    return {
      ...(system === undefined ? withoutSystem : { ...body, system }),
      messages: writtenTurns(others, sent, messagesForm(sent)),
    };
  },
  errorBody: (status, message) =>
    JSON.stringify({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Returns the messages of a body; undefined if the body has none, or others than the provider takes. */
function turnsIn({ messages }: Fields): readonly Fields[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const isTaken = (turn: unknown): turn is Fields => {
    if (!isTurn(turn)) return false;
    const { content } = turn;
    return typeof content === 'string' || (Array.isArray(content) && content.every(isRecord));
  };
  return messages.every(isTaken) ? messages : undefined;
}

/** Each block of the system prompt is a message, so that blocks are sections. */
function systemOf(system: unknown): readonly WireMessage[] {
  const blocks = typeof system === 'string' ? [system] : recordsIn(system);
  return blocks.map((block) => ({
    chat: { role: 'system', content: contentOfBlocks(typeof block === 'string' ? block : [block]) },
    raw: [block],
  }));
}

function writeSystem(old: unknown, messages: readonly WireMessage[]): unknown {
  const blocks = messages.flatMap(({ chat, raw }) => (raw.length === 0 ? writtenSystem(chat) : raw));
  const sent: readonly unknown[] = Array.isArray(old) ? old.filter(isRecord) : [old];
  const isSame = blocks.length === sent.length && blocks.every((block, at) => block === sent[at]);
  if (isSame || (blocks.length === 0 && old === undefined)) return old;
  if (blocks.length === 0) return undefined;
  return blocks.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : block));
}

/** @param deferred name → declaration of a tool that is loaded where it is first found */
function messagesOf(turn: Fields, deferred: ReadonlyMap<unknown, string>): readonly WireMessage[] {
  const { content } = turn;
  const role = wordIn(turn['role']);
  const blocks = recordsIn(content);
  if (role !== 'assistant' && role !== 'user') {
    return [{ chat: { role: 'system', content: contentOfBlocks(content) }, raw: [turn] }];
  }
  if (blocks.length === 0) return [{ chat: { role, content: contentOfBlocks(content) }, raw: [turn] }];
  if (role === 'assistant') return [{ chat: replyOfBlocks(blocks), raw: blocks }];
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const others = blocks.filter(({ type }) => type !== 'tool_result');
  return [
    ...results.map((block): WireMessage => {
      const { tool_use_id: id, content: held, is_error: isError } = block;
      return {
        chat: {
          role: 'tool',
          tool_call_id: wordIn(id),
          content: contentOfBlocks(withDeclarations(held ?? '', deferred)),
        },
        raw: [block],
        ...(isError === true && { isError }),
      };
    }),
    ...(others.length === 0
      ? []
      : [{ chat: { role, content: contentOfBlocks(others) }, raw: others } as const]),
  ];
}

/** Tools that the provider runs have a type instead of a schema. All of their declaration counts. */
function toolOf(tool: Fields): WireTool {
  const declared = withoutMarks(tool);
  const { type, name, description, input_schema: parameters = declared } = declared;
  const named = { name: wordIn(name) || wordIn(type), description, parameters };
  return wireTool({ ...named, form: 'messages', isDeferred: isDeferred(tool) });
}

function isDeferred({ defer_loading: isLater }: Fields): boolean {
  return isLater === true;
}

/** Leaves out what the model does not read. */
function withoutMarks({ cache_control: _mark, defer_loading: _isLater, ...declared }: Fields): Fields {
  return declared;
}

/** Puts the declarations in place of references to found tools, as the provider does. */
function withDeclarations(content: unknown, deferred: ReadonlyMap<unknown, string>): unknown {
  if (!Array.isArray(content) || deferred.size === 0) return content;
  return recordsIn(content).map((block) => {
    const text = block['type'] === 'tool_reference' ? deferred.get(block['tool_name']) : undefined;
    return text === undefined ? block : { type: 'text', text };
  });
}

/** Reads the session of Claude Code from its user id, which is text or JSON. */
function sessionIn(metadata: unknown): string | undefined {
  const user = isRecord(metadata) ? wordIn(metadata['user_id']) : '';
  const named = /_session_([\w-]+)$/u.exec(user)?.[1];
  if (named !== undefined) return named;
  const value = parseShallow(user)?.value;
  return isRecord(value) ? wordIn(value['session_id']) || undefined : undefined;
}
