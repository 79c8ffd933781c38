import type { ReportedUsage } from '../compaction/message.ts';
import type { Draft } from './draft.ts';
import { isFields, type Fields } from './fields.ts';

/**
 * What Cline notes beside a reply: the model, and the tokens of the request. Its input counts what the cache had in
 * it.
 *
 * @param message a reply as its file has it
 */
export function clineReport({ modelInfo, metrics }: Fields): Pick<Draft, 'modelId' | 'usage'> {
  const model = isFields(modelInfo) ? (modelInfo['id'] ?? modelInfo['modelId']) : undefined;
  return {
    modelId: typeof model === 'string' ? model : undefined,
    usage: isFields(metrics) ? usageIn(metrics) : undefined,
  };
}

/** Newer files have the counts beside each other, those of tasks in an object of their own. */
function usageIn(metrics: Fields): ReportedUsage | undefined {
  const tokens = isFields(metrics['tokens']) ? metrics['tokens'] : {};
  const input = metrics['inputTokens'] ?? tokens['prompt'];
  const output = metrics['outputTokens'] ?? tokens['completion'];
  const cached = metrics['cacheReadTokens'] ?? tokens['cached'];
  const written = metrics['cacheWriteTokens'];
  if (typeof input !== 'number' || typeof output !== 'number' || input <= 0) return undefined;
  const cachedInputTokens = typeof cached === 'number' ? Math.min(cached, input) : undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(typeof written === 'number' && {
      cacheWriteTokens: Math.min(written, input - (cachedInputTokens ?? 0)),
    }),
  };
}
