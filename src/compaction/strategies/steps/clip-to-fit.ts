import type { Phrase } from '../../records/record.ts';
import { type Content, type ContentPart, type Message, textOf } from '../../messages/message.ts';
import type { PlannedClip } from '../../records/plan.ts';
import { jsonClipper } from '../../text/clip-json.ts';
import { clipToTokens, cutToTokens } from '../../text/clip.ts';
import { isImagePart } from '../../images/image-part.ts';
import { clipMarker, imagesMarker, isCut, isShortened } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import { argumentsThatFit, smallestArguments } from './argument-clips.ts';

const smallestClip = 64;

/** Shortens the text of a message to a number of tokens; undefined if the number is too small to be useful. */
export async function clipMessageText(
  { id, content }: Message,
  tokens: number,
  meter: UsageMeter,
): Promise<string | undefined> {
  if (tokens < smallestClip) return undefined;
  const text = textOf(content);
  const count = (clip: string) => meter.countText(clip);
  const json = await cutToTokens(text, tokens, count, jsonClipper(text, id) ?? (() => undefined));
  if (json !== '') return json;
  const clipped = await clipToTokens(text, tokens, count, clipMarker(id));
  // Without its marker, the text would not show that it is incomplete.
  return clipped.includes('recall(') ? clipped : undefined;
}

/** Clips texts until they fit together, shortened texts only if necessary. Undefined if they cannot fit. */
export async function clipTogether(
  messages: readonly Message[],
  room: number,
  reason: Phrase,
  meter: UsageMeter,
): Promise<readonly PlannedClip[] | undefined> {
  for (const stays of [isCut, isShortened]) {
    const mayClip = (part: 'text' | 'arguments' | 'images', message: Message) =>
      part === 'text' && !stays(message);
    const fitted = await clipToFit(messages, room, { mayClip, reason }, meter);
    if (fitted.clips !== undefined) return fitted.clips;
  }
  return undefined;
}

export interface ClipChoice {
  readonly mayClip: (part: 'text' | 'arguments' | 'images', message: Message) => boolean;
  /** Share of the room, after fixed parts, that the clipped parts may take; the whole room by default. */
  readonly share?: number;
  readonly reason: Phrase;
}

export interface Fitted {
  readonly clips?: readonly PlannedClip[];
  /** Size of the messages with these clips, or the smallest possible size if they cannot fit. */
  readonly tokens: number;
}

/** Clips messages until they fit together. Cuts texts and arguments to the same size; removes images, oldest first. */
export async function clipToFit(
  messages: readonly Message[],
  room: number,
  { mayClip, share = 1, reason }: ClipChoice,
  meter: UsageMeter,
): Promise<Fitted> {
  const usages = await meter.measureEach(messages);
  const sizes = new Map(messages.map((message, index) => [message, usages[index]?.total ?? 0]));
  const total = sumOf([...sizes.values()]);
  if (total <= room) return { clips: [], tokens: total };

  const parts = [
    ...(await textParts(
      messages.filter((message) => mayClip('text', message)),
      meter,
    )),
    ...(await argumentParts(
      messages.filter((message) => mayClip('arguments', message)),
      meter,
    )),
  ];
  let rest = total - sumOf(parts.map(({ tokens }) => tokens));
  const least = sumOf(parts.map((part) => part.least));
  const leaving: ImagePart[] = [];
  for (const image of await leavableImages(
    messages.filter((message) => mayClip('images', message)),
    meter,
  )) {
    if (rest + least <= room) break;
    leaving.push(image);
    rest -= image.freed;
  }
  if (rest + least > room) return { tokens: rest + least };

  const level = levelOf(parts, least + Math.floor((room - rest - least) * share));
  const changed = new Map<Message, Message>();
  const change = (message: Message, edit: (current: Message) => Message) =>
    changed.set(message, edit(changed.get(message) ?? message));
  for (const part of parts.filter(({ tokens }) => tokens > level)) {
    const shorter = await part.clip(Math.max(level, part.least));
    change(part.message, shorter);
  }
  // Images are removed last, because a removal moves the parts after the image.
  for (const message of new Set(leaving.map((image) => image.message))) {
    const gone = leaving.filter((image) => image.message === message).map(({ position }) => position);
    change(message, (current) => withoutImages(current, gone));
  }
  const after = await meter.measure(messages.map((message) => changed.get(message) ?? message));
  return {
    clips: [...changed].map(([before, { id, content, tool_calls: toolCalls }]): PlannedClip => ({
      kind: 'clip',
      id,
      ...(content === before.content ? {} : { content }),
      ...(toolCalls === undefined || toolCalls === before.tool_calls ? {} : { toolCalls }),
      originalTokens: sizes.get(before) ?? 0,
      reason,
    })),
    tokens: after.total,
  };
}

