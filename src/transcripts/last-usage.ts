import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { linesOf, textIn } from './head-fields.ts';
import type { Fields } from './reading/fields.ts';
import type { FoundAgent } from './session-places.ts';

/** Fill of an agent's context as its provider reported it last. */
export interface LastUsage {
  /** Of the request and its reply. */
  readonly tokens: number;
  /** Tokens that a request may have, if the file states it. */
  readonly window?: number | undefined;
  /** The model that replied, as the file names it. */
  readonly model?: string | undefined;
}

/**
 * The last report in the end of a session's file.
 *
 * @param tail the last characters of the file, which may begin anywhere in a line
 * @returns undefined if none is there, or a compaction came after it
 */
export function lastUsage(agent: FoundAgent, tail: string): LastUsage | undefined {
  const lines = linesOf(tail);
  switch (agent) {
    case 'claude-code':
      return lastOf(lines, claudeCodeUsage, ({ subtype, isCompactSummary }) => {
        return subtype === 'compact_boundary' || isCompactSummary === true;
      });
    case 'codex':
      return lastOf(lines, codexUsage, ({ type }) => type === 'compacted');
    case 'gemini-cli':
      return lastOf(lines, geminiUsage, () => false);
    default:
      return undefined;
  }
}

function lastOf(
  lines: readonly Fields[],
  usageIn: (line: Fields) => LastUsage | undefined,
  isCompaction: (line: Fields) => boolean,
): LastUsage | undefined {
  for (const line of lines.toReversed()) {
    if (isCompaction(line)) return undefined;
    const usage = usageIn(line);
    if (usage !== undefined && usage.tokens > 0) return usage;
  }
  return undefined;
}

function claudeCodeUsage({ message, isSidechain }: Fields): LastUsage | undefined {
  if (!isRecord(message) || isSidechain === true) return undefined;
  const usage = readUsage(message['usage']);
  if (usage === undefined) return undefined;
  return { tokens: usage.inputTokens + usage.outputTokens, model: textIn(message['model']) };
}

function codexUsage({ payload }: Fields): LastUsage | undefined {
  const info = isRecord(payload) ? payload['info'] : undefined;
  if (!isRecord(info)) return undefined;
  const usage = readUsage(info['last_token_usage']);
  if (usage === undefined) return undefined;
  const window = info['model_context_window'];
  return {
    tokens: usage.inputTokens + usage.outputTokens,
    ...(typeof window === 'number' && window > 0 && { window }),
  };
}

function geminiUsage({ tokens, model }: Fields): LastUsage | undefined {
  const { input, output } = isRecord(tokens) ? tokens : {};
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return { tokens: input + output, model: textIn(model) };
}
