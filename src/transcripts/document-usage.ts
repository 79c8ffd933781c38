import { isRecord } from '../language/is-record.ts';
import { type LastUsage, filledText } from './head-fields.ts';
import { clineReport } from './formats/cline/cline-format.ts';
import { tokensOfRequest } from './formats/cline/cline-task-events.ts';
import { copilotChatWindow } from './formats/copilot/copilot-chat-window.ts';
import { readJsonHead } from './reading/json-head.ts';

/**
 * Reports near the end of a document or line. The text may begin anywhere, so it is not JSON. Quotes within messages
 * are escaped and do not match.
 */

/** Fields next to a reply of Cline, its time, and the texts that follow its own compaction. */
const clineNotes =
  /"(?<name>metrics|modelInfo)"\s*:\s*(?<value>\{(?:[^{}]|\{[^{}]*\})*\})|"ts"\s*:\s*(?<at>\d+)|(?<isCompacted>\bran out of context\. The conversation is summarized below:|The user has accepted the condensed conversation summary)/gu;
/** The time of a compaction of Cline since version 4. */
const stateTime = /^\s*\{\s*"version"\s*:\s*1\s*,\s*"updated_at"\s*:\s*"(?<at>[^"]*)"/u;

/**
 * @param tail end of the conversation of a task, or of a session of Cline since version 4
 * @param beside companion file with the state of the context: the end of `ui_messages.json`, the only source of the
 *   numbers before version 3.46, or the beginning of `<id>.compaction.json`
 */
export function clineUsage(tail: string, beside: string | undefined): LastUsage | undefined {
  let model: string | undefined;
  let usage: LastUsage | undefined;
  let isKnown = false;
  let [at, usageAt] = [0, 0];
  for (const { groups = {} } of tail.matchAll(clineNotes)) {
    const { name = '', value = '', isCompacted } = groups;
    at = Number(groups['at'] ?? at);
    if (isCompacted !== undefined) usage = undefined;
    const read = value === '' ? undefined : readJsonHead(value);
    const report = isRecord(read) ? clineReport({ [name]: read }) : {};
    model = report.modelId ?? model;
    if (report.usage !== undefined) {
      usage = { tokens: report.usage.inputTokens + report.usage.outputTokens };
      usageAt = at;
    }
    isKnown ||= usage !== undefined || isCompacted !== undefined;
  }
  const compactedAt = Date.parse(stateTime.exec(beside ?? '')?.groups?.['at'] ?? '');
  if (compactedAt > usageAt) return undefined;
  if (!isKnown && beside !== undefined) return taskUsage('cline', beside, tail);
  return usage === undefined ? undefined : { ...usage, model };
}

/** Numbers of a request, in JSON within a JSON string, with the name of the message or object around them. */
const taskNotes =
  /"say"\s*:\s*"(?<say>\w+)"|"(?<about>contextCondense|contextTruncation)"\s*:|"newContextTokens"\s*:\s*(?<condensed>\d+)|(?<!\\)\\"tokensIn\\":(?<input>\d+),\\"tokensOut\\":(?<output>\d+)(?:,\\"cacheWrites\\":(?<writes>\d+))?(?:,\\"cacheReads\\":(?<reads>\d+))?/gu;

/**
 * The fill of a task's context: tokens of the last request, or of the context after a later summary. Sources:
 * `consolidateTokenUsage` in `packages/core/src/message-utils` of Roo Code, which ignores cuts as well;
 * `getLastApiReqTotalTokens` in `src/shared/getApiMetrics.ts` of Cline 3.89, which adds cached tokens.
 *
 * @param shown the end of `ui_messages.json`
 * @param tail the end of the conversation, in which Roo Code names the model
 */
export function taskUsage(agent: 'cline' | 'roo-code', shown: string, tail: string): LastUsage | undefined {
  let say: string | undefined;
  let about: string | undefined;
  let tokens = 0;
  for (const { groups = {} } of shown.matchAll(taskNotes)) {
    say = groups['say'] ?? say;
    about = groups['about'] ?? about;
    if (groups['condensed'] !== undefined && about === 'contextCondense') {
      tokens = Number(groups['condensed']) || tokens;
    }
    // The name of the message may precede the text.
    if (groups['input'] === undefined || (say !== undefined && say !== 'api_req_started')) continue;
    const [input, output, cacheReads, cacheWrites] = ['input', 'output', 'reads', 'writes'].map((name) =>
      Number(groups[name] ?? 0),
    ) as [number, number, number, number];
    const request = tokensOfRequest({ input, output, cacheReads, cacheWrites });
    const all = agent === 'cline' ? input + cacheReads + cacheWrites : request.inputTokens;
    tokens = all + output || tokens;
  }
  const model = [...tail.matchAll(/<model>(?<id>[\w./:@-]+)<\/model>/gu)].at(-1)?.groups?.['id'];
  return tokens === 0 ? undefined : { tokens, model };
}

