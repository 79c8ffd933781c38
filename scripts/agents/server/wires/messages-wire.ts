import { messagesRules } from '../rules/messages-rules.ts';
import { signatureOf } from '../rules/rules.ts';
import {
  type DeclaredTool,
  eventText,
  type Fields,
  fieldsOf,
  recordsIn,
  type SentMessage,
  stringIn,
  textsIn,
  type Wire,
} from './wire.ts';

/** Reasoning of a reply for which the script has none. */
const anyThought = 'I go on with the task.';

/** Anthropic's messages protocol. */
export const messagesWire: Wire = {
  id: 'messages',
  rules: messagesRules,
  accepts: (path) => /\/messages(?:$|\?)/.test(path),
  read(body) {
    const system = textsIn(body['system']);
    return {
      // The provider itself runs tools without a schema.
      tools: recordsIn(body['tools']).map((declared): DeclaredTool => {
        return { name: stringIn(declared['name']), schema: fieldsOf(declared['input_schema']), declared };
      }),
      messages: [
        ...(system.length === 0 ? [] : [{ role: 'system', texts: system, calls: [] } satisfies SentMessage]),
        ...recordsIn(body['messages']).flatMap(({ role, content }) => messagesOf(stringIn(role), content)),
      ],
    };
  },
  answer({ thought, text, call }, { number, body, usage }) {
    const mode = fieldsOf(body['thinking'])['type'];
    // With thinking enabled, a reply always begins with it. An adaptive model decides.
    const thinking = mode === 'enabled' ? (thought ?? anyThought) : mode === 'adaptive' ? thought : undefined;
    const blocks = [
      ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: signatureOf(thinking) }]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...(call === undefined
        ? []
        : [{ type: 'tool_use', id: `toolu_${call.id}`, name: call.tool.name, input: call.input }]),
    ];
    const counts = {
      input_tokens: usage.input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: usage.output,
    };
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: body['model'],
      content: blocks,
      stop_reason: call === undefined ? 'end_turn' : 'tool_use',
      stop_sequence: null,
      usage: counts,
    };
    if (body['stream'] !== true) return { json: message };
    const event = (type: string, fields: object = {}) => eventText({ type, ...fields }, type);
    const begun = { ...message, content: [], stop_reason: null, usage: { ...counts, output_tokens: 1 } };
    const { stop_reason } = message;
    return {
      events: [
        event('message_start', { message: begun }),
        ...blocks.flatMap((block, index) => {
          const { start, deltas } = streamedBlock(block);
          return [
            event('content_block_start', { index, content_block: start }),
            ...deltas.map((delta) => event('content_block_delta', { index, delta })),
            event('content_block_stop', { index }),
          ];
        }),
        event('message_delta', {
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens: usage.output },
        }),
        event('message_stop'),
      ],
    };
  },
};

/** A block of the reply as a stream begins it, and the pieces that follow. */
function streamedBlock(block: Fields): { readonly start: Fields; readonly deltas: readonly Fields[] } {
  switch (block['type']) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text: block['text'] }] };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking: block['thinking'] },
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    default:
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }],
      };
  }
}

/** Results are blocks of the user's message. Each block becomes a tool message. */
function messagesOf(role: string, content: unknown): readonly SentMessage[] {
  const blocks = recordsIn(content);
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): SentMessage => ({ role: 'tool', texts: textsIn(block['content']), calls: [] }));
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ name, input }) => ({ name: stringIn(name), input: JSON.stringify(input) }));
  const texts = textsIn(content);
  if (texts.length + calls.length === 0) return results;
  return [...results, { role: role === 'assistant' ? 'assistant' : 'user', texts, calls }];
}
