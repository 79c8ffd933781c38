import { isRecord } from '../../../language/is-record.ts';
import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../../reading/fields.ts';
import { responseText } from '../gemini-cli/gemini-cli-turn.ts';
import { parsed } from './otel-messages.ts';
import type { OtelRecord } from './otel-records.ts';

/** Names of events in which Gemini CLI writes a request and a reply of Google's API. */
export const geminiRequest = 'gemini_cli.api_request';
export const geminiReply = 'gemini_cli.api_response';

/** Reads the messages of a request in the conventions' form; undefined if the event has none. */
export function geminiMessages({ attributes }: OtelRecord): readonly Fields[] | undefined {
  const contents = parsed(attributes['request_text']);
  return Array.isArray(contents) ? recordsIn(contents).map(messageOf) : undefined;
}

/** Reads a reply, which a stream writes in several pieces; undefined if the event has none. */
export function geminiAnswer({ attributes }: OtelRecord): Fields | undefined {
  const parts = recordsIn(parsed(attributes['response_text'])).flatMap(({ candidates }) =>
    recordsIn(fieldsOf(recordsIn(candidates)[0]?.['content'])['parts']),
  );
  return parts.length === 0 ? undefined : messageOf({ role: 'model', parts: parts.reduce(joined, []) });
}

/** Reads the tokens of a reply. Tokens of thoughts are output that the count of the output leaves out. */
export function geminiUsage({ attributes }: OtelRecord): ReportedUsage | undefined {
  const [input, output, thoughts, cached] = [
    'input_token_count',
    'output_token_count',
    'thoughts_token_count',
    'cached_content_token_count',
  ].map((name) => attributes[name]);
  if (typeof input !== 'number' || typeof output !== 'number' || input <= 0) return undefined;
  return {
    inputTokens: input,
    outputTokens: output + (typeof thoughts === 'number' ? thoughts : 0),
    ...(typeof cached === 'number' && { cachedInputTokens: Math.min(cached, input) }),
  };
}

/** The role of a request besides the conversation, such as that of a sub-agent; undefined for the conversation. */
export function geminiRole({ attributes }: OtelRecord): string | undefined {
  const role = wordIn(attributes['role']);
  return role === '' || role === 'main' ? undefined : role;
}

/** Joins the text of a piece with the text before it. */
function joined(parts: readonly Fields[], part: Fields): readonly Fields[] {
  const last = parts.at(-1);
  const isSame = last?.['thought'] === part['thought'];
  const [before, text] = [last?.['text'], part['text']];
  return isSame && typeof before === 'string' && typeof text === 'string'
    ? [...parts.slice(0, -1), { ...part, text: before + text }]
    : [...parts, part];
}

function messageOf({ role, parts }: Fields): Fields {
  return { role: role === 'model' ? 'assistant' : 'user', parts: recordsIn(parts).flatMap(partsOf) };
}

function partsOf({ text, thought, functionCall, functionResponse, inlineData }: Fields): readonly Fields[] {
  if (isRecord(functionCall)) {
    const { id, name, args } = functionCall;
    return [{ type: 'tool_call', id, name, arguments: args }];
  }
  if (isRecord(functionResponse)) {
    const { id, response } = functionResponse;
    return [{ type: 'tool_call_response', id, response: responseText(response) }];
  }
  if (inlineData !== undefined) return [{ type: 'blob', modality: 'image' }];
  return text === undefined ? [] : [{ type: thought === true ? 'reasoning' : 'text', content: text }];
}
