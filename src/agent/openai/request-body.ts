import { toChatMessage, type ChatMessage } from '../../compaction/message.ts';
import type { SummaryRequest } from '../../compaction/summary/model.ts';
import { opaqueItems, type ModelRequest } from '../model.ts';
import { isOutputCapRefusal } from '../overflow.ts';
import type { ProviderError } from '../provider-error.ts';

/** What a server was found not to understand. Kept for as long as the model object lives. */
export interface Dialect {
  readonly reportsUsage: boolean;
  readonly outputCap: 'max_completion_tokens' | 'max_tokens';
}

export const standardDialect: Dialect = { reportsUsage: true, outputCap: 'max_completion_tokens' };

/** The body of a streaming chat completions request. */
export function requestBody(
  model: string,
  request: ModelRequest,
  dialect: Dialect,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { messages, tools, maxOutputTokens } = request;
  return {
    model,
    messages: messages.map(withoutReasoning),
    stream: true,
    ...(dialect.reportsUsage ? { stream_options: { include_usage: true } } : {}),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length > 0 && request.callsNoTools === true ? { tool_choice: 'none' } : {}),
    ...(maxOutputTokens === undefined ? {} : { [dialect.outputCap]: maxOutputTokens }),
  };
}

/** A request for a summary: of its own, or behind the chat's own request, which the provider's cache has. */
export function summaryModelRequest(request: SummaryRequest): ModelRequest {
  const { instructions, prompt, continues, maxOutputTokens } = request;
  if (continues === undefined) {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ];
    return { messages, tools: [], maxOutputTokens };
  }
  return {
    messages: [...continues.view.map(toChatMessage), { role: 'user', content: prompt }],
    tools: continues.tools,
    opaque: opaqueItems(continues.view),
    maxOutputTokens,
    callsNoTools: true,
  };
}

/**
 * The dialect to try next after a server refused a request because of a parameter.
 *
 * @returns undefined where the refusal had another reason
 */
export function adaptedTo(refusal: ProviderError, dialect: Dialect): Dialect | undefined {
  const { status, message } = refusal;
  if (status !== 400 && status !== 422) return undefined;
  if (dialect.reportsUsage && /stream_options|include_usage/i.test(message)) {
    return { ...dialect, reportsUsage: false };
  }
  const isUnknownCap =
    dialect.outputCap === 'max_completion_tokens' &&
    message.includes('max_completion_tokens') &&
    !isOutputCapRefusal(message);
  return isUnknownCap ? { ...dialect, outputCap: 'max_tokens' } : undefined;
}

/** Reasoning is for people to see; most endpoints refuse to get it back. */
function withoutReasoning({ reasoning_content: _reasoning, ...message }: ChatMessage): ChatMessage {
  return message;
}
