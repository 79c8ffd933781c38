import type { ReportedUsage } from '../../compaction/message.ts';
import { isRecord } from '../provider-error.ts';

/** A part of a tool call as a chunk brings it; what a server leaves out is undefined. */
export interface ToolCallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly arguments: string;
}

/** One chunk of a stream, in the shape that all servers can be brought to. */
export interface Chunk {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly finishReason: string | undefined;
  readonly usage: ReportedUsage | undefined;
}

/** Reads a chunk defensively: servers that call themselves compatible differ in nearly every field. */
export function readChunk(data: unknown): Chunk {
  const fields = isRecord(data) ? data : {};
  const choice: unknown = Array.isArray(fields['choices']) ? fields['choices'][0] : undefined;
  const { delta, finish_reason } = isRecord(choice) ? choice : {};
  const { content, refusal, reasoning_content, reasoning, tool_calls } = isRecord(delta) ? delta : {};
  return {
    text: textIn(content, 'text') + textIn(refusal, 'text'),
    // Some servers send the same reasoning under both names.
    reasoning: textIn(reasoning_content, 'text') || textIn(reasoning, 'text') || textIn(content, 'thinking'),
    toolCalls: Array.isArray(tool_calls) ? tool_calls.filter(isRecord).map(readToolCall) : [],
    finishReason: nonEmpty(finish_reason),
    usage: readUsage(fields['usage']),
  };
}

/** Text of a content. Mistral sends parts, of which some hold its thinking. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  if (!Array.isArray(content)) return '';
  return content
    .filter(isRecord)
    .filter((part) => part['type'] === type)
    .map((part) => (typeof part[type] === 'string' ? part[type] : textIn(part[type], 'text')))
    .join('');
}

function readToolCall(call: Readonly<Record<string, unknown>>): ToolCallDelta {
  const { name, arguments: written } = isRecord(call['function']) ? call['function'] : {};
  const isWhole = isRecord(written) || Array.isArray(written);
  return {
    index: typeof call['index'] === 'number' ? call['index'] : undefined,
    id: nonEmpty(call['id']),
    name: nonEmpty(name),
    arguments: typeof written === 'string' ? written : isWhole ? JSON.stringify(written) : '',
  };
}

function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const inputTokens = countOf(usage['prompt_tokens']);
  const outputTokens = countOf(usage['completion_tokens']);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = usage['prompt_tokens_details'];
  const cachedInputTokens =
    (isRecord(details) ? countOf(details['cached_tokens']) : undefined) ??
    // DeepSeek's name for it.
    countOf(usage['prompt_cache_hit_tokens']);
  return { inputTokens, outputTokens, ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }) };
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
