import { CancelledError } from '../compaction/cancellation.ts';
import type { Message, ReportedUsage, ToolCall } from '../compaction/message.ts';
import { withOwnIds } from './call-ids.ts';
import { ModelError, modelRequestOf, type ModelReply } from './model.ts';
import { looksTruncated } from './openai/truncated-prompt.ts';
import { PartialWriter } from './partial-writer.ts';
import { throwIfStopped, TurnError, type TurnContext } from './turn-context.ts';

/** What a model said: its calls, and the message they stand in. */
export interface Asked {
  readonly messageId: string;
  readonly calls: readonly ToolCall[];
}

/** One model call. After an overflow, one forced compaction and one more try. */
export async function askModel(context: TurnContext, signal: AbortSignal): Promise<Asked> {
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

async function request(context: TurnContext, signal: AbortSignal): Promise<Asked> {
  const { journal, model, tools } = context;
  context.setActivity('waiting');
  const id = journal.nextMessageId();
  const createdAt = context.now();
  const text = new PartialWriter(async (part) => {
    // A disk that is full now must not end a reply, which is written as a whole once it is there.
    await journal.write({ type: 'partial', messageId: id, text: part }).catch(() => {});
    context.showText(id, part);
  });
  let content = '';
  let reasoning = '';
  let reply: ModelReply | undefined;
  let counted: number;
  const append = (rest: Partial<Message>) =>
    journal.keep({
      type: 'message',
      message: {
        role: 'assistant',
        content,
        id,
        origin: 'model',
        createdAt,
        modelId: model.id,
        ...(reasoning === '' ? {} : { reasoning }),
        ...rest,
      },
    });
  try {
    const schemas = tools.map(({ schema }) => schema);
    counted = (await context.compaction.usage()).total;
    for await (const event of model.stream(modelRequestOf(journal.transcript.view, schemas), signal)) {
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
    if (reply === undefined) throw new ModelError('cut-off', 'The reply ended before it was complete.');
  } catch (error) {
    await text.end();
    if (content.trim() !== '') await append({ interrupted: true });
    throw signal.aborted ? new CancelledError() : error;
  }
  await text.end();
  const calls = withOwnIds(reply.toolCalls, (position) => `${id}_${position + 1}`);
  content = reply.content;
  if (content.trim() === '' && calls.length === 0) {
    throw new ModelError('invalid-response', 'The model returned an empty reply.');
  }
  await append({
    content: content === '' ? null : content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.reasoningItems === undefined ? {} : { reasoningItems: reply.reasoningItems }),
  });
  if (reply.usage !== undefined) noteUsage(reply.usage, counted, context);
  if (reply.finishReason === 'length' && calls.length === 0) {
    throw new TurnError('The reply reached the output limit of the model. Retry to let it go on.');
  }
  return { messageId: id, calls };
}

/** Passes on what was reported, unless the server read less than was sent: then it says nothing of the view's size. */
function noteUsage(usage: ReportedUsage, counted: number, context: TurnContext): void {
  if (!looksTruncated(counted, usage)) {
    context.compaction.noteReported(usage);
    return;
  }
  context.warn(
    `${context.model.label} seems to have read only the last ${usage.inputTokens} of ${counted} tokens: its server cuts the conversation without saying so. Set contextBudget.window to what the server really has, or give the model a larger window there.`,
  );
}
