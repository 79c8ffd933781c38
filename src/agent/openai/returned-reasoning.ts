import type { ReasoningItems } from '../../compaction/messages/message.ts';
import { checkReply } from './reply-limits.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * Reasoning that is returned to the model that wrote it. The transcript stores it in items:
 *
 * - `{ type: 'text', field }`: the field of the chat message that contained the reasoning. The text itself is only in
 * the message, so the text that is counted is the text that is sent.
 * - `{ type: 'reasoning.text'|'reasoning.summary'|'reasoning.encrypted', … }`: OpenRouter's `reasoning_details`.
 * - `{ type: 'call', id, extra }`: the `extra_content` of a Gemini call.
 * - `{ type: 'reasoning', … }`: an item of the Responses API.
 *
 * Every later request returns it, even long after its turn. Providers that do not need it ignore it, but DeepSeek and
 * Moonshot reject a conversation without it. Omitting it in a new turn would change the request from the last turn's
 * first reply on, and everything after that would be missing from the cache.
 */
type Item = Readonly<Record<string, unknown>>;

/** Fields of a chat message that contain reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

export function textField(field: ReasoningField): Item {
  return { type: 'text', field };
}

export function callExtra(id: string, extra: unknown): Item {
  return { type: 'call', id, extra };
}

/** Endpoint and model of a request. Reasoning is returned only to the model that wrote it. */
export interface Reasoner {
  readonly endpoint: string;
  readonly model: string;
}

/** Returns the items for a provider; empty if they came from another provider or model. */
export function itemsFor(reasoner: Reasoner, given: ReasoningItems | undefined): readonly Item[] {
  if (given?.endpoint !== reasoner.endpoint || given.model !== reasoner.model) return [];
  return given.items.filter(isRecord);
}

/** Returns the fields that reasoning adds to a chat message. */
export function chatFields(items: readonly Item[], text: string): Item {
  const details = items.filter(isDetail);
  // The details also contain the text of the reasoning.
  if (details.length > 0) return { reasoning_details: details };
  const field = items.find(({ type }) => type === 'text')?.['field'];
  return typeof field === 'string' ? { [field]: text } : {};
}

/** Returns the data for each call of a message, by call id. */
export function callExtras(items: readonly Item[]): ReadonlyMap<unknown, unknown> {
  return new Map(items.filter(({ type }) => type === 'call').map(({ id, extra }) => [id, extra]));
}

/** Returns the items before a message of the Responses API. They have no ids, because the provider stored nothing. */
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

/** Assembles a reply's reasoning items from the pieces of a stream. */
export class ReasoningAssembly {
  private readonly items: OpenItem[] = [];
  /** The last item of each type and index. */
  private readonly last = new Map<string, OpenItem>();
  private length = 0;

  /** @throws {ReplyLimitError} if the pieces exceed a limit */
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

/** Returns the characters of a piece as JSON; infinite for a value that is nested too deep to be sent back. */
function lengthOf(piece: Item): number {
  try {
    return JSON.stringify(piece).length;
  } catch {
    return Infinity;
  }
}

/** True for text, which arrives in pieces. Encrypted data arrives whole. */
function isText({ type }: Item): boolean {
  return type === 'reasoning.text' || type === 'reasoning.summary';
}

function isDetail({ type }: Item): boolean {
  return typeof type === 'string' && type.startsWith('reasoning.');
}

/** Adds a piece to its item. Joins texts. Of other values, keeps the last one. */
function join(known: OpenItem, more: Item): void {
  for (const [name, value] of Object.entries(more)) {
    if (value == null) continue;
    const before = known[name];
    const isText = (name === 'text' || name === 'summary') && typeof before === 'string';
    known[name] = isText && typeof value === 'string' ? before + value : value;
  }
}
