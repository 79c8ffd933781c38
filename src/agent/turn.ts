import { CancelledError } from '../compaction/cancellation.ts';
import { messageOf } from '../compaction/failure.ts';
import { toChatMessage, type Message, type ToolCall } from '../compaction/message.ts';
import type { CompactionService } from '../compaction/service.ts';
import type { Journal } from './journal.ts';
import { ModelError, opaqueItems, type ChatModel, type ModelReply } from './model.ts';
import { PartialWriter } from './partial-writer.ts';
import type { Tool, ToolResult } from './tools/tool.ts';
import { parseToolInput } from './tools/tool-input.ts';

/** What a turn works with. */
export interface TurnContext {
  readonly journal: Journal;
  readonly model: ChatModel;
  readonly tools: readonly Tool[];
  readonly compaction: CompactionService;
  /** ISO 8601. */
  now(): string;
  /** Called for streamed text once it is durable. */
  showText(messageId: string, text: string): void;
  showReasoning(messageId: string, text: string): void;
  setActivity(activity: 'waiting' | 'streaming' | 'tools'): void;
  /** A moment between two model calls, when the view may be changed. */
  pause(signal: AbortSignal): Promise<void>;
}

/** Model calls in one turn after which the agent stops and asks whether to go on. */
export const mostSteps = 60;

/** A turn that did not end as it should, in words for a person. */
export class TurnError extends Error {
  override readonly name = 'TurnError';
}

/**
 * Calls the model and runs the tools it asks for, until it answers without calling any.
 *
 * @throws {ModelError} when the model failed
 * @throws {CancelledError} when the signal was aborted; what was said until then is in the transcript
 * @throws {TurnError} when the turn cannot go on for another reason
 */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<void> {
  for (let step = 0; step < mostSteps; step++) {
    await context.pause(signal);
    await context.compaction.check(signal);
    throwIfStopped(signal);
    const calls = await ask(context, signal);
    if (calls.length === 0) {
      await context.compaction.check(signal);
      return;
    }
    context.setActivity('tools');
    await runCalls(calls, context, signal);
  }
  throw new TurnError(
    `The agent made ${mostSteps} model calls without coming to an end. Retry to let it go on.`,
  );
}

/** One model call. After an overflow, one forced compaction and one more try. */
async function ask(context: TurnContext, signal: AbortSignal): Promise<readonly ToolCall[]> {
  try {
    return await request(context, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'overflow') throw error;
    const isSmaller = await context.compaction.recoverFromOverflow(error, signal);
    throwIfStopped(signal);
    if (!isSmaller) throw error;
    return request(context, signal);
  }
}

async function request(context: TurnContext, signal: AbortSignal): Promise<readonly ToolCall[]> {
  const { journal, model, tools } = context;
  context.setActivity('waiting');
  const id = journal.nextMessageId();
  const createdAt = context.now();
  const text = new PartialWriter(async (part) => {
    await journal.write({ type: 'partial', messageId: id, text: part });
    context.showText(id, part);
  });
  let content = '';
  let reasoning = '';
  let reply: ModelReply | undefined;
  const append = (rest: Partial<Message>) =>
    journal.append({
      type: 'message',
      message: {
        role: 'assistant',
        content,
        id,
        origin: 'model',
        createdAt,
        ...(reasoning === '' ? {} : { reasoning }),
        ...rest,
      },
    });
  try {
    const { view } = journal.transcript;
    const modelRequest = {
      messages: view.map(toChatMessage),
      tools: tools.map(({ schema }) => schema),
      opaque: opaqueItems(view),
    };
    for await (const event of model.stream(modelRequest, signal)) {
      if (event.type === 'end') reply = event.reply;
      else if (event.type === 'reasoning-delta') {
        reasoning += event.text;
        context.showReasoning(id, event.text);
      } else {
        if (content === '') context.setActivity('streaming');
        content += event.text;
        text.push(event.text);
      }
    }
  } catch (error) {
    await text.end();
    if (content.trim() !== '') await append({ interrupted: true });
    throw signal.aborted ? new CancelledError() : error;
  }
  await text.end();
  if (reply === undefined) throw new ModelError('cut-off', 'The reply ended before it was complete.');
  const calls = withIds(reply.toolCalls, id);
  content = reply.content;
  if (content.trim() === '' && calls.length === 0) {
    throw new ModelError('invalid-response', 'The model returned an empty reply.');
  }
  await append({
    content: content === '' ? null : content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
  });
  if (reply.usage !== undefined) context.compaction.noteReported(reply.usage);
  if (reply.finishReason === 'length' && calls.length === 0) {
    throw new TurnError('The reply reached the output limit of the model. Retry to let it go on.');
  }
  return calls;
}

/** Some servers leave ids out; a result has to name the call it answers. */
function withIds(calls: readonly ToolCall[], messageId: string): readonly ToolCall[] {
  return calls.map((call, index) => (call.id === '' ? { ...call, id: `${messageId}_${index + 1}` } : call));
}

/** Runs parallel calls side by side; each result is kept as soon as it is there, whatever becomes of the others. */
async function runCalls(
  calls: readonly ToolCall[],
  context: TurnContext,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      const result = await runCall(call, context.tools, signal);
      if (result === undefined) return;
      await context.journal.append({
        type: 'message',
        message: {
          role: 'tool',
          tool_call_id: call.id,
          content: result.content,
          id: context.journal.nextMessageId(),
          origin: 'tool',
          createdAt: context.now(),
          ...(result.isError ? { isError: true } : {}),
          ...(result.isTruncated === true ? { truncation: { fate: 'tool' } as const } : {}),
        },
      });
    }),
  );
  throwIfStopped(signal);
}

/** @returns nothing when the call was stopped: it has no result, and the view will say so */
async function runCall(
  call: ToolCall,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<ToolResult | undefined> {
  const { name, arguments: json } = call.function;
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    return { content: `There is no tool ${name}. There are: ${names}.`, isError: true };
  }
  const input = parseToolInput(json);
  if (input === undefined) {
    return {
      content: `The arguments of ${name} are not a JSON object: ${json.slice(0, 200)}`,
      isError: true,
    };
  }
  try {
    const result = await tool.run(input, signal);
    return signal.aborted ? undefined : result;
  } catch (error) {
    if (signal.aborted) return undefined;
    return { content: `${name} failed: ${messageOf(error)}`, isError: true };
  }
}

function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw new CancelledError();
}
