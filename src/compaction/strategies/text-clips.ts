import { clipArguments } from '../clip-arguments.ts';
import { clipText } from '../clip-text.ts';
import { isFactKey } from '../ledger/call-facts.ts';
import { kindOf, textOf, type Content, type Message, type ToolCall } from '../message.ts';
import { clipMarker } from '../placeholder.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import type { Rewrite } from './working-view.ts';

/** From which size on something is clipped, and to which, in tokens. */
export interface ClipSizes {
  readonly over: number;
  readonly to: number;
}

/** How often a clip is made shorter until its tokens fit: how many characters a token takes depends on the text. */
const mostRounds = 8;
/** A text in arguments is not cut below this many characters: the marker alone takes most of them. */
const shortestArgument = 60;

/**
 * Clips the texts of messages to head and tail around a marker. Counts all messages together, a few times.
 * A text of which nothing would be left beside the marker stays.
 *
 * @returns a rewrite for each message whose text takes more than `over` tokens, in the order given
 */
export async function clipTexts(
  messages: readonly Message[],
  { over, to }: ClipSizes,
  reason: string,
  meter: UsageMeter,
): Promise<readonly Rewrite[]> {
  const usages = await meter.measureEach(messages);
  const long = messages.flatMap((message, index) => {
    const tokens = (usages[index]?.byKind[kindOf(message)] ?? 0) - framingTokens;
    return tokens > over ? [{ message, text: textOf(message.content), tokens }] : [];
  });
  const markers = long.map(({ message, text }) => clipMarker(message.id)(text.length));
  const markerSizes = await meter.countTexts(markers);
  const clips = new Map<string, string>();
  let open = long.map(({ message, text, tokens }, index) => {
    const room = to - (markerSizes[index] ?? 0);
    const markerLength = markers[index]?.length ?? 0;
    return { id: message.id, text, room, markerLength, kept: Math.floor((text.length * room) / tokens) };
  });
  for (let round = 0; round < mostRounds && open.length > 0; round++) {
    open = open.filter(({ kept }) => kept > 0);
    const clipped = open.map(({ id, text, kept, markerLength }) => clipText(text, markerLength + kept, id));
    const sizes = await meter.countTexts(clipped);
    open = open.flatMap((clip, index) => {
      const excess = (sizes[index] ?? 0) - to;
      if (excess > 0) {
        return [{ ...clip, kept: Math.floor((clip.kept * clip.room) / (clip.room + excess + 1)) }];
      }
      clips.set(clip.id, clipped[index] ?? '');
      return [];
    });
  }
  return long.flatMap(({ message }) => {
    const clip = clips.get(message.id);
    return clip === undefined
      ? []
      : [{ kind: 'clip' as const, id: message.id, content: withText(message.content, clip), reason }];
  });
}

/**
 * Clips the long texts in the arguments of calls, until each call's arguments take so many tokens, or there is no
 * long text left in them. They stay JSON; paths, commands and things looked for stay whole.
 *
 * @returns a rewrite for each message with a call whose arguments take more than `over` tokens, in the order given
 */
export async function clipCallArguments(
  messages: readonly Message[],
  { over, to }: ClipSizes,
  reason: string,
  meter: UsageMeter,
): Promise<readonly Rewrite[]> {
  const usages = await meter.measureEach(messages);
  const calls = messages
    .filter((_message, index) => (usages[index]?.byKind.toolCall ?? 0) > over)
    .flatMap((message) => message.tool_calls ?? []);
  const sizes = await meter.countTexts(calls.map(({ function: { arguments: json } }) => json));
  const clips = new Map<ToolCall, string>();
  let open = calls.flatMap((call, index) => {
    const tokens = sizes[index] ?? 0;
    const { length } = call.function.arguments;
    return tokens > over ? [{ call, longest: Math.floor((length * to) / tokens) }] : [];
  });
  for (let round = 0; round < mostRounds && open.length > 0; round++) {
    const clipped = open.flatMap(({ call, longest }) => {
      const json = clipArguments(call.function.arguments, Math.max(shortestArgument, longest), isFactKey);
      return json === undefined ? [] : [{ call, longest, json }];
    });
    const after = await meter.countTexts(clipped.map(({ json }) => json));
    for (const { call, json } of clipped) clips.set(call, json);
    open = clipped.flatMap(({ call, longest }, index) =>
      (after[index] ?? 0) > to && longest > shortestArgument
        ? [{ call, longest: Math.floor(longest / 2) }]
        : [],
    );
  }
  return messages.flatMap((message): readonly Rewrite[] => {
    const before = message.tool_calls ?? [];
    if (!before.some((call) => clips.has(call))) return [];
    const toolCalls = before.map((call) => ({
      ...call,
      function: { ...call.function, arguments: clips.get(call) ?? call.function.arguments },
    }));
    return [{ kind: 'clip', id: message.id, toolCalls, reason }];
  });
}

/** A content with another text; what is not text stays. */
export function withText(content: Content, text: string): Content {
  if (content === null || typeof content === 'string') return text;
  return [{ type: 'text', text }, ...content.filter((part) => part.text === undefined)];
}
