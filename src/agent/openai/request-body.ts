import type { ChatMessage } from '../../compaction/message.ts';
import type { SummaryRequest } from '../../compaction/summary/model.ts';
import { modelRequestOf, type ModelRequest } from '../model.ts';
import { withCacheMarks } from './cache-marks.ts';
import type { Dialect } from './dialect.ts';
import { callExtras, chatFields, itemsFor, type Reasoner } from './returned-reasoning.ts';

/**
 * The body of a streaming chat completions request.
 *
 * Everything that is said of a message depends on the message, the dialect and who is asked, and on nothing that comes
 * behind it: a request begins with the bytes of the one before it, which is what providers find in their caches. Marks
 * for a cache are the exception, and no part of what it compares.
 */
export function requestBody(
  request: ModelRequest,
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> & { readonly stream: true } {
  const { messages, tools, reasoningItems, maxOutputTokens, followedBy = 'more' } = request;
  const wire = messages.map((message, position) =>
    wireMessage(message, itemsFor(reasoner, reasoningItems?.get(position)), dialect),
  );
  const isMarked = dialect.cacheMarks !== 'nowhere' && followedBy !== 'nothing-alike';
  return {
    model: reasoner.model,
    messages: isMarked ? withCacheMarks(messages, wire, dialect.cacheMarks, followedBy === 'more') : wire,
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
    return { messages, tools: [], maxOutputTokens, followedBy: 'nothing-alike' };
  }
  const { messages, ...rest } = modelRequestOf(continues.view, continues.tools);
  return {
    ...rest,
    messages: [...messages, { role: 'user', content: prompt }],
    maxOutputTokens,
    callsNoTools: true,
    followedBy: 'another-end',
  };
}

/** A message with the reasoning that its provider wants back, and with no other: most endpoints refuse it. */
function wireMessage(
  { reasoning_content: reasoning = '', ...message }: ChatMessage,
  items: ReturnType<typeof itemsFor>,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  if (message.role !== 'assistant' || dialect.reasoning === 'refused') return { ...message };
  const fields = chatFields(items, reasoning);
  const placeholder = dialect.reasoning === 'demanded' ? { reasoning_content: '' } : {};
  const extras = callExtras(items);
  const calls =
    extras.size === 0
      ? message.tool_calls
      : message.tool_calls?.map((call) =>
          extras.has(call.id) ? { ...call, extra_content: extras.get(call.id) } : call,
        );
  return {
    ...message,
    ...(calls === undefined ? {} : { tool_calls: calls }),
    ...placeholder,
    ...fields,
  };
}