/** Marks in a chat of VS Code: the request they are about, a request for a summary, and the tokens of the last call. */
const chatNotes =
  /"k"\s*:\s*\["requests",(?<index>\d+)|"(?<isRequest>requestId)"\s*:|"metadata"\s*:\s*\{\s*(?<isCompaction>"summary")\s*:|"promptTokens"(?:\],\s*"v")?\s*:\s*(?<input>\d+)(?:\s*,\s*"outputTokens"\s*:\s*(?<output>\d+))?/gu;

/**
 * The fill of the context of a chat in VS Code: tokens of the last call of a request, and of its answer where the
 * extension notes it. The `completionTokens` of a request cover all its calls and are ignored. A request for a summary
 * only (`/compact`) has the size of the messages it replaced.
 *
 * Sources: `ChatResponseModel.toJSON` in `src/vs/workbench/contrib/chat/common/model/chatModel.ts` of VS Code;
 * `TurnTokenUsageMetadata` in `src/extension/prompt/common/conversation.ts` of Copilot Chat, before
 * `AnthropicTokenUsageMetadata`, and for models of Anthropic only.
 */
export function copilotChatUsage(tail: string): LastUsage | undefined {
  let request = '';
  let seen = 0;
  let last: { request: string; input: number; output: number; isCompaction: boolean } | undefined;
  for (const { groups = {} } of tail.matchAll(chatNotes)) {
    const { index, isRequest, isCompaction, input, output } = groups;
    if (index !== undefined) request = index;
    if (isRequest !== undefined) request = `unnumbered ${++seen}`;
    if (isCompaction === undefined && input === undefined) continue;
    if (last?.request !== request) last = { request, input: 0, output: 0, isCompaction: false };
    if (isCompaction !== undefined) last.isCompaction = true;
    if (input === undefined) continue;
    // The same call is reported twice, once without its answer.
    if (last.input !== Number(input)) last.output = 0;
    last.input = Number(input);
    last.output = Number(output ?? last.output);
  }
  const window = copilotChatWindow(tail);
  const ofAgent = { hasOwnWindows: true, ...(window !== undefined && { window }) } as const;
  if (last === undefined || last.isCompaction || last.input === 0) return undefined;
  return { tokens: last.input + last.output, ...ofAgent };
}

/**
 * The fill of the context of a session of opencode, or of Kilo Code since version 7: tokens of the last reply,
 * including cached ones. After a summary, the fill is unknown until the next reply; opencode itself shows the request
 * for the summary until then. Sources: `packages/opencode/src/cli/cmd/tui/routes/session/sidebar.tsx` of opencode;
 * `packages/opencode/src/kilocode/session/overflow.ts` of Kilo Code counts alike.
 *
 * @param messages the last stored messages, newest last
 */
export function opencodeUsage(messages: readonly unknown[]): LastUsage | undefined {
  let isOvertaken = false;
  for (const message of messages.filter(isRecord).toReversed()) {
    if (message['role'] !== 'assistant') {
      isOvertaken = true;
      continue;
    }
    const tokens = isRecord(message['tokens']) ? message['tokens'] : {};
    const cache = isRecord(tokens['cache']) ? tokens['cache'] : {};
    const numbers = [tokens['input'], tokens['output'], tokens['reasoning'], cache['read'], cache['write']];
    const [input, output, ...others] = numbers.map((one) => (typeof one === 'number' && one > 0 ? one : 0));
    if (!output) continue;
    if (message['summary'] === true) return undefined;
    const all = others.reduce((sum, one) => sum + one, (input ?? 0) + output);
    return { tokens: all, model: filledText(message['modelID']), ...(isOvertaken && { isOvertaken }) };
  }
  return undefined;
}
