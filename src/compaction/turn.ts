import { blocksOf, type Block } from './exchange.ts';
import { isTyped, type Message } from './message.ts';

/** A turn: from one message that a person typed to the next. What comes before the first is a turn of its own. */
export interface Turn {
  /** Index of the first message of the turn. */
  readonly start: number;
  /** Index after the last message of the turn. */
  readonly end: number;
  /** Its blocks, the typed message first where there is one. */
  readonly blocks: readonly Block[];
}

/** Splits messages into turns, in order and without gaps. */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const asks = asking(messages);
  const turns: { start: number; end: number; blocks: Block[] }[] = [];
  for (const block of blocksOf(messages)) {
    const message = messages[block.start];
    const turn = turns.at(-1);
    if (turn === undefined || (message !== undefined && asks(message))) {
      turns.push({ start: block.start, end: block.end, blocks: [block] });
    } else {
      turn.end = block.end;
      turn.blocks.push(block);
    }
  }
  return turns;
}

/** Where the newest turns begin, as an index. */
export function startOfNewestTurns(messages: readonly Message[], count: number): number {
  if (count <= 0) return messages.length;
  const turns = turnsOf(messages);
  return turns[Math.max(0, turns.length - count)]?.start ?? messages.length;
}

/** Where nobody is known to have typed anything, every message in the user's name counts. */
function asking(messages: readonly Message[]): (message: Message) => boolean {
  if (messages.some(isTyped)) return isTyped;
  return (message) => message.role === 'user' && message.kind === undefined;
}
