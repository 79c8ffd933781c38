import { responsesRules } from '../rules/responses-rules.ts';
import { signatureOf } from '../rules/rules.ts';
import {
  type DeclaredTool,
  eventText,
  fieldsOf,
  type Fields,
  recordsIn,
  type Reply,
  type SentMessage,
  stringIn,
  textsIn,
  type Wire,
} from './wire.ts';

/** OpenAI's responses protocol. */
export const responsesWire: Wire = {
  id: 'responses',
  rules: responsesRules,
  accepts: (path) => path.includes('/responses'),
  read(body) {
    const { instructions, input } = body;
    const items = Array.isArray(input) ? recordsIn(input) : [{ role: 'user', content: input }];
    return {
      tools: recordsIn(body['tools']).flatMap(toolsOf),
      found: items.filter(isSearchResult).flatMap(({ tools }) => recordsIn(tools).flatMap(toolsOf)),
      messages: [
        ...(textsIn(instructions).length === 0
          ? []
          : [{ role: 'system', texts: textsIn(instructions), calls: [] } satisfies SentMessage]),
        ...items.map(messageOf),
      ],
    };
  },
  answer(reply, { number, body, usage }) {
    const output = itemsOf(reply, number, body['reasoning'] !== undefined);
    const whole = {
      id: `resp_${number}`,
      object: 'response',
      created_at: Math.floor(Date.now() / 1000),
      status: 'completed',
      model: body['model'],
      output,
      usage: {
        input_tokens: usage.input,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.input + usage.output,
      },
    };
    if (body['stream'] !== true) return { json: whole };
    let sequence_number = 0;
    const event = (type: string, fields: object) =>
      eventText({ type, sequence_number: sequence_number++, ...fields }, type);
    return {
      events: [
        event('response.created', { response: { ...whole, status: 'in_progress', output: [] } }),
        ...output.flatMap((item, output_index) => itemEvents(item, output_index, event)),
        event('response.completed', { response: whole }),
      ],
    };
  },
};

/** The tools in a declaration. A tool group declares several tools. */
function toolsOf(declared: Fields): readonly DeclaredTool[] {
  const name = stringIn(declared['name']);
  switch (declared['type']) {
    case 'namespace':
      return recordsIn(declared['tools'])
        .flatMap(toolsOf)
        .map((tool) => ({ ...tool, namespace: name }));
    case 'tool_search':
      return [{ name: 'tool_search', schema: fieldsOf(declared['parameters']), declared, findsTools: true }];
    case 'custom':
      return [{ name, schema: {}, declared, takesText: true }];
    default:
      return [{ name, schema: fieldsOf(declared['parameters']), declared }];
  }
}

function isSearchResult({ type }: Fields): boolean {
  return type === 'tool_search_output';
}

function messageOf(item: Fields): SentMessage {
  const type = stringIn(item['type']);
  if (isSearchResult(item)) return { role: 'tool', texts: [JSON.stringify(item['tools'])], calls: [] };
  if (type.endsWith('_output')) return { role: 'tool', texts: textsIn(item['output']), calls: [] };
  if (type.endsWith('_call')) {
    const input = item['arguments'] ?? item['input'] ?? item['action'];
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    return { role: 'assistant', texts: [], calls: [{ name: stringIn(item['name']), input: text }] };
  }
  const role = stringIn(item['role']);
  return {
    role: type === 'reasoning' ? 'assistant' : role === 'user' || role === 'assistant' ? role : 'system',
    texts: textsIn(item['content'] ?? item['summary']),
    calls: [],
  };
}

function itemsOf({ thought, text, call }: Reply, number: number, isReasoning: boolean): readonly Fields[] {
  const items: Fields[] = [];
  if (thought !== undefined && isReasoning) {
    items.push({
      type: 'reasoning',
      id: `rs_${number}`,
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: signatureOf(thought),
    });
  }
  if (text !== undefined) {
    items.push({
      type: 'message',
      id: `msg_${number}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
    });
  }
  if (call !== undefined) {
    const { tool, id, input } = call;
    const common = { call_id: id, name: tool.name, status: 'completed' };
    items.push(
      tool.findsTools
        ? {
            ...{ type: 'tool_search_call', id: `tsc_${number}`, call_id: id, status: 'completed' },
            ...{ execution: 'client', arguments: input },
          }
        : tool.takesText
          ? { type: 'custom_tool_call', id: `ctc_${number}`, ...common, input }
          : {
              type: 'function_call',
              id: `fc_${number}`,
              ...common,
              ...(tool.namespace !== undefined && { namespace: tool.namespace }),
              arguments: JSON.stringify(input),
            },
    );
  }
  return items;
}

function itemEvents(
  item: Fields,
  output_index: number,
  event: (type: string, fields: object) => string,
): readonly string[] {
  const { type, id: item_id } = item;
  const begun = {
    ...item,
    status: 'in_progress',
    ...(type === 'message' && { content: [] }),
    ...(type === 'function_call' && { arguments: '' }),
  };
  const place = { output_index, item_id };
  const part = { ...place, content_index: 0 };
  const text = textsIn(item['content'])[0];
  return [
    event('response.output_item.added', { output_index, item: begun }),
    ...(type === 'message'
      ? [
          event('response.content_part.added', {
            ...part,
            part: { type: 'output_text', text: '', annotations: [] },
          }),
          event('response.output_text.delta', { ...part, delta: text }),
          event('response.output_text.done', { ...part, text }),
        ]
      : []),
    ...(type === 'function_call'
      ? [
          event('response.function_call_arguments.delta', { ...place, delta: item['arguments'] }),
          event('response.function_call_arguments.done', { ...place, arguments: item['arguments'] }),
        ]
      : []),
    event('response.output_item.done', { output_index, item }),
  ];
}
