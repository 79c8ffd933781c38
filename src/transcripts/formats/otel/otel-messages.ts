import type { ReportedUsage, ToolSchema } from '../../../compaction/messages/message.ts';
import { isRecord } from '../../../language/is-record.ts';
import { picturePlaceholder, saidParts, textOfParts } from '../../reading/content-parts.ts';
import { type Fields, objectionToValue, recordsIn, wordIn } from '../../reading/fields.ts';
import { copilotEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import { callOf, type Draft, replyDraft, resultDraft } from '../../reading/transcript-format.ts';

/** Returns the messages of a request or a reply in the conventions' form. Calls without ids are numbered. */
export function draftsIn(messages: readonly Fields[]): readonly Draft[] {
  const open: string[] = [];
  let calls = 0;
  return messages.flatMap((message) => {
    const parts = recordsIn(message['parts']).map((part) => {
      if (part['type'] === 'tool_call') {
        const id = wordIn(part['id']) || `call-${++calls}`;
        open.push(id);
        return { ...part, id };
      }
      if (part['type'] !== 'tool_call_response') return part;
      const id = wordIn(part['id']) || (open[0] ?? '');
      if (open.includes(id)) open.splice(open.indexOf(id), 1);
      return { ...part, id };
    });
    return draftsOf({ role: message['role'], parts: parts.length === 0 ? message['parts'] : parts });
  });
}

function draftsOf({ role, parts }: Fields): readonly Draft[] {
  const list = recordsIn(parts);
  const texts = textPartsIn(parts);
  const text = textOfParts(texts) ?? '';
  const results = list.flatMap(({ type, id, response, result }): Draft[] => {
    if (type !== 'tool_call_response' || typeof id !== 'string' || id === '') return [];
    const value = response ?? result;
    const content = textOfParts(value) ?? JSON.stringify(value ?? '');
    return [resultDraft(id, content, { end: reportedEndOf(content, copilotEndReports) })];
  });
  if (role === 'assistant') {
    const thoughts = list.flatMap(({ type, content }) =>
      type === 'reasoning' && typeof content === 'string' ? [content] : [],
    );
    const calls = list.flatMap(({ type, id, name, arguments: input }) =>
      type === 'tool_call' && typeof id === 'string' && typeof name === 'string'
        ? [callOf(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}))]
        : [],
    );
    const draft = replyDraft({ texts: [text], thoughts, calls });
    return draft === undefined ? results : [draft, ...results];
  }
  if (text === '' || role === 'tool') return results;
  if (role === 'system' || role === 'developer') {
    return [...results, { chat: { role: 'system', content: text }, origin: 'harness' }];
  }
  return [...results, { chat: { role: 'user', content: text }, origin: 'person', parts: saidParts(texts) }];
}

const pictureTypes: ReadonlySet<unknown> = new Set(['blob', 'uri', 'file']);

/** Returns the texts and pictures of parts in the form that other formats use. */
export function textPartsIn(parts: unknown): readonly Fields[] {
  if (typeof parts === 'string') return [{ type: 'text', text: parts }];
  return recordsIn(parts).flatMap(({ type, content, modality }) => {
    if (type === 'text' || type === 'refusal') return [{ type: 'text', text: content }];
    return pictureTypes.has(type) && modality === 'image' ? [{ type: 'text', text: picturePlaceholder }] : [];
  });
}

/** Reads the definitions of tools in the conventions' form, in OpenAI's, Anthropic's or Google's. */
export function toolsIn(definitions: unknown): readonly ToolSchema[] {
  const declared = recordsIn(definitions).flatMap((definition) => {
    const inGroup = recordsIn(definition['functionDeclarations']);
    return inGroup.length > 0 ? inGroup : [definition];
  });
  return declared.flatMap((definition): ToolSchema[] => {
    const tool = isRecord(definition['function']) ? definition['function'] : definition;
    const { name, description } = tool;
    const parameters = tool['parameters'] ?? tool['parametersJsonSchema'] ?? tool['input_schema'];
    if (typeof name !== 'string') return [];
    return [
      {
        type: 'function',
        function: {
          name,
          ...(typeof description === 'string' && { description }),
          ...(isRecord(parameters) && { parameters }),
        },
      },
    ];
  });
}

/** Reads the reported tokens of a request. The conventions count cached tokens as input, too. */
export function usageIn(attributes: Fields): ReportedUsage | undefined {
  const input = attributes['gen_ai.usage.input_tokens'] ?? attributes['gen_ai.usage.prompt_tokens'];
  const output = attributes['gen_ai.usage.output_tokens'] ?? attributes['gen_ai.usage.completion_tokens'];
  const cached =
    attributes['gen_ai.usage.cache_read.input_tokens'] ?? attributes['gen_ai.usage.cache_read_input_tokens'];
  const written =
    attributes['gen_ai.usage.cache_creation.input_tokens'] ??
    attributes['gen_ai.usage.cache_write.input_tokens'] ??
    attributes['gen_ai.usage.cache_creation_input_tokens'];
  if (typeof input !== 'number' || typeof output !== 'number' || input <= 0) return undefined;
  const cachedTokens = typeof cached === 'number' ? Math.min(cached, input) : 0;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(typeof cached === 'number' && { cachedInputTokens: cachedTokens }),
    ...(typeof written === 'number' && { cacheWriteTokens: Math.min(written, input - cachedTokens) }),
  };
}

/** Returns the value of an attribute, which may be written as JSON. A text that is not JSON stays a text. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const json: unknown = JSON.parse(value);
    return objectionToValue(json) === undefined ? json : undefined;
  } catch {
    return value;
  }
}
