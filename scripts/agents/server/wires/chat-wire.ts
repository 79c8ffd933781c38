import { chatRules } from '../rules/chat-rules.ts';
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

/** The chat completions protocol of OpenAI and most other providers. */
export const chatWire: Wire = {
  id: 'chat completions',
  rules: chatRules,
  accepts: (path) => path.includes('/completions'),
  read: (body) => ({
    tools: recordsIn(body['tools']).map((declared): DeclaredTool => {
      const named = fieldsOf(declared['function']);
      return { name: stringIn(named['name']), schema: fieldsOf(named['parameters']), declared };
    }),
    messages: recordsIn(body['messages']).map((message): SentMessage => {
      const role = stringIn(message['role']);
      return {
        role: role === 'user' || role === 'assistant' || role === 'tool' ? role : 'system',
        texts: textsIn(message['content']),
        calls: recordsIn(message['tool_calls']).map(({ function: called }) => {
          const { name, arguments: input } = fieldsOf(called);
          return { name: stringIn(name), input: stringIn(input) };
        }),
      };
    }),
  }),
  answer({ thought, text, call }, { number, body, usage }) {
    const base = {
      id: `chatcmpl-${number}`,
      created: Math.floor(Date.now() / 1000),
      model: body['model'],
    };
    const counts = {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    const called = call && {
      id: call.id,
      type: 'function',
      function: { name: call.tool.name, arguments: JSON.stringify(call.input) },
    };
    const finish_reason = call === undefined ? 'stop' : 'tool_calls';
    if (body['stream'] !== true) {
      const message = {
        ...{ role: 'assistant', content: text ?? null },
        ...(thought !== undefined && { reasoning_content: thought }),
        ...(called && { tool_calls: [called] }),
      };
      return {
        json: {
          ...base,
          object: 'chat.completion',
          usage: counts,
          choices: [{ index: 0, finish_reason, message }],
        },
      };
    }
    const chunk = (choices: readonly object[], more: object = {}) =>
      eventText({ ...base, object: 'chat.completion.chunk', choices, ...more });
    const part = (delta: object, end: string | null = null) =>
      chunk([{ index: 0, delta, finish_reason: end }]);
    return {
      events: [
        part({ role: 'assistant', content: '' }),
        ...(thought === undefined ? [] : [part({ reasoning_content: thought })]),
        ...(text === undefined ? [] : [part({ content: text })]),
        ...(called === undefined ? [] : [part({ tool_calls: [{ index: 0, ...called }] })]),
        part({}, finish_reason),
        chunk([], { usage: counts }),
        'data: [DONE]\n\n',
      ],
    };
  },
};
