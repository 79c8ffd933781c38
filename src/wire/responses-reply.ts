import { readUsage } from '../compaction/tokens/read-usage.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { errorIn } from './openai-error.ts';
import { replyOfItems } from './responses-items.ts';
import type { ReplyReader, WireReply } from './wire.ts';

/** An item while it arrives. */
interface OpenItem {
  start: Fields;
  readonly texts: string[];
  readonly thoughts: string[];
  readonly inputs: string[];
}

/** The field that takes the piece in an event, by the type of the event. */
const pieceFields: Readonly<Record<string, Exclude<keyof OpenItem, 'start'>>> = {
  'response.output_text.delta': 'texts',
  'response.refusal.delta': 'texts',
  'response.reasoning_summary_text.delta': 'thoughts',
  'response.reasoning_text.delta': 'thoughts',
  'response.function_call_arguments.delta': 'inputs',
  'response.custom_tool_call_input.delta': 'inputs',
};

/** Reads a reply of the responses protocol, from its events or as a whole. */
export class ResponsesReply implements ReplyReader {
  /** Whole items, by their position. */
  private readonly items = new Map<number, Fields>();
  /** Items that are not yet whole. */
  private readonly open = new Map<number, OpenItem>();
  private more: Omit<WireReply, 'chat'> = { isComplete: false };
  private hasReport = false;

  take(data: unknown): void {
    if (!isRecord(data)) return;
    const { type, response, item, delta, error } = data;
    const place = typeof data['output_index'] === 'number' ? data['output_index'] : this.items.size;
    const name = wordIn(type);
    const field = Object.hasOwn(pieceFields, name) ? pieceFields[name] : undefined;
    if (type === 'response.output_item.added' && isRecord(item)) this.opened(place).start = item;
    else if (type === 'response.output_item.done' && isRecord(item)) this.items.set(place, item);
    else if (field !== undefined && typeof delta === 'string') this.opened(place)[field].push(delta);
    else if (isRecord(response)) this.takeWhole(response);
    else if (Array.isArray(data['output'])) this.takeWhole({ status: 'completed', ...data });
    else if (type === 'error' || isRecord(error)) this.note({ error: errorIn(error ?? data) });
  }

  get reply(): WireReply | undefined {
    const places = [...new Set([...this.items.keys(), ...this.open.keys()])];
    if (places.length === 0 && !this.hasReport) return undefined;
    const items = places
      .toSorted((one, other) => one - other)
      .map((place) => this.items.get(place) ?? finished(this.opened(place)));
    return { ...this.more, chat: replyOfItems(items) };
  }

  private opened(place: number): OpenItem {
    const known = this.open.get(place) ?? { start: {}, texts: [], thoughts: [], inputs: [] };
    this.open.set(place, known);
    return known;
  }

  private takeWhole({ model, usage, status, error, output }: Fields): void {
    recordsIn(output).forEach((item, place) => this.items.set(place, item));
    if (typeof model === 'string' && model !== '') this.more = { ...this.more, model };
    const reported = readUsage(usage);
    if (reported !== undefined) this.note({ usage: reported });
    if (isRecord(error)) this.note({ error: errorIn(error) });
    if (status === 'completed' || status === 'incomplete') this.note({ isComplete: true });
  }

  private note(more: Partial<Omit<WireReply, 'chat'>>): void {
    this.hasReport = true;
    this.more = { ...this.more, ...more };
  }
}

/** Returns an item as far as it came. */
function finished({ start, texts, thoughts, inputs }: OpenItem): Fields {
  if (texts.length > 0) {
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: texts.join('') }] };
  }
  if (thoughts.length > 0) {
    return { ...start, type: 'reasoning', summary: [{ type: 'summary_text', text: thoughts.join('') }] };
  }
  if (inputs.length === 0) return 'type' in start ? start : { ...start, type: 'message' };
  const field = start['type'] === 'custom_tool_call' ? 'input' : 'arguments';
  return { type: 'function_call', ...start, [field]: inputs.join('') };
}
