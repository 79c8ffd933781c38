import { type Cut, headAndTail, middleCut, textOfCut } from './clip.ts';
import { type Message, textOf, type ToolCall } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { isJson, parseRewritable } from './parse-json.ts';
import { clipMarker, entriesMarker } from './placeholder.ts';
import { largestThatFits, type Marker, opensJson, ShorterJson } from './shorter-json.ts';

/** Shortens a message's text to head and tail, with a marker that says how to recall it. JSON stays JSON. */
export function clipText(text: string, longest: number, id: string, tailShare?: number): string {
  const json = text.length <= longest ? undefined : jsonClipper(text, id)?.(longest);
  if (json !== undefined) return json;
  const cut = middleCut(text, longest, clipMarker(id), tailShare);
  return cut === undefined ? text : textOfCut(cut);
}

/** Writes JSON with at most `longest` characters; undefined if the limit is too small. */
type JsonClipper = (longest: number) => string | undefined;

export function jsonClipper(text: string, id: string): JsonClipper | undefined {
  return isJsonOfSeveral(text) ? clipperOf(text, id) : undefined;
}

function clipperOf(text: string, id: string): JsonClipper {
  const markers = { text: clipMarker(id), entries: entriesMarker(id) };
  const json = ShorterJson.of(text);
  return (longest) => {
    const fitted = json?.fit(longest, markers);
    if (fitted !== undefined) return fitted;
    const wrapped = wrapJson(text, longest, markers.text);
    return wrapped.length <= longest && wrapped.includes('recall(') ? wrapped : undefined;
  };
}

/** A clipped text: JSON, or a cut. */
export type Clip = string | Cut;

export function writtenClip(clip: Clip): string {
  return typeof clip === 'string' ? clip : textOfCut(clip);
}

/** Clips the texts of messages and the arguments of calls. Parses each JSON once for all lengths that are tried. */
export class Clipper {
  private readonly texts = new Map<Message, JsonClipper>();
  private readonly calls = new Map<ToolCall, ShorterJson | undefined>();
  readonly tailShare: number | undefined;

  /** @param tailShare share of a clipped plain text that is kept from its end; half by default */
  constructor(tailShare?: number) {
    this.tailShare = tailShare;
  }

  /** Clips a text like `clipText`, but does not write it yet. @returns undefined for a text within the limit */
  clip(message: Message, longest: number): Clip | undefined {
    const text = textOf(message.content);
    if (text.length <= longest) return undefined;
    return (
      this.clipJson(message, longest) ?? middleCut(text, longest, clipMarker(message.id), this.tailShare)
    );
  }

  /** Clips the text of a message that is JSON. @returns undefined if it is not JSON or the limit is too small */
  clipJson(message: Message, longest: number): string | undefined {
    if (!holdsJson(message)) return undefined;
    const known = this.texts.get(message) ?? clipperOf(textOf(message.content), message.id);
    this.texts.set(message, known);
    return known(longest);
  }

  /** Clips the arguments of a call in the message with this id. @returns JSON */
  clipArguments(call: ToolCall, longest: number, id: string): string {
    const json = call.function.arguments;
    const text = clipMarker(id);
    if (!this.calls.has(call)) this.calls.set(call, ShorterJson.of(json));
    return this.calls.get(call)?.fit(longest, { text }) ?? wrapJson(json, longest, text);
  }
}

/** True for a message whose text is JSON with several values. */
export const holdsJson = memoised(({ content }: Message): boolean => isJsonOfSeveral(textOf(content)));

function isJsonOfSeveral(text: string): boolean {
  return opensJson.test(text) && isJson(text);
}

/** Wraps JSON that cannot be clipped otherwise: as one clipped string, with at most `longest` characters in all. */
export function wrapJson(json: string, longest: number, marker: Marker): string {
  const wrap = (text: string) => JSON.stringify({ clipped: text });
  // Escaping adds a number of characters that depends on the remaining text.
  const wrapped = largestThatFits(0, longest, (room) => {
    const shorter = wrap(headAndTail(json, room, marker));
    return shorter.length <= longest ? shorter : undefined;
  });
  return wrapped ?? wrap('');
}

const deepestArguments = 8;

/** Clips long strings in call arguments and keeps the keys. Undefined without long strings, or without JSON. */
export function clipArguments(
  json: string,
  longest: number,
  keeps: (key: string) => boolean = () => false,
): string | undefined {
  if (json.length <= longest) return undefined;
  const parsed = parseRewritable(json);
  if (parsed === undefined) return undefined;
  const clipped = JSON.stringify(clipValue(parsed.value, longest, keeps, 0));
  return clipped.length < json.length ? clipped : undefined;
}

function clipValue(value: unknown, longest: number, keeps: (key: string) => boolean, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, longest);
  if (typeof value !== 'object' || value === null || depth >= deepestArguments) return value;
  if (Array.isArray(value)) return value.map((entry) => clipValue(entry, longest, keeps, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      keeps(key) ? entry : clipValue(entry, longest, keeps, depth + 1),
    ]),
  );
}
