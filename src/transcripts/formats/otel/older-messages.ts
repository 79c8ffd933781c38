import { isRecord } from '../../../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import { parsed } from './otel-messages.ts';
import type { OtelRecord } from './otel-records.ts';

/** Names of events with one message each, as older versions of the conventions have them, with the message's role. */
const roles: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
]);

/** A message in the conventions' form, and whether it is the reply. */
interface OlderMessage {
  readonly message: Fields;
  readonly isReply: boolean;
}

/** Reads an event with one message. Its fields are in the body of a log record, or in the attributes. */
export function messageOfEvent({ name, body, attributes }: OtelRecord): OlderMessage | undefined {
  const role = roles.get(name);
  if (role === undefined) return undefined;
  const fields: Fields = { role, ...attributes, ...fieldsOf(body) };
  const said = parsed(fields['message']);
  const isReply = name === 'gen_ai.choice';
  return { message: ofChat({ ...fields, ...fieldsOf(said), role }), isReply };
}

/**
 * Reads messages from numbered attributes, as OpenLLMetry writes them: `gen_ai.prompt.0.role`.
 * @param prefix `gen_ai.prompt` or `gen_ai.completion`
 */
export function numberedMessages(attributes: Fields, prefix: string): readonly Fields[] {
  const messages: Fields[] = [];
  for (let index = 0; Object.hasOwn(attributes, `${prefix}.${index}.role`); index++) {
    const field = (name: string) => attributes[`${prefix}.${index}.${name}`];
    const calls: Fields[] = [];
    for (let at = 0; field(`tool_calls.${at}.name`) !== undefined; at++) {
      const [id, name, input] = ['id', 'name', 'arguments'].map((key) => field(`tool_calls.${at}.${key}`));
      calls.push({ id, function: { name, arguments: input } });
    }
    const [role, content, id] = ['role', 'content', 'tool_call_id'].map(field);
    messages.push(ofChat({ role, content, id, tool_calls: calls }));
  }
  return messages;
}

function ofChat({ role, content, id, tool_calls: calls }: Fields): Fields {
  if (role === 'tool') return { role, parts: [{ type: 'tool_call_response', id, response: content }] };
  return {
    role,
    parts: [
      ...partsOf(content),
      ...recordsIn(calls).map((call) => {
        const { name, arguments: input } = fieldsOf(call['function']);
        return { type: 'tool_call', id: call['id'], name, arguments: input };
      }),
    ],
  };
}

function partsOf(content: unknown): readonly Fields[] {
  const list = typeof content === 'string' && content.startsWith('[') ? parsed(content) : content;
  if (typeof list === 'string') return [{ type: 'text', content: list }];
  return recordsIn(list).map((part) => ('text' in part ? { type: 'text', content: part['text'] } : part));
}

/** Reads a request or a reply of Anthropic's API, which Claude Code writes as a whole. */
export function ofAnthropic({ role, content }: Fields): Fields {
  if (typeof content === 'string') return { role, parts: [{ type: 'text', content }] };
  return { role, parts: recordsIn(content).map(ofBlock) };
}

/** Reads a block of Anthropic's content. */
export function ofBlock(block: Fields): Fields {
  const { type, text, thinking, id, name, input, tool_use_id: call, content } = block;
  if (type === 'text') return { type, content: text };
  if (type === 'thinking') return { type: 'reasoning', content: thinking };
  if (type === 'tool_use') return { type: 'tool_call', id, name, arguments: isRecord(input) ? input : {} };
  if (type === 'tool_result') return { type: 'tool_call_response', id: call, response: content };
  return type === 'image' ? { type: 'blob', modality: 'image' } : block;
}
