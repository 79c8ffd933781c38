import { strategySentences } from '../../../language/english/strategies-english.ts';
import { factsOfCall, isFactKey } from '../../ledger/call-facts.ts';
import type { Message, ToolCall } from '../../messages/message.ts';
import { memoised } from '../../messages/memoise.ts';
import type { Phrase } from '../../records/record.ts';
import { isDeepEqual } from '../../records/deep-equal.ts';
import { clipArguments, wrapJson } from '../../text/clip-json.ts';
import { headAndTail, leftOut, writeWithin } from '../../text/clip.ts';
import { isJson } from '../../text/parse-json.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { Rewrite } from '../contract/rewrite.ts';
import type { WorkingView } from '../contract/working-view.ts';
import type { ClipSizes } from './message-clips.ts';

/** Minimum characters of an argument that may be cut. The marker would take most of a shorter argument. */
const shortestArgument = 60;
/** Minimum length of arguments that are clipped as a whole, in characters. */
const shortestWrapped = 200;

/** A method of shortening arguments, and the minimum number of characters for which it makes sense. */
interface Shortening {
  readonly shortest: number;
  readonly write: (json: string, longest: number) => string | undefined;
}

/** Returns methods of shortening, least lossy first. Arguments that are not JSON are treated as a string. */
function shorteningsOf(json: string): readonly Shortening[] {
  if (!isJson(json)) {
    const write = (text: string, longest: number) =>
      text.length <= longest ? undefined : headAndTail(text, longest);
    return [{ shortest: shortestArgument, write }];
  }
  return [
    { shortest: shortestArgument, write: (given, longest) => clipArguments(given, longest, isFactKey) },
    { shortest: shortestArgument, write: (given, longest) => clipArguments(given, longest) },
    { shortest: shortestWrapped, write: (given, longest) => wrapJson(given, longest, leftOut) },
  ];
}

/** Finds the smallest form of a call's arguments; undefined if they cannot be cut. */
export async function smallestArguments(
  given: string,
  meter: UsageMeter,
): Promise<{ readonly json: string; readonly tokens: number } | undefined> {
  const written = shorteningsOf(given)
    .map(({ shortest, write }) => write(given, shortest))
    .filter((json) => json !== undefined);
  const sizes = await meter.countTexts(written);
  const [smallest] = written
    .map((json, index) => ({ json, tokens: sizes[index] ?? 0 }))
    .sort((one, other) => one.tokens - other.tokens);
  return smallest;
}

/** Cuts arguments to at most `most` tokens. Cuts commands, paths and search terms last. Undefined if this fails. */
export async function argumentsThatFit(
  given: string,
  tokens: number,
  most: number,
  meter: UsageMeter,
): Promise<string | undefined> {
  for (const { shortest, write } of shorteningsOf(given)) {
    const first = Math.max(shortest, Math.floor((given.length * most) / tokens));
    const json = await writeWithin(
      (longest) => write(given, longest) ?? given,
      { first, least: shortest, limit: most },
      (text) => meter.countText(text),
    );
    if (json !== undefined) return json;
  }
  return undefined;
}

/** Maximum number of rounds in which the arguments of several calls are shortened together. */
const mostRounds = 8;

/** Clips long strings in call arguments over a limit, until the arguments fit. @returns the rewrites */
export async function clipCallArguments(
  messages: readonly Message[],
  { over, to }: ClipSizes,
  reason: Phrase,
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

/** Number of characters to keep of a string in old arguments, enough to recognise the string. */
const longestText = 400;

/** Clips long strings in calls before a position, except paths, commands and search terms. @returns tokens freed */
export async function clipOldArguments(
  protectedIds: ReadonlySet<string>,
  working: WorkingView,
  end: number,
): Promise<number> {
  const rewrites = working.messages
    .slice(0, end)
    .filter((message) => !protectedIds.has(message.id))
    .flatMap(clipCalls);
  return working.rewrite(rewrites);
}

const clipCalls = memoised((message: Message): readonly Rewrite[] => {
  const calls = message.tool_calls ?? [];
  const toolCalls = calls.map((call) => {
    const clipped = clipArguments(call.function.arguments, longestText, isFactKey);
    if (clipped === undefined) return call;
    const shorter = { ...call, function: { ...call.function, arguments: clipped } };
    // A patch with file names in its middle stays whole.
    return isDeepEqual(factsOfCall(shorter), factsOfCall(call)) ? shorter : call;
  });
  if (toolCalls.every((call, index) => call === calls[index])) return [];
  return [{ kind: 'clip', id: message.id, toolCalls, reason: strategySentences.say('oldArguments') }];
});
