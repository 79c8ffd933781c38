import type { Phrase } from '../../records/record.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { callsByResult } from '../../messages/exchange.ts';
import { type Content, kindOf, type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { type Clip, Clipper, holdsJson, writtenClip } from '../../text/clip-json.ts';
import { headCut } from '../../text/clip.ts';
import { parseRewritable } from '../../text/parse-json.ts';
import { clipMarker } from '../../text/placeholder.ts';
import type { CutOf } from '../../text/known-cuts.ts';
import { framingTokens, type UsageMeter } from '../../tokens/usage.ts';
import type { Rewrite } from '../contract/rewrite.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Size above which content is clipped, and size after clipping, in tokens. */
export interface ClipSizes {
  readonly over: number;
  readonly to: number;
}

const mostRounds = 8;

/** Clips texts of more than `over` tokens to head and tail. If only the marker would stay, the text is unchanged. */
export async function clipTexts(
  messages: readonly Message[],
  { over, to }: ClipSizes,
  reason: Phrase,
  meter: UsageMeter,
): Promise<readonly Rewrite[]> {
  const usages = await meter.measureEach(messages);
  const long = messages.flatMap((message, index) => {
    const tokens = (usages[index]?.byKind[kindOf(message)] ?? 0) - framingTokens;
    return tokens > over ? [{ message, text: textOf(message.content), tokens }] : [];
  });
  const markers = long.map(({ message, text }) => clipMarker(message.id)(text.length));
  const markerSizes = await meter.countTexts(markers);
  const clipper = new Clipper();
  const clips = new Map<Message, Clip>();
  let open = long.map(({ message, text, tokens }, index) => {
    const room = to - (markerSizes[index] ?? 0);
    const markerLength = markers[index]?.length ?? 0;
    return { message, text, room, markerLength, kept: Math.floor((text.length * room) / tokens) };
  });
  for (let round = 0; round < mostRounds && open.length > 0; round++) {
    open = open.filter(({ kept }) => kept > 0);
    const clipped = open.map(
      ({ message, text, kept, markerLength }) => clipper.clip(message, markerLength + kept) ?? text,
    );
    const sizes = await meter.countTexts(
      clipped.map((clip, index) => ownCut(open[index]!.message, clip) ?? writtenClip(clip)),
    );
    open = open.flatMap((clip, index) => {
      const excess = (sizes[index] ?? 0) - to;
      if (excess > 0) {
        return [{ ...clip, kept: Math.floor((clip.kept * clip.room) / (clip.room + excess + 1)) }];
      }
      clips.set(clip.message, clipped[index]!);
      return [];
    });
  }
  return long.flatMap(({ message }) => {
    const clip = clips.get(message);
    return clip === undefined ? [] : [rewriteTo(clip, message, reason)];
  });
}

/** Returns the clip if it is a cut of the message's own text. */
function ownCut(message: Message, clip: Clip): CutOf | undefined {
  return typeof clip !== 'string' && clip.whole === message.content ? { ...clip, owner: message } : undefined;
}

function rewriteTo(clip: Clip, message: Message, reason: Phrase): Rewrite {
  const cut = ownCut(message, clip);
  return {
    kind: 'clip',
    id: message.id,
    ...(cut === undefined ? { content: withText(message.content, writtenClip(clip)) } : { cut }),
    reason,
  };
}

function withText(content: Content, text: string): Content {
  if (content === null || typeof content === 'string') return text;
  return [{ type: 'text', text }, ...content.filter((part) => part.text === undefined)];
}

/** Number of characters to keep of an older text for each token of its limit (Suna, `_compress_message`). */
const charactersPerToken = 3;
/**
 * Maximum characters of the newest text of its kind, in all and for each token of the target (Suna, `safe_truncate`).
 */
const longestNewest = 100_000;
const newestPerToken = 2;

/** Cuts texts above a token limit to their beginning, with a hint on how to get the rest. JSON stays JSON. */
export async function clipHeads(
  messages: readonly Message[],
  limit: number,
  clipper: Clipper,
  meter: UsageMeter,
): Promise<readonly Rewrite[]> {
  const longest = limit * charactersPerToken;
  const long = messages.filter(({ content }) => textOf(content).length > longest);
  const usages = await meter.measureEach(long);
  const reason = strategySentences.say('longAndOlder');
  return long.flatMap((message, index) => {
    if ((usages[index]?.total ?? 0) <= limit) return [];
    const text = textOf(message.content);
    const clip = clipper.clipJson(message, longest) ?? headCut(text, longest, clipMarker(message.id));
    return [rewriteTo(clip, message, reason)];
  });
}

/** Cuts the newest text of its kind to head and tail if it alone would fill the room. `aim` is the target size. */
export function clipNewest(messages: readonly Message[], aim: number, clipper: Clipper): readonly Rewrite[] {
  const longest = Math.min(longestNewest, aim * newestPerToken);
  return messages.flatMap((message) => {
    const { length } = textOf(message.content);
    const hasRoom = longest > clipMarker(message.id)(length).length;
    const clip = hasRoom ? clipper.clip(message, longest) : undefined;
    if (clip === undefined) return [];
    return [rewriteTo(clip, message, strategySentences.say('longAndNewest'))];
  });
}

const deepest = 3;

/** Removes a call's arguments from results that repeat them in a JSON object. */
export function stripEchoes(
  view: readonly Message[],
  mayBeClipped: (message: Message) => boolean,
): readonly Rewrite[] {
  const calls = callsByResult(view);
  const reason = strategySentences.say('repeatsArguments');
  return view.flatMap((message): readonly Rewrite[] => {
    const call = holdsJson(message) ? calls.get(message.id) : undefined;
    if (call === undefined || withoutEchoes.get(message) === call || !mayBeClipped(message)) return [];
    const text = withoutEchoesOf(call, message);
    if (text === undefined) withoutEchoes.set(message, call);
    return text === undefined
      ? []
      : [{ kind: 'clip', id: message.id, content: withText(message.content, text), reason }];
  });
}

/** Results known to repeat no arguments of their call. Cached, because every compaction checks them. */
const withoutEchoes = new WeakMap<Message, ToolCall>();

function withoutEchoesOf({ function: called }: ToolCall, { content }: Message): string | undefined {
  const found = objectIn(textOf(content));
  const given = found === undefined ? undefined : objectIn(called.arguments);
  if (given === undefined || found === undefined || Object.keys(given).length === 0) return undefined;
  const text = JSON.stringify(withoutEcho(found, JSON.stringify(given), 0));
  return text.length === JSON.stringify(found).length ? undefined : text;
}

function withoutEcho(value: unknown, echo: string, depth: number): unknown {
  if (!isRecord(value) || depth > deepest) return value;
  const kept = Object.entries(value).filter(([, entry]) => !isEcho(entry, echo));
  return Object.fromEntries(kept.map(([key, entry]) => [key, withoutEcho(entry, echo, depth + 1)]));
}

function isEcho(value: unknown, echo: string): boolean {
  return value === echo || (typeof value === 'object' && value !== null && JSON.stringify(value) === echo);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.startsWith('{') ? parseRewritable(text)?.value : undefined;
  return isRecord(value) ? value : undefined;
}
