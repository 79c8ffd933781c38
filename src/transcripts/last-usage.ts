import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { clineUsage, copilotChatUsage, taskUsage } from './document-usage.ts';
import { tokensAfter } from './formats/copilot/copilot-conversation.ts';
import { isOfMainAgent } from './formats/copilot/copilot-events-format.ts';
import { type LastUsage, objectLines, filledText } from './head-fields.ts';
import { readPiUsage } from './formats/pi-format.ts';
import type { Fields } from './reading/fields.ts';
import type { FoundAgent } from './session-places.ts';

/**
 * The last report at the end of a session's file.
 *
 * @param tail the last characters of the file, which may begin within a line
 * @param beside the last characters of its companion, if it has one
 * @returns undefined if the end contains no report, or a compaction followed it
 */
export function lastUsage(agent: FoundAgent, tail: string, beside?: string): LastUsage | undefined {
  switch (agent) {
    case 'claude-code':
      return lastOf(objectLines(tail), claudeCodeUsage, ({ subtype, isCompactSummary, isSidechain }) => {
        return isSidechain !== true && (subtype === 'compact_boundary' || isCompactSummary === true);
      });
    case 'codex':
      return lastOf(objectLines(tail), codexUsage, ({ type }) => type === 'compacted');
    case 'gemini-cli': {
      const lines = objectLines(tail);
      const said = new Set(lines.map(({ id }) => id).filter((id) => id !== undefined));
      return lastOf(lines, geminiUsage, (line) => isGeminiCompaction(line, said));
    }
    case 'copilot-cli': {
      const lines = objectLines(tail).filter(isOfMainAgent);
      return (
        lastOf(lines, copilotUsage, isCopilotCompaction) ?? lastOf(lines, copilotCount, isUncountedCompaction)
      );
    }
    case 'qwen-code':
      return lastOf(objectLines(tail), qwenUsage, ({ subtype }) => subtype === 'chat_compression');
    case 'pi':
      return lastOf(objectLines(tail), piUsage, ({ type }) => type === 'compaction');
    case 'copilot-chat':
      return copilotChatUsage(tail);
    case 'cline':
      return clineUsage(tail, beside);
    case 'roo-code':
    case 'kilo-code':
      return beside === undefined ? undefined : taskUsage('roo-code', beside, tail);
    // Its messages are stored apart from its sessions.
    case 'opencode':
      return undefined;
  }
}

function lastOf(
  lines: readonly Fields[],
  usageIn: (line: Fields) => LastUsage | undefined,
  isCompaction: (line: Fields) => boolean,
): LastUsage | undefined {
  let isOvertaken = false;
  for (const line of lines.toReversed()) {
    if (isCompaction(line)) return undefined;
    const usage = usageIn(line);
    if (usage !== undefined && usage.tokens > 0) return { ...usage, ...(isOvertaken && { isOvertaken }) };
    isOvertaken ||= saysMore(line);
  }
  return undefined;
}

/** Types of lines, or of payloads in Codex, that contain a message, an attachment or a result. */
const sayingTypes =
  /^(?:user|assistant|attachment|message|gemini|tool_result|(?:custom_)?(?:message|(?:tool|function)_call(?:_output)?)|(?:user|assistant|system)\.message|tool\.execution_complete)$/;

function saysMore({ type, payload, isSidechain }: Fields): boolean {
  const told = isRecord(payload) ? payload['type'] : type;
  return isSidechain !== true && typeof told === 'string' && sayingTypes.test(told);
}

function claudeCodeUsage({ message, isSidechain }: Fields): LastUsage | undefined {
  if (!isRecord(message) || isSidechain === true) return undefined;
  const usage = readUsage(message['usage']);
  if (usage === undefined) return undefined;
  return { tokens: usage.inputTokens + usage.outputTokens, model: filledText(message['model']) };
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
  return { tokens: input + output, model: filledText(model) };
}

function qwenUsage({ usageMetadata, contextWindowSize, model }: Fields): LastUsage | undefined {
  const total = isRecord(usageMetadata) ? usageMetadata['totalTokenCount'] : undefined;
  if (typeof total !== 'number') return undefined;
  const window = typeof contextWindowSize === 'number' &&
    contextWindowSize > 0 && { window: contextWindowSize };
  return { tokens: total, ...window, model: filledText(model) };
}

function piUsage({ message }: Fields): LastUsage | undefined {
  const { usage, model } = isRecord(message) ? message : {};
  const reported = readPiUsage(usage);
  if (reported === undefined) return undefined;
  return { tokens: reported.inputTokens + reported.outputTokens, model: filledText(model) };
}

/**
 * True for a line that replaces the model's history. Gemini CLI writes one when it compacts, in which all messages have
 * new ids, and one when it resumes a session, with the existing messages.
 */
function isGeminiCompaction({ $set: changes }: Fields, said: ReadonlySet<unknown>): boolean {
  const messages = isRecord(changes) ? changes['messages'] : undefined;
  return Array.isArray(messages) && !messages.some((message) => isRecord(message) && said.has(message['id']));
}

function isCopilotCompaction({ type, data }: Fields): boolean {
  return type === 'session.compaction_complete' && isRecord(data) && data['success'] !== false;
}

function isUncountedCompaction(line: Fields): boolean {
  return isCopilotCompaction(line) && copilotCount(line) === undefined;
}

/** Tokens of a request, or tokens in context that the program reports while it works. */
function copilotUsage({ type, data }: Fields): LastUsage | undefined {
  if (!isRecord(data)) return undefined;
  if (type === 'session.usage_info') return contextIn(data);
  const usage =
    type === 'session.usage_record' ? data['usage'] : type === 'assistant.usage' ? data : undefined;
  const { inputTokens, outputTokens, model, maxPromptTokens } = isRecord(usage) ? usage : {};
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return {
    tokens: inputTokens + outputTokens,
    model: filledText(model),
    ...(typeof maxPromptTokens === 'number' && maxPromptTokens > 0 && { window: maxPromptTokens }),
  };
}

/** Tokens in context by the program's count, at its exit and after a compaction. */
function copilotCount(line: Fields): LastUsage | undefined {
  const { type, data } = line;
  if (!isRecord(data)) return undefined;
  if (type === 'session.shutdown') return contextIn(data);
  if (!isCopilotCompaction(line)) return undefined;
  return contextIn({ ...data, currentTokens: tokensAfter(data) });
}

function contextIn({ currentTokens, tokenLimit }: Fields): LastUsage | undefined {
  if (typeof currentTokens !== 'number') return undefined;
  const window = typeof tokenLimit === 'number' && tokenLimit > 0 ? { window: tokenLimit } : {};
  return { tokens: currentTokens, ...window };
}
