import { type Fields, fieldsOf, recordsIn, stringIn } from '../wires/wire.ts';
import { isBlank, isJson, type Rules } from './rules.ts';

/** The rules for histories of chat completions. */
export const chatRules: Rules = {
  objection({ messages }) {
    const sent = recordsIn(messages);
    if (sent.length === 0) return 'messages: at least one message is required';
    let open = new Set<string>();
    for (const [index, message] of sent.entries()) {
      const place = `messages[${index}]`;
      if (message['role'] === 'tool') {
        const id = stringIn(message['tool_call_id']);
        if (!open.delete(id)) return `${place}: no preceding message has a call with the id “${id}”`;
        continue;
      }
      if (open.size > 0) return `${place}: these calls have no results: ${[...open].join(', ')}`;
      const calls = recordsIn(message['tool_calls']);
      if (message['tool_calls'] !== undefined && calls.length === 0) return `${place}: tool_calls is empty`;
      const wrong = calls.find(({ function: called }) => !isJson(fieldsOf(called)['arguments']));
      if (wrong !== undefined) return `${place}: the arguments of a call are not JSON`;
      if (calls.length === 0 && isBlank(message['content'])) return `${place}: content is empty`;
      open = new Set(calls.map(({ id }) => stringIn(id)));
      if (open.size < calls.length) return `${place}: two calls have the same id`;
    }
    return open.size > 0 ? `these calls have no results: ${[...open].join(', ')}` : undefined;
  },
  refusal: (message): Fields => ({
    error: { message, type: 'invalid_request_error', param: 'messages', code: null },
  }),
};
