import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { clineUsage, copilotChatUsage, taskUsage } from './document-usage.ts';
import { type LastUsage, linesOf, textIn } from './head-fields.ts';
import type { Fields } from './reading/fields.ts';
import type { FoundAgent } from './session-places.ts';

/**
 * The last report in the end of a session's file.
 *
 * @param tail the last characters of the file, which may begin anywhere in a line
 * @param beside the same of the file that the agent keeps beside it, if there is one
 * @returns undefined if none is there, or a compaction came after it
 */
export function lastUsage(agent: FoundAgent, tail: string, beside?: string): LastUsage | undefined {
  switch (agent) {
    case 'claude-code':
      return lastOf(linesOf(tail), claudeCodeUsage, ({ subtype, isCompactSummary, isSidechain }) => {
        return isSidechain !== true && (subtype === 'compact_boundary' || isCompactSummary === true);
      });
    case 'codex':
      return lastOf(linesOf(tail), codexUsage, ({ type }) => type === 'compacted');
    case 'gemini-cli':
      return lastOf(linesOf(tail), geminiUsage, isGeminiHistory);
    case 'copilot-cli':
      return lastOf(linesOf(tail), copilotUsage, ({ type, data }) => {
        return type === 'session.compaction_complete' && isRecord(data) && data['success'] !== false;
      });
    case 'copilot-chat':
      return copilotChatUsage(tail);
    case 'cline':
      return clineUsage(tail, beside);
    case 'roo-code':
    case 'kilo-code':
      return beside === undefined ? undefined : taskUsage('roo-code', beside, tail);
    // Its messages are apart from its sessions.
    case 'opencode':
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

/** A line that replaces the messages: Gemini CLI writes one when it compacts. */
function isGeminiHistory({ $set: changes }: Fields): boolean {
  return isRecord(changes) && Array.isArray(changes['messages']);
}

/** The tokens in context as the program counts them, or those of a request. Those of a sub-agent are others. */
function copilotUsage({ type, data }: Fields): LastUsage | undefined {
  if (!isRecord(data) || typeof data['parentToolCallId'] === 'string') return undefined;
  const { currentTokens, tokenLimit, inputTokens, outputTokens, model } = data;
  if (type === 'session.usage_info' && typeof currentTokens === 'number') {
    const window = typeof tokenLimit === 'number' && tokenLimit > 0 ? { window: tokenLimit } : {};
    return { tokens: currentTokens, ...window };
  }
  if (type !== 'assistant.usage') return undefined;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return { tokens: inputTokens + outputTokens, model: textIn(model) };
}