interface ClippablePart {
  readonly message: Message;
  readonly tokens: number;
  readonly least: number;
  /** @returns a change that reduces the part to at most this size */
  readonly clip: (tokens: number) => Promise<(message: Message) => Message>;
}

/** Number of images for which the marker is counted. A number with more digits would take more tokens. */
const mostImages = 999;

interface ImagePart {
  readonly message: Message;
  readonly position: number;
  readonly freed: number;
}

async function textParts(messages: readonly Message[], meter: UsageMeter): Promise<readonly ClippablePart[]> {
  const texts = messages.flatMap((message) =>
    textsOf(message.content).map(({ text, position }) => ({ message, text, position })),
  );
  const sizes = await meter.countTexts(texts.map(({ text }) => text));
  const parts = await Promise.all(
    texts.map(async ({ message, text, position }, index): Promise<ClippablePart | undefined> => {
      const tokens = sizes[index] ?? 0;
      if (tokens <= smallestClip) return undefined;
      const clipTo = async (most: number) => {
        const clipped = await clipMessageText({ ...message, content: text }, most, meter);
        // If no clip is small enough, only the marker stays.
        return clipped ?? clipMarker(message.id)(text.length).trim();
      };
      const markerTokens = await meter.countText(clipMarker(message.id)(text.length));
      return {
        message,
        tokens,
        least: Math.min(tokens, Math.max(smallestClip, markerTokens)),
        clip: async (most) => {
          const clipped = await clipTo(most);
          return (current) =>
            position === undefined
              ? { ...current, content: clipped }
              : withPart(current, position, { type: 'text', text: clipped });
        },
      };
    }),
  );
  return parts.filter((part) => part !== undefined);
}

async function argumentParts(
  messages: readonly Message[],
  meter: UsageMeter,
): Promise<readonly ClippablePart[]> {
  const calls = messages.flatMap((message) =>
    (message.tool_calls ?? []).map((call, position) => ({ message, call, position })),
  );
  const sizes = await meter.countTexts(calls.map(({ call }) => call.function.arguments));
  const parts = await Promise.all(
    calls.map(async ({ message, call, position }, index): Promise<ClippablePart | undefined> => {
      const tokens = sizes[index] ?? 0;
      if (tokens <= smallestClip) return undefined;
      const smallest = await smallestArguments(call.function.arguments, meter);
      if (smallest === undefined || smallest.tokens >= tokens) return undefined;
      const clip = async (most: number) => {
        const json = await argumentsThatFit(call.function.arguments, tokens, most, meter);
        return (current: Message) => withArguments(current, position, json ?? smallest.json);
      };
      return { message, tokens, least: smallest.tokens, clip };
    }),
  );
  return parts.filter((part) => part !== undefined);
}

async function leavableImages(
  messages: readonly Message[],
  meter: UsageMeter,
): Promise<readonly ImagePart[]> {
  const marker = await meter.countText(imagesMarker(mostImages));
  return messages.flatMap((message) =>
    typeof message.content === 'string'
      ? []
      : (message.content ?? []).flatMap((part, position) =>
          isImagePart(part) ? [{ message, position, freed: meter.countImage(part) - marker }] : [],
        ),
  );
}

/** Finds the largest size to which long parts are cut so that all parts fit into the room. */
function levelOf(parts: readonly ClippablePart[], room: number): number {
  const sizeAt = (level: number) =>
    sumOf(parts.map(({ tokens, least }) => Math.min(tokens, Math.max(level, least))));
  let low = 0;
  let high = Math.max(0, ...parts.map(({ tokens }) => tokens));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeAt(middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function textsOf(content: Content): readonly { readonly text: string; readonly position?: number }[] {
  if (content === null) return [];
  if (typeof content === 'string') return [{ text: content }];
  return content.flatMap(({ text }, position) => (text === undefined ? [] : [{ text, position }]));
}

function withPart(message: Message, position: number, part: ContentPart): Message {
  if (message.content === null || typeof message.content === 'string') return message;
  return { ...message, content: message.content.map((each, index) => (index === position ? part : each)) };
}

/** Puts one note in place of all removed images, because adjacent notes would be redundant. */
function withoutImages(message: Message, positions: readonly number[]): Message {
  if (message.content === null || typeof message.content === 'string') return message;
  const [first] = positions;
  const note: ContentPart = { type: 'text', text: imagesMarker(positions.length) };
  return {
    ...message,
    content: message.content.flatMap((part, index) =>
      index === first ? [note] : positions.includes(index) ? [] : [part],
    ),
  };
}

function withArguments(message: Message, position: number, json: string): Message {
  const toolCalls = (message.tool_calls ?? []).map((call, index) =>
    index === position ? { ...call, function: { ...call.function, arguments: json } } : call,
  );
  return { ...message, tool_calls: toolCalls };
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
