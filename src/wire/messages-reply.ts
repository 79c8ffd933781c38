import { readUsage } from '../compaction/tokens/read-usage.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { replyOfBlocks } from './messages-blocks.ts';
import { errorIn } from './openai-error.ts';
import type { ReplyReader, WireReply } from './wire.ts';

/** A block of a reply while it arrives. */
interface OpenBlock {
  readonly start: Fields;
  readonly text: string[];
  readonly thinking: string[];
  readonly input: string[];
}

/** Reads the events of Anthropic's messages, or a whole message. */
export class MessagesReplyReader implements ReplyReader {
  private readonly blocks = new Map<unknown, OpenBlock>();
  private readonly usage: Record<string, number> = {};
  private model: string | undefined;
  private isComplete = false;
  private error: string | undefined;

  take(data: unknown): void {
    const event = fieldsOf(data);
    switch (event['type']) {
      case 'message':
        this.begin(event);
        this.isComplete = true;
        break;
      case 'message_start':
        this.begin(fieldsOf(event['message']));
        break;
      case 'content_block_start':
        this.blocks.set(event['index'], opened(fieldsOf(event['content_block'])));
        break;
      case 'content_block_delta':
        this.add(event['index'], fieldsOf(event['delta']));
        break;
      case 'message_delta':
        this.count(event['usage']);
        if (typeof fieldsOf(event['delta'])['stop_reason'] === 'string') this.isComplete = true;
        break;
      case 'message_stop':
        this.isComplete = true;
        break;
      case 'error':
        this.error = errorIn(event['error']);
        break;
    }
  }

  get reply(): WireReply | undefined {
    const { isComplete, model, error } = this;
    const usage = readUsage(this.usage);
    const chat = replyOfBlocks([...this.blocks.values()].map(finished).filter(({ text }) => text !== ''));
    if (this.blocks.size === 0 && usage === undefined && error === undefined) return undefined;
    return {
      chat,
      isComplete,
      ...(usage !== undefined && { usage }),
      ...(model !== undefined && { model }),
      ...(error !== undefined && { error }),
    };
  }

  private begin({ model, usage, content }: Fields): void {
    if (typeof model === 'string') this.model = model;
    this.count(usage);
    for (const [index, block] of recordsIn(content).entries()) this.blocks.set(index, opened(block));
  }

  /** Takes counts, which only grow within a reply. */
  private count(usage: unknown): void {
    for (const [name, tokens] of Object.entries(fieldsOf(usage))) {
      if (typeof tokens === 'number') this.usage[name] = Math.max(tokens, this.usage[name] ?? 0);
    }
  }

  private add(index: unknown, delta: Fields): void {
    const { text, thinking, partial_json: json } = delta;
    const type = typeof thinking === 'string' ? 'thinking' : typeof json === 'string' ? 'tool_use' : 'text';
    const block = this.blocks.get(index) ?? opened({ type });
    if (typeof text === 'string') block.text.push(text);
    else if (typeof thinking === 'string') block.thinking.push(thinking);
    else if (typeof json === 'string') block.input.push(json);
    else return;
    this.blocks.set(index, block);
  }
}

function opened(start: Fields): OpenBlock {
  return { start, text: [], thinking: [], input: [] };
}

/** The block as the next request repeats it. The arguments of a call stay as the model wrote them. */
function finished({ start, text, thinking, input }: OpenBlock): Fields {
  const json = input.join('');
  return {
    ...start,
    ...(text.length > 0 && { text: wordIn(start['text']) + text.join('') }),
    ...(thinking.length > 0 && { thinking: wordIn(start['thinking']) + thinking.join('') }),
    ...(json !== '' && {
      input: start['type'] === 'tool_use' ? json : (parseShallow(json)?.value ?? json),
    }),
  };
}
