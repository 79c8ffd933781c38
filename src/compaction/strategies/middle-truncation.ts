import { strategySentences } from '../../language/english/strategies-english.ts';
import { Clipper, clipText, holdsJson } from '../text/clip-json.ts';
import type { Phrase } from '../records/record.ts';
import { isSystem, textOf, type Message, type ToolCall } from '../messages/message.ts';
import { isCut } from '../text/placeholder.ts';
import type { Usage } from '../tokens/usage.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import type { Rewrite } from './contract/rewrite.ts';
import { WorkingView } from './contract/working-view.ts';

/** Minimum length of a truncated text, in characters: a marker and a line on each side. */
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
    keep: {
      type: 'choice',
      default: 'ends',
      choices: ['ends', 'beginning'],
      description:
        'What stays of a long text: both ends, or the beginning only. JSON keeps its shape either way.',
    },
  },
  async plan(input, { meter }) {
    const { view, protectedIds, options, target, trigger } = input;
    const mustReach = trigger.requirement === 'hard' ? target : undefined;
    const candidates = view.filter(
      (message) =>
        !protectedIds.has(message.id) && !isSystem(message) && message.kind !== 'summary' && !isCut(message),
    );
    const usages = await meter.measureEach(candidates);
    const sizes = new Map(candidates.map((message, index) => [message, usages[index]?.total ?? 0]));
    const tailShare = options.keep === 'beginning' ? 0 : undefined;
    const clipper = new Clipper(tailShare);
    const truncatedTo = async (longest: number, room = Infinity): Promise<Truncated> => {
      const working = new WorkingView(input, meter);
      const reason = strategySentences.say('longerThan', { characters: longest });
      const long = candidates.filter((message) => isLonger(message, longest));
      // Tokens of messages not yet truncated. No more than this can still be saved.
      let whole = long.reduce((total, message) => total + (sizes.get(message) ?? 0), 0);
      const truncate = async (messages: readonly Message[]) => {
        for (let start = 0; start < messages.length; start += truncatedAtOnce) {
          if (working.tokens - whole > room) return;
          const some = messages.slice(start, start + truncatedAtOnce);
          await working.rewrite(some.flatMap((message) => truncated(message, longest, clipper, reason)));
          whole -= some.reduce((total, message) => total + (sizes.get(message) ?? 0), 0);
        }
      };
      // Plain texts first, because JSON takes longer.
      await truncate(long.filter((message) => !hasLongJson(message, longest)));
      await truncate(long.filter((message) => hasLongJson(message, longest)));
      return { working, longest };
    };
    const { working, longest } =
      mustReach === undefined
        ? await truncatedTo(options.maxChars)
        : await largestThatFits(
            halvedFrom(options.maxChars),
            sizesWith(usages, candidates, input.tokens),
            mustReach,
            truncatedTo,
          );
    if (!working.isChanged) {
      return unchanged(strategySentences.say('noTextIsLonger', { characters: longest }));
    }
    const { actions } = working.plan();
    const clips = new Map(actions.flatMap((action) => (action.kind === 'clip' ? [[action.id, action]] : [])));
    return planned({ actions: candidates.flatMap(({ id }) => clips.get(id) ?? []) });
  },
});

/** Number of messages truncated between checks that the limit can still suffice. */
const truncatedAtOnce = 100;

/** A view truncated with a limit. Truncation stops early if the view clearly exceeds its room. */
interface Truncated {
  readonly working: WorkingView;
  readonly longest: number;
}

function halvedFrom(largest: number): readonly number[] {
  const limits = [largest];
  for (let limit = largest; limit > shortest; limits.push(limit)) {
    limit = Math.max(shortest, Math.floor(limit / 2));
  }
  return limits;
}

/** Estimates the tokens of the request with a limit. Assumes that all text has the same density of tokens. */
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

/** Finds the largest limit with which the request fits, or else the smallest limit. Starts where the estimate fits. */
async function largestThatFits(
  limits: readonly number[],
  sizeWith: (limit: number) => number,
  room: number,
  truncatedTo: (limit: number, room?: number) => Promise<Truncated>,
): Promise<Truncated> {
  const fits = ({ working }: Truncated) => working.tokens <= room;
  const found = limits.findIndex((limit) => sizeWith(limit) <= room);
  const guess = found < 0 ? limits.length - 1 : found;
  // The smallest limit is always applied to all messages.
  const tryLimit = (limit: number) => truncatedTo(limit, limit === limits.at(-1) ? Infinity : room);
  let result = await tryLimit(limits[guess]!);
  if (!fits(result)) {
    for (const limit of limits.slice(guess + 1)) {
      result = await tryLimit(limit);
      if (fits(result)) break;
    }
    return result;
  }
  for (const limit of limits.slice(0, guess).reverse()) {
    const larger = await tryLimit(limit);
    if (!fits(larger)) break;
    result = larger;
  }
  return result;
}

function isLonger({ content, tool_calls: calls = [] }: Message, longest: number): boolean {
  return (
    (typeof content === 'string' ? content.length > longest : content !== null) ||
    calls.some((call) => call.function.arguments.length > longest)
  );
}

/** True if truncating a message requires parsing JSON in its text or arguments. */
function hasLongJson(message: Message, longest: number): boolean {
  const { content, tool_calls: calls = [] } = message;
  return (
    calls.some((call) => call.function.arguments.length > longest) ||
    (textOf(content).length > longest && holdsJson(message))
  );
}

function truncated(message: Message, longest: number, clipper: Clipper, reason: Phrase): readonly Rewrite[] {
  const content = truncatedContent(message, longest, clipper);
  const toolCalls = message.tool_calls?.map((call) => truncatedCall(call, longest, message.id, clipper));
  const hasOtherCalls = toolCalls?.some((call, index) => call !== message.tool_calls?.[index]) ?? false;
  if (content === undefined && !hasOtherCalls) return [];
  return [
    {
      kind: 'clip',
      id: message.id,
      ...content,
      ...(toolCalls !== undefined && hasOtherCalls ? { toolCalls } : {}),
      reason,
    },
  ];
}

function truncatedContent(
  message: Message,
  longest: number,
  clipper: Clipper,
): Pick<Rewrite, 'content' | 'cut'> | undefined {
  const { content, id } = message;
  if (content === null) return undefined;
  if (typeof content === 'string') {
    const clip = clipper.clip(message, longest);
    if (clip === undefined) return undefined;
    return typeof clip === 'string' ? { content: clip } : { cut: { ...clip, owner: message } };
  }
  const parts = content.map((part) => {
    if (part.text === undefined) return part;
    const text = clipText(part.text, longest, id, clipper.tailShare);
    return text === part.text ? part : { ...part, text };
  });
  return parts.every((part, index) => part === content[index]) ? undefined : { content: parts };
}

function truncatedCall(call: ToolCall, longest: number, id: string, clipper: Clipper): ToolCall {
  if (call.function.arguments.length <= longest) return call;
  const shorter = clipper.clipArguments(call, longest, id);
  return { ...call, function: { ...call.function, arguments: shorter } };
}
