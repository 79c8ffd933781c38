import { calledFunction } from '../compaction/ledger/called-function.ts';
import { factsOfCall } from '../compaction/ledger/call-facts.ts';
import type { Hiding } from '../compaction/manual-edits/hide.ts';
import { blocksOf, callsByResult } from '../compaction/messages/exchange.ts';
import { ellipsised } from '../compaction/text/clip.ts';
import { type Message, textOf } from '../compaction/messages/message.ts';
import type { ProtectionCause } from '../compaction/messages/protection.ts';
import type { PartRange } from '../compaction/service/part.ts';
import { normalisedPath } from '../compaction/text/file-path.ts';
import type { Transcript } from '../compaction/transcript/transcript.ts';
import type { PartChoice, Selection } from '../protocol/shared-requests.ts';

/**
 * The messages in context that a selection covers, oldest first. A call includes its whole exchange. A message
 * keeps its text if only its pictures are selected.
 */
export function hidingOf({ view }: Pick<Transcript, 'view'>, selection: Selection): Hiding {
  const { messageIds = [], pictureIds = [], tool, path } = selection;
  const chosen = new Set(messageIds);
  const calls = callsByResult(view);
  const isMeant = ({ id }: Message): boolean => {
    const call = calls.get(id);
    if (chosen.has(id)) return true;
    if (call === undefined) return false;
    if (tool !== undefined && calledFunction(call.function).name === tool) return true;
    const { filesRead, filesModified } = factsOfCall(call);
    const files = [...filesRead, ...filesModified];
    return path !== undefined && (files.includes(path) || files.map(normalisedPath).includes(path));
  };
  const messages = blocksOf(view).flatMap(({ start, end }) => {
    const block = view.slice(start, end);
    const isWhole = block[0] !== undefined && isMeant(block[0]);
    return block.filter((message) => isWhole || isMeant(message)).map(({ id }) => id);
  });
  const pictures = view.filter(({ id }) => pictureIds.includes(id)).map(({ id }) => id);
  return { messages, pictures };
}

/** A protected message that the user wants to hide. */
export interface Obstacle {
  readonly id: string;
  readonly cause: ProtectionCause;
  /** The beginning of the message on one line. */
  readonly excerpt: string;
}

/** Number of characters of a message that a question shows. */
const excerptLength = 60;

/** The protected messages that a selection would hide, in the order of the view. */
export function obstaclesTo(
  { messages, pictures = [] }: Hiding,
  view: readonly Message[],
  protections: ReadonlyMap<string, ProtectionCause>,
): readonly Obstacle[] {
  const chosen = new Set([...messages, ...pictures]);
  return view.flatMap(({ id, content }) => {
    const cause = protections.get(id);
    if (cause === undefined || !chosen.has(id)) return [];
    return [{ id, cause, excerpt: ellipsised(textOf(content).replace(/\s+/gu, ' ').trim(), excerptLength) }];
  });
}

/** Returns the chosen range; undefined if no message is above, or below, the chosen message. */
export function rangeOf({ view }: Pick<Transcript, 'view'>, choice: PartChoice): PartRange | undefined {
  const { from, to, above, below } = choice;
  if (above !== undefined) {
    const last = around(view, above).before;
    return last === undefined ? undefined : { to: last };
  }
  if (below === undefined) return { from, to };
  const first = around(view, below).after;
  return first === undefined ? undefined : { from: first };
}

/** The range after the exchange of a message; undefined if the message is not in context or is the last. */
export function rangeAfter({ view }: Pick<Transcript, 'view'>, messageId: string): PartRange | undefined {
  const from = around(view, messageId).after;
  return from === undefined ? undefined : { from, rewinds: true };
}

/** Ids of the messages directly before and after the exchange of a message; empty if it is not in context. */
function around(
  view: readonly Message[],
  messageId: string,
): { readonly before?: string | undefined; readonly after?: string | undefined } {
  const index = view.findIndex(({ id }) => id === messageId);
  const block = blocksOf(view).find(({ start, end }) => start <= index && index < end);
  return block === undefined ? {} : { before: view[block.start - 1]?.id, after: view[block.end]?.id };
}
