import { strategySentences } from '../../language/strategies-english.ts';
import { clipText, fitJson, wrapJson } from '../text/clip-json.ts';
import { isSystem, textOf, type Content, type Message, type ToolCall } from '../messages/message.ts';
import { clipMarker, isCut } from '../text/placeholder.ts';
import type { Usage } from '../tokens/usage.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView, type Rewrite } from './contract/working-view.ts';

/** Minimum length of a truncated text, in characters: a marker between two lines. */
const shortest = 500;

export const middleTruncation = defineStrategy({
  id: 'middle-truncation',
  description:
    'Removes the middle of every text longer than a limit. Needs no model. Keeps all messages and the beginning and end of each; loses the middle of long ones until the agent recalls it.',
  needsModel: false,
  options: {
    maxChars: {
      type: 'integer',
      default: 20_000,
      minimum: shortest,
      maximum: 10_000_000,
      description:
        'Maximum length of a text in characters, including its marker. If the request still does not fit, the limit is halved until it does.',
    },
  },
  async plan(input, { meter }) {
    const { view, protectedIds, options, target, trigger } = input;
    const mustReach = trigger.requirement === 'hard' ? target : undefined;
    const candidates = view.filter(
      (message) =>
        !protectedIds.has(message.id) && !isSystem(message) && message.kind !== 'summary' && !isCut(message),
    );
    const truncatedTo = async (longest: number): Promise<Truncated> => {
      const working = new WorkingView(input, meter);
      await working.rewrite(candidates.flatMap((message) => truncated(message, longest)));
      return { working, longest };
    };
    const { working, longest } =
      mustReach === undefined
        ? await truncatedTo(options.maxChars)
        : await largestThatFits(
            halvedFrom(options.maxChars),
            sizesWith(await meter.measureEach(candidates), candidates, input.tokens),
            mustReach,
            truncatedTo,
          );
    return working.isChanged
      ? planned(working.plan())
      : unchanged(strategySentences.say('noTextIsLonger', { characters: longest }));
  },
});

interface Truncated {
  readonly working: WorkingView;
  /** Characters. */
  readonly longest: number;
}

/** The limits that are tried, in characters, from the largest to the smallest. */
function halvedFrom(largest: number): readonly number[] {
  const limits = [largest];
  for (let limit = largest; limit > shortest; limits.push(limit)) {
    limit = Math.max(shortest, Math.floor(limit / 2));
  }
  return limits;
}

/** Estimates the size of the request with a limit, in tokens: what is cut out is as dense as what is left. */
function sizesWith(
  usages: readonly Usage[],
  messages: readonly Message[],
  tokens: number,
): (limit: number) => number {
  const lengths = messages.map(
    ({ content, tool_calls: calls = [] }) =>
      textOf(content).length + calls.reduce((sum, call) => sum + call.function.arguments.length, 0),
  );
  return (limit) =>
    lengths.reduce(
      (sum, length, index) => sum - (usages[index]?.total ?? 0) * Math.max(0, 1 - limit / length),
      tokens,
    );
}

/**
 * The result of the largest limit with which the request fits, or of the smallest if none does. Counting what is left
 * takes the time: the search begins where the estimate fits, and goes on from there.
 *
 * @param limits from the largest to the smallest
 * @param sizeWith estimates the size with a limit
 * @param room most tokens of the request
 */
async function largestThatFits(
  limits: readonly number[],
  sizeWith: (limit: number) => number,
  room: number,
  truncatedTo: (limit: number) => Promise<Truncated>,
): Promise<Truncated> {
  const fits = ({ working }: Truncated) => working.tokens <= room;
  const found = limits.findIndex((limit) => sizeWith(limit) <= room);
  const guess = found < 0 ? limits.length - 1 : found;
  let result = await truncatedTo(limits[guess]!);
  if (!fits(result)) {
    for (const limit of limits.slice(guess + 1)) {
      result = await truncatedTo(limit);
      if (fits(result)) break;
    }
    return result;
  }
  for (const limit of limits.slice(0, guess).reverse()) {
    const larger = await truncatedTo(limit);
    if (!fits(larger)) break;
    result = larger;
  }
  return result;
}

function truncated(message: Message, longest: number): readonly Rewrite[] {
  const marker = clipMarker(message.id);
  const content = truncatedContent(message.content, longest, message.id);
  const toolCalls = message.tool_calls?.map((call) => truncatedCall(call, longest, marker));
  const callsChanged = toolCalls?.some((call, index) => call !== message.tool_calls?.[index]) ?? false;
  if (content === message.content && !callsChanged) return [];
  return [
    {
      kind: 'clip',
      id: message.id,
      ...(content === message.content ? {} : { content }),
      ...(toolCalls !== undefined && callsChanged ? { toolCalls } : {}),
      reason: strategySentences.say('longerThan', { characters: longest }),
    },
  ];
}

type Marker = (missing: number) => string;

function truncatedContent(content: Content, longest: number, id: string): Content {
  if (content === null) return content;
  if (typeof content === 'string') return clipText(content, longest, id);
  const parts = content.map((part) => {
    if (part.text === undefined) return part;
    const text = clipText(part.text, longest, id);
    return text === part.text ? part : { ...part, text };
  });
  return parts.every((part, index) => part === content[index]) ? content : parts;
}

function truncatedCall(call: ToolCall, longest: number, marker: Marker): ToolCall {
  const json = call.function.arguments;
  if (json.length <= longest) return call;
  const shorter = fitJson(json, longest, marker) ?? wrapJson(json, longest, marker);
  return { ...call, function: { ...call.function, arguments: shorter } };
}
