import { strategySentences } from '../../language/strategies-english.ts';
import { clipText, fitJson, wrapJson } from '../text/clip-json.ts';
import { isSystem, type Content, type Message, type ToolCall } from '../messages/message.ts';
import { clipMarker, isCut } from '../text/placeholder.ts';
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
    for (let longest = options.maxChars; ; longest = Math.max(shortest, Math.floor(longest / 2))) {
      const working = new WorkingView(input, meter);
      await working.rewrite(candidates.flatMap((message) => truncated(message, longest)));
      const isReached = mustReach === undefined || working.tokens <= mustReach;
      if (!isReached && longest > shortest) continue;
      return working.isChanged
        ? planned(working.plan())
        : unchanged(strategySentences.say('noTextIsLonger', { characters: longest }));
    }
  },
});

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
