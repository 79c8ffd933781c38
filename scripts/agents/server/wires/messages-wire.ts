import {
  type DeclaredTool,
  eventText,
  fieldsOf,
  recordsIn,
  type SentMessage,
  stringIn,
  textsIn,
  type Wire,
} from './wire.ts';

/** Anthropic's messages protocol. */
export const messagesWire: Wire = {
  id: 'messages',
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
  answer({ text, call }, { number, body, usage }) {
    const blocks = [
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
        ...blocks.flatMap((block, index) => [
          event('content_block_start', {
            index,
            content_block: 'text' in block ? { type: 'text', text: '' } : { ...block, input: {} },
          }),
          event('content_block_delta', {
            index,
            delta:
              'text' in block
                ? { type: 'text_delta', text: block.text }
                : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
          }),
          event('content_block_stop', { index }),
        ]),
        event('message_delta', {
          delta: { stop_reason, stop_sequence: null },
          usage: { output_tokens: usage.output },
        }),
        event('message_stop'),
      ],
    };
  },
};

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
