import { type Cut, headAndTail, middleCut, textOfCut } from './clip.ts';
import { type Message, textOf, type ToolCall } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { isJson, parseRewritable } from './parse-json.ts';
import { clipMarker, entriesMarker } from './placeholder.ts';
import { largestThatFits, type Marker, opensJson, ShorterJson } from './shorter-json.ts';

/**
 * The text of a message as head and tail around a marker that says how to get it back. What was JSON is JSON
 * afterwards: long texts in it are clipped, then entries leave the middle of lists and objects.
 *
 * @param longest characters of the text that is left, its markers included
 * @param id of the message
 * @param tailShare share of a plain text that comes from its end
 */
export function clipText(text: string, longest: number, id: string, tailShare?: number): string {
  const json = text.length <= longest ? undefined : jsonClipper(text, id)?.(longest);
  if (json !== undefined) return json;
  const cut = middleCut(text, longest, clipMarker(id), tailShare);
  return cut === undefined ? text : textOfCut(cut);
}

/** Writes JSON in no more than a number of characters; undefined if there is no room for any. */
type JsonClipper = (longest: number) => string | undefined;

/** Undefined for a string that is no JSON of several values. */
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

/** Clips the texts of messages and the arguments of calls. Reads each JSON once for all lengths that are tried. */
export class Clipper {
  private readonly texts = new Map<Message, JsonClipper>();
  private readonly calls = new Map<ToolCall, ShorterJson | undefined>();
  readonly tailShare: number | undefined;

  /** @param tailShare share of a plain text that comes from its end; half if not given */
  constructor(tailShare?: number) {
    this.tailShare = tailShare;
  }

  /** The text of a message as `clipText` writes it, not written yet; undefined if it is no longer than that. */
  clip(message: Message, longest: number): Clip | undefined {
    const text = textOf(message.content);
    if (text.length <= longest) return undefined;
    return (
      this.clipJson(message, longest) ?? middleCut(text, longest, clipMarker(message.id), this.tailShare)
    );
  }

  /** The text of a message that is JSON; undefined if it is none, or there is no room for any. */
  clipJson(message: Message, longest: number): string | undefined {
    if (!holdsJson(message)) return undefined;
    const known = this.texts.get(message) ?? clipperOf(textOf(message.content), message.id);
    this.texts.set(message, known);
    return known(longest);
  }

  /**
   * The arguments of a call, as JSON.
   *
   * @param id of the message that has the call
   */
  clipArguments(call: ToolCall, longest: number, id: string): string {
    const json = call.function.arguments;
    const text = clipMarker(id);
    if (!this.calls.has(call)) this.calls.set(call, ShorterJson.of(json));
    return this.calls.get(call)?.fit(longest, { text }) ?? wrapJson(json, longest, text);
  }
}

/** True for a message whose text is JSON of several values. */
export const holdsJson = remembered(({ content }: Message): boolean => isJsonOfSeveral(textOf(content)));

function isJsonOfSeveral(text: string): boolean {
  return opensJson.test(text) && isJson(text);
}

/**
 * JSON that is long for whatever reason, as one text within JSON.
 *
 * @param longest characters of the JSON that is left
 * @param marker what to put into the middle of the text, given the number of characters left out
 */
export function wrapJson(json: string, longest: number, marker: Marker): string {
  const wrap = (text: string) => JSON.stringify({ clipped: text });
  // How much longer a string becomes that is escaped depends on what is left of it.
  const wrapped = largestThatFits(0, longest, (room) => {
    const shorter = wrap(headAndTail(json, room, marker));
    return shorter.length <= longest ? shorter : undefined;
  });
  return wrapped ?? wrap('');
}

/** Nesting below which arguments are left as they are. */
const deepestArguments = 8;

/**
 * Clips long strings in the arguments of a call. The result is JSON again, with the same keys.
 *
 * @param json arguments as the model wrote them
 * @param longest characters that a string may keep, its marker included
 * @param keeps true if the value of this key must not be clipped
 * @returns undefined if the arguments are not JSON or contain no string that long
 */
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
