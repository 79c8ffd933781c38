import type { ReasoningItems } from '../../compaction/messages/message.ts';
import { checkReply } from './reply-limits.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * Reasoning that goes back to who reasoned so. What the transcript keeps of it, an item each:
 *
 * - `{ type: 'text', field }`: the field of a chat message that the reasoning was given in. The text itself is the
 *   message's own, so that nothing is kept twice and what is counted is what is sent.
 * - `{ type: 'reasoning.text' | 'reasoning.summary' | 'reasoning.encrypted', … }`: OpenRouter's `reasoning_details`.
 * - `{ type: 'call', id, extra }`: what Gemini gives with a call as `extra_content`.
 * - `{ type: 'reasoning', … }`: an item of the Responses API.
 *
 * It goes back with every later request, also when the turn it belongs to is long over. Providers that have no use for
 * it then leave it out by themselves, DeepSeek and Moonshot refuse a conversation that lacks it, and leaving it out when
 * a new turn begins would change the request from the first reply of the last turn on: nothing after it would be found
 * in the cache.
 */
type Item = Readonly<Record<string, unknown>>;

/** Fields of a chat message that providers give their reasoning in. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

export function textField(field: ReasoningField): Item {
  return { type: 'text', field };
}

export function callExtra(id: string, extra: unknown): Item {
  return { type: 'call', id, extra };
}

/** Endpoint and model that are asked. Reasoning goes to no other. */
export interface Reasoner {
  readonly endpoint: string;
  readonly model: string;
}

/** The items that go back to a provider; none if another one, or another model of it, gave them. */
export function itemsFor(reasoner: Reasoner, given: ReasoningItems | undefined): readonly Item[] {
  if (given?.endpoint !== reasoner.endpoint || given.model !== reasoner.model) return [];
  return given.items.filter(isRecord);
}

/** The fields that reasoning adds to a chat message. */
export function chatFields(items: readonly Item[], text: string): Item {
  const details = items.filter(isDetail);
  // The details hold the text as well.
  if (details.length > 0) return { reasoning_details: details };
  const field = items.find(({ type }) => type === 'text')?.['field'];
  return typeof field === 'string' ? { [field]: text } : {};
}

/** Data that goes back with each call of a message, by the id of the call. */
export function callExtras(items: readonly Item[]): ReadonlyMap<unknown, unknown> {
  return new Map(items.filter(({ type }) => type === 'call').map(({ id, extra }) => [id, extra]));
}

/**
 * The items that go in front of a message of the Responses API. Their ids are left out: they name what the provider
 * stored, and it was told to store nothing. An item without content of its own is of no use then.
 */
export function inputReasoning(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => {
    const { type, summary = [], content, encrypted_content: sealed } = item;
    const isOpen = Array.isArray(content) && content.length > 0;
    if (type !== 'reasoning' || (!isOpen && typeof sealed !== 'string')) return [];
    return [
      {
        type,
        summary,
        ...(isOpen ? { content } : {}),
        ...(typeof sealed === 'string' ? { encrypted_content: sealed } : {}),
      },
    ];
  });
}

/** Puts the items of a reply together from the pieces of a stream. */
export class ReasoningAssembly {
  private readonly items: OpenItem[] = [];
  /** The last item of each type and index. */
  private readonly last = new Map<string, OpenItem>();
  private length = 0;

  /** @throws {ReplyLimitError} if it is more than a reply can have */
  add(pieces: readonly unknown[]): void {
    for (const piece of pieces) if (isRecord(piece)) this.addPiece(piece);
  }

  finish(): readonly Item[] {
    return this.items;
  }

  private addPiece(piece: Item): void {
    this.length += lengthOf(piece);
    checkReply('returned', this.length);
    const key = JSON.stringify([piece['type'], piece['index']]);
    const last = this.last.get(key);
    if (last !== undefined && piece['type'] === 'text') return;
    if (last !== undefined && isText(piece)) join(last, piece);
    else {
      const item = { ...piece };
      this.items.push(item);
      this.last.set(key, item);
    }
  }
}

type OpenItem = Record<string, unknown>;

/** In characters of JSON. What is nested too deeply to be written can never be sent back. */
function lengthOf(piece: Item): number {
  try {
    return JSON.stringify(piece).length;
  } catch {
    return Infinity;
  }
}

/** Text comes in pieces; what is encrypted comes whole. */
function isText({ type }: Item): boolean {
  return type === 'reasoning.text' || type === 'reasoning.summary';
}

function isDetail({ type }: Item): boolean {
  return typeof type === 'string' && type.startsWith('reasoning.');
}

/** Adds a piece to the detail it belongs to: texts one after the other, of everything else the last value. */
function join(known: OpenItem, more: Item): void {
  for (const [name, value] of Object.entries(more)) {
    if (value == null) continue;
    const before = known[name];
    const isText = (name === 'text' || name === 'summary') && typeof before === 'string';
    known[name] = isText && typeof value === 'string' ? before + value : value;
  }
}
