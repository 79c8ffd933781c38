import type { ReportedUsage } from '../messages/message.ts';
import { isRecord } from '../../language/is-record.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Reads the tokens that a server reported in `usage` or llama.cpp's `timings`; undefined without a report. */
export function readUsage(usage: unknown, timings?: unknown): ReportedUsage | undefined {
  const fields = isRecord(usage) ? usage : {};
  const timed = isRecord(timings) ? timings : {};
  const reusedTokens = countOf(timed['cache_n']);
  const namedInput =
    countOf(fields['prompt_tokens']) ??
    countOf(fields['input_tokens']) ??
    addedTo(countOf(timed['prompt_n']), reusedTokens);
  const outputTokens =
    countOf(fields['completion_tokens']) ?? countOf(fields['output_tokens']) ?? countOf(timed['predicted_n']);
  if (namedInput === undefined || outputTokens === undefined) return undefined;
  const inputTokens = namedInput + cacheBeside(fields, namedInput, outputTokens);
  const cached =
    cachedIn(fields['prompt_tokens_details']) ??
    cachedIn(fields['input_tokens_details']) ??
    // Names used by DeepSeek, Moonshot, Codex, and Anthropic and its imitators.
    countOf(fields['prompt_cache_hit_tokens']) ??
    countOf(fields['cached_tokens']) ??
    countOf(fields['cached_input_tokens']) ??
    countOf(fields['cache_read_input_tokens']) ??
    reusedTokens;
  const written = countOf(fields['cache_creation_input_tokens']);
  return {
    inputTokens,
    outputTokens,
    ...(cached === undefined ? {} : { cachedInputTokens: Math.min(cached, inputTokens) }),
    ...(written === undefined ? {} : { cacheWriteTokens: Math.min(written, inputTokens - (cached ?? 0)) }),
  };
}

/**
 * Returns cached tokens that the input excludes, as Anthropic's does. The total or a cache above the input shows this.
 */
function cacheBeside(fields: Fields, input: number, output: number): number {
  const read = countOf(fields['cache_read_input_tokens']) ?? 0;
  const cache = read + (countOf(fields['cache_creation_input_tokens']) ?? 0);
  const isAnthropic = fields['prompt_tokens'] === undefined && !isRecord(fields['input_tokens_details']);
  const isBeside = isAnthropic || cache > input || fields['total_tokens'] === input + output + cache;
  return isBeside ? cache : 0;
}

function cachedIn(details: unknown): number | undefined {
  return isRecord(details) ? countOf(details['cached_tokens']) : undefined;
}

function addedTo(count: number | undefined, more = 0): number | undefined {
  return count === undefined ? undefined : count + more;
}

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
