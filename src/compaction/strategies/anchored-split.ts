import { isTyped, type Message } from '../message.ts';
import { removableMessages } from '../protection.ts';
import { startOfNewestTalk, startOfNewestTokens } from './newest.ts';

/** Share of the free room that the newest messages may take, and what the person typed before them. */
const newestShare = 0.55;
const typedShare = 0.15;
/**
 * The same where nobody called a tool: there is no work to go on with, and what the person typed says most in the
 * least room. So the newest messages are no more than the last few, and what the person typed comes first.
 */
const newestShareOfTalk = 0.25;
const typedShareOfTalk = 0.25;
const newestOfTalk = 4;
/** Messages of person and model that stay where a person asks for a summary that the size does not call for. */
const newestTalk = 2;
/** Smallest room for a ledger, in tokens, and its share of the window where one is known. */
const smallestLedger = 1_500;
const ledgerShare = 0.2;

/**
 * What an anchored summary takes the place of: not the newest messages, and not what the person typed as far as there
 * is room.
 *
 * @param aim size that the messages should come down to, in tokens
 */
export function anchoredSources(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  aim: number,
  sizes: ReadonlyMap<string, number>,
): readonly Message[] {
  const staying = view.filter(({ id }) => protectedIds.has(id));
  const free = Math.max(0, aim - staying.reduce((tokens, { id }) => tokens + (sizes.get(id) ?? 0), 0));
  const isOver = view.reduce((tokens, { id }) => tokens + (sizes.get(id) ?? 0), 0) > aim;
  const isTalk = !view.some(({ role }) => role === 'tool');
  const newest = Math.floor(free * (isTalk ? newestShareOfTalk : newestShare));
  const start = isOver
    ? Math.max(startOfNewestTokens(view, newest, sizes), isTalk ? startOfNewestTalk(view, newestOfTalk) : 0)
    : startOfNewestTalk(view, newestTalk);
  const older = removableMessages(view.slice(0, start), protectedIds);
  let room = Math.floor(free * (isTalk ? typedShareOfTalk : typedShare));
  const stays = new Set<string>();
  for (const message of [...older].reverse()) {
    if (!isTyped(message)) continue;
    room -= sizes.get(message.id) ?? 0;
    if (room < 0) break;
    stays.add(message.id);
  }
  return older.filter(({ id }) => !stays.has(id));
}

/** Tokens that a ledger may take: it grows with the window, so that a long session loses nothing in a large one. */
export function ledgerRoom(window: number | undefined): number {
  return Math.max(smallestLedger, Math.floor((window ?? 0) * ledgerShare));
}
