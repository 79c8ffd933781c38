import { type Fields, recordsIn, stringIn } from '../wires/wire.ts';
import { isBlank, type Rules, signatureOf } from './rules.ts';

/** The rules for histories of OpenAI's responses. */
export const responsesRules: Rules = {
  objection({ input }) {
    const items = Array.isArray(input) ? recordsIn(input) : [];
    const open = new Set<string>();
    for (const [index, item] of items.entries()) {
      const type = stringIn(item['type']);
      const id = stringIn(item['call_id']);
      if (type.endsWith('_call_output')) {
        if (!open.delete(id)) return `input[${index}]: no tool call found for the output of “${id}”`;
      } else if (type.endsWith('_call') && id !== '') {
        if (open.has(id)) return `input[${index}]: two calls have the id “${id}”`;
        open.add(id);
      } else if (type === 'reasoning') {
        const problem = reasoningObjection(item, items[index + 1]);
        if (problem !== undefined) return `input[${index}]: ${problem}`;
      } else if (type === 'message' && isBlank(item['content'])) return `input[${index}]: content is empty`;
    }
    return open.size > 0 ? `no tool output found for the calls ${[...open].join(', ')}` : undefined;
  },
  refusal: (message): Fields => ({
    error: { message, type: 'invalid_request_error', param: 'input', code: null },
  }),
};

function reasoningObjection(item: Fields, next: Fields | undefined): string | undefined {
  const [summary] = recordsIn(item['summary']);
  const sealed = item['encrypted_content'];
  if (typeof sealed === 'string' && sealed !== signatureOf(stringIn(summary?.['text'])))
    return 'the encrypted content could not be verified';
  const type = stringIn(next?.['type']);
  const isFollowed = type === 'reasoning' || type.endsWith('_call') || next?.['role'] === 'assistant';
  return isFollowed ? undefined : 'reasoning was provided without its required following item';
}
