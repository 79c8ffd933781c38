import { clipJson } from './clip-text.ts';
import { clipToTokens, cutToTokens } from './clip.ts';
import { textOf, type Message } from './message.ts';
import { clipMarker, isCut, isShortened } from './placeholder.ts';
import type { PlannedClip } from './plan.ts';
import type { UsageMeter } from './tokens/usage.ts';

/** Below this many tokens, a clipped message would say nothing. */
const smallestClip = 64;

/**
 * The text of a message as head and tail around a marker that says how to get it back.
 *
 * @param tokens most tokens of the text that is left
 * @returns undefined where that is too little to say anything
 */
export async function clipMessageText(
  { id, content }: Message,
  tokens: number,
  meter: UsageMeter,
): Promise<string | undefined> {
  if (tokens < smallestClip) return undefined;
  const text = textOf(content);
  const count = (clip: string) => meter.countText(clip);
  const json = await cutToTokens(text, tokens, count, (longest) => clipJson(text, longest, id) ?? '');
  if (json !== '') return json;
  const clipped = await clipToTokens(text, tokens, count, clipMarker(id));
  // Without its marker, nobody could tell that a text is not all there.
  return clipped.includes('recall(') ? clipped : undefined;
}

/**
 * Clips the texts of messages until they fit together: each has the same share of the room, and what is smaller leaves
 * the rest of its share to the others. What was shortened before stays as it is, and so does what its tool had cut, as
 * long as they can be made to fit without it.
 *
 * @param room tokens for all of the messages
 * @param sizes tokens of each message, by id
 * @returns undefined where they cannot be made to fit
 */
export async function clipTogether(
  messages: readonly Message[],
  room: number,
  sizes: ReadonlyMap<string, number>,
  reason: string,
  meter: UsageMeter,
): Promise<readonly PlannedClip[] | undefined> {
  return (
    (await clipWhere((message) => !isCut(message), messages, room, sizes, reason, meter)) ??
    (await clipWhere((message) => !isShortened(message), messages, room, sizes, reason, meter))
  );
}

async function clipWhere(
  mayBeClipped: (message: Message) => boolean,
  messages: readonly Message[],
  room: number,
  sizes: ReadonlyMap<string, number>,
  reason: string,
  meter: UsageMeter,
): Promise<readonly PlannedClip[] | undefined> {
  const sizeOf = ({ id }: Message) => sizes.get(id) ?? 0;
  const total = messages.reduce((tokens, message) => tokens + sizeOf(message), 0);
  const texts = messages.filter((message) => typeof message.content === 'string' && mayBeClipped(message));
  const lengths = await meter.countTexts(texts.map(({ content }) => textOf(content)));
  const parts = texts
    .map((message, index) => ({ message, tokens: lengths[index] ?? 0 }))
    .sort((one, other) => one.tokens - other.tokens);
  let left = room - total + parts.reduce((tokens, part) => tokens + part.tokens, 0);
  const clips: PlannedClip[] = [];
  for (const [index, { message, tokens }] of parts.entries()) {
    const share = Math.floor(left / (parts.length - index));
    left -= Math.min(tokens, share);
    if (tokens <= share) continue;
    const content = await clipMessageText(message, share, meter);
    if (content === undefined) return undefined;
    clips.push({ kind: 'clip', id: message.id, content, originalTokens: sizeOf(message), reason });
  }
  return left < 0 ? undefined : clips;
}
