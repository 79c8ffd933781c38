import { CancelledError, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { Message, ReportedUsage, ToolCall } from '../../compaction/messages/message.ts';
import { ModelError, type ModelReply, modelRequestOf, withOwnIds } from '../model/chat-model.ts';
import { looksTruncated } from '../model/overflow.ts';
import { type TurnContext, TurnError } from './turn-context.ts';
import { modelsSentences } from '../../language/english/models-english.ts';

interface Asked {
  readonly messageId: string;
  readonly calls: readonly ToolCall[];
}

/** Calls a model. After an overflow, it forces one compaction and tries once more. */
export async function callModel(context: TurnContext, signal: AbortSignal): Promise<Asked> {
  try {
    return await request(context, signal);
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'overflow') throw error;
    const isSmaller = await context.compaction.recoverFromOverflow(error, signal);
    throwIfCancelled(signal);
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
    // A full disk must not end a reply, because the whole reply is written again at its end.
    await journal.append({ type: 'partial', messageId: id, text: part }).catch(() => {});
    context.showText(id, part);
  });
  let content = '';
  let reasoning = '';
  let reply: ModelReply | undefined;
  let counted: number;
  const append = (rest: Partial<Message>) =>
    journal.append(
      {
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
      },
      { evenUnsaved: true },
    );
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
    if (reply === undefined) throw new ModelError('cut-off', modelsSentences.say('replyCutOff'));
  } catch (error) {
    await text.end();
    if (content.trim() !== '') await append({ interrupted: true });
    throw signal.aborted ? new CancelledError() : error;
  }
  await text.end();
  const calls = withOwnIds(reply.toolCalls, (position) => `${id}_${position + 1}`);
  content = reply.content;
  if (content.trim() === '' && calls.length === 0) {
    throw new ModelError('invalid-response', modelsSentences.say('emptyReply'));
  }
  await append({
    content: content === '' ? null : content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.reasoningItems === undefined ? {} : { reasoningItems: reply.reasoningItems }),
  });
  if (reply.usage !== undefined) noteUsage(reply.usage, counted, context);
  if (reply.finishReason === 'length' && calls.length === 0) {
    throw new TurnError(modelsSentences.say('outputLimit'));
  }
  return { messageId: id, calls };
}

/** Passes on the reported usage. If the server has cut the request, warns instead. */
function noteUsage(usage: ReportedUsage, counted: number, context: TurnContext): void {
  if (!looksTruncated(counted, usage)) {
    context.compaction.noteReported(usage);
    return;
  }
  context.warn(
    modelsSentences.say('truncatedBy', {
      model: context.model.label,
      read: usage.inputTokens,
      sent: counted,
    }),
  );
}

/** Milliseconds during which streamed text is collected before it is written and shown. */
const interval = 80;

/** Writes streamed text in batches and in order, so that text is stored before it is shown. */
class PartialWriter {
  private readonly write: (text: string) => Promise<void>;
  private waiting = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(write: (text: string) => Promise<void>) {
    this.write = write;
  }

  push(text: string): void {
    this.waiting += text;
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** Writes the rest of the text. @throws the first error that `write` threw for any batch */
  async end(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === '') return;
    const batch = this.waiting;
    this.waiting = '';
    this.writing = this.writing.then(() => this.write(batch));
    // `end` throws this error to the caller. Until then it must not count as unhandled.
    this.writing.catch(() => {});
  }
}
