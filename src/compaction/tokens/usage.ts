import {
  kindOf,
  kinds,
  type Content,
  type ContentPart,
  type Kind,
  type Message,
  type ToolCall,
  type ToolSchema,
} from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { imageParts } from '../images/image-part.ts';
import type { CutOf } from '../text/cuts.ts';
import { type PartCounter, rememberingTexts, type TextCounter } from './token-counter.ts';
import { textOfCut } from '../text/clip.ts';
import { defaultImageRule, type ImageRule, imageTokensOf } from '../images/image-tokens.ts';

/** Tokens by what they are for. `total` is exactly the sum of `byKind`. */
export interface Usage {
  readonly total: number;
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** Tokens of messages by their ids. */
export interface Sizes {
  get(id: string): number | undefined;
}

/**
 * Tokens of framing per message, the role and the delimiters: OpenAI's cookbook, "How to count tokens with tiktoken"
 * (`tokens_per_message`).
 */
export const framingTokens = 3;

const noTokens: Record<Kind, number> = {
  system: 0,
  tools: 0,
  memory: 0,
  user: 0,
  assistant: 0,
  reasoning: 0,
  toolCall: 0,
  toolResult: 0,
  summary: 0,
  reminder: 0,
  skill: 0,
  skillMetadata: 0,
  file: 0,
};

export const emptyUsage: Usage = { total: 0, byKind: noTokens };

/** Text of a message that takes tokens, and its kind. */
interface CountedText {
  readonly kind: Kind;
  readonly text: string;
}

/** A change of a message's content or of its calls. What is not given stays as it is. */
export interface TextChange {
  /** The message whose texts they were. */
  readonly message: Message;
  /** Its usage, also after an earlier change. */
  readonly usage: Usage;
  readonly content?: Content | undefined;
  /** Instead of a content: a cut of the message's text, which is its only one. */
  readonly cut?: CutOf | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
}

interface Sum {
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

interface MeterOptions {
  /**
   * True if all reasoning is counted; otherwise only what goes back to the model with its message, because the rest
   * takes no room.
   */
  readonly countsReasoning: boolean;
  /** The model's rule for images; GPT-4o's if not given. */
  readonly imageRule?: ImageRule;
  /** Name of the vocabulary that the texts are counted with, if counts are to be kept under it. */
  readonly vocabulary?: string | undefined;
}

/**
 * Counts messages: each once, in as few calls of the text counter as possible. What was counted is kept as long as
 * the message itself, so that asking again for a whole view costs an addition per message.
 */
export class UsageMeter {
  private known = new WeakMap<Message, Usage>();
  /** First message → the messages that were added up last. */
  private readonly lastSums = new WeakMap<Message, Sum>();
  /** Those of the meter that this one was made of. */
  private earlierSums: WeakMap<Message, Sum> | undefined;
  /** Tokens of short texts that were counted for one piece of work. */
  private readonly shortTexts = new Map<string, number>();
  /** Tokens of a call: its name and its arguments. */
  private knownCalls = new WeakMap<ToolCall, number>();
  private knownTools = new WeakMap<readonly ToolSchema[], Usage>();
  private readonly counter: TextCounter;
  /** The model's rule for images. */
  readonly imageRule: ImageRule;
  private readonly countsReasoning: boolean;
  private readonly vocabulary: string | undefined;

  constructor(
    counter: TextCounter,
    { countsReasoning, imageRule = defaultImageRule, vocabulary }: MeterOptions,
  ) {
    this.vocabulary = vocabulary;
    this.counter = counter;
    this.countsReasoning = countsReasoning;
    this.imageRule = imageRule;
  }

  /**
   * This meter for one piece of work, such as a compaction: it also remembers each text that it counts, because the
   * plan of a strategy is measured with the texts that the strategy tried. What it learns of messages, this one knows.
   */
  remembering(): UsageMeter {
    const { countsReasoning, imageRule, vocabulary } = this;
    const counter = rememberingTexts(this.counter, this.shortTexts);
    const meter = new UsageMeter(counter, { countsReasoning, imageRule, vocabulary });
    [meter.known, meter.knownCalls, meter.knownTools] = [this.known, this.knownCalls, this.knownTools];
    meter.earlierSums = this.lastSums;
    return meter;
  }

  /** Usage of each message. */
  async measureEach(messages: readonly Message[]): Promise<readonly Usage[]> {
    const usages = messages.map((message) => this.known.get(message));
    const unknown = messages.filter((_message, index) => usages[index] === undefined);
    if (unknown.length === 0) return usages as readonly Usage[];
    const texts = unknown.map((message) => this.textsOf(message));
    const flat = texts.flat();
    const counts = flat.length === 0 ? [] : await this.counter.count(flat.map(({ text }) => text));
    let position = 0;
    unknown.forEach((message, index) => {
      const spent: Partial<Record<Kind, number>> = {
        [kindOf(message)]: framingTokens + this.countImages(message.content),
      };
      for (const { kind } of texts[index] ?? []) spent[kind] = (spent[kind] ?? 0) + (counts[position++] ?? 0);
      this.known.set(message, usageOf(spent));
    });
    return messages.map((message, index) => usages[index] ?? this.known.get(message) ?? emptyUsage);
  }

  /** Usage after changes. Only what changed is counted, and of long texts only as far as they do not go on alike. */
  async measureChanged(changes: readonly TextChange[]): Promise<readonly Usage[]> {
    const texts = changes.map(newTexts);
    const counts = await this.countTexts(texts.flat());
    await this.countCalls(changes);
    let position = 0;
    return changes.map(({ message, usage, content, cut, toolCalls }, index): Usage => {
      const byKind = { ...usage.byKind };
      let { total } = usage;
      if (content !== undefined || cut !== undefined) {
        const own = kindOf(message);
        total -= byKind[own];
        byKind[own] = framingTokens + (content === undefined ? 0 : this.countImages(content));
        for (const end = position + texts[index]!.length; position < end; position++) {
          byKind[own] += counts[position]!;
        }
        total += byKind[own];
      }
      if (toolCalls !== undefined) {
        total -= byKind.toolCall;
        byKind.toolCall = 0;
        for (const call of toolCalls) byKind.toolCall += this.knownCalls.get(call) ?? 0;
        total += byKind.toolCall;
      }
      return { total, byKind };
    });
  }

  /** Counts new calls, of which most come again: with the same message, or shortened in the same way. */
  private async countCalls(changes: readonly TextChange[]): Promise<void> {
    const unknown = changes.flatMap(({ message, toolCalls = [] }) =>
      toolCalls.flatMap((call, index) =>
        this.knownCalls.has(call) ? [] : [{ call, was: message.tool_calls?.[index] }],
      ),
    );
    const counts = await this.countTexts(
      unknown.flatMap(({ call: { function: called }, was }) => [
        called.name,
        was === undefined ? called.arguments : likeness(called.arguments, was.function.arguments, was),
      ]),
    );
    for (const [index, { call }] of unknown.entries()) {
      this.knownCalls.set(call, (counts[2 * index] ?? 0) + (counts[2 * index + 1] ?? 0));
    }
  }

  /** The way of counting: two meters with the same one count alike. Undefined if the vocabulary has no name. */
  get counting(): string | undefined {
    const { vocabulary, imageRule, countsReasoning } = this;
    return vocabulary === undefined ? undefined : JSON.stringify([vocabulary, imageRule, countsReasoning]);
  }

  /**
   * Everything of a message that its usage depends on: a heading, and the texts that follow it. The heading holds their
   * lengths, so that put together they mean one thing.
   */
  countedOf(message: Message): readonly string[] {
    const texts = this.textsOf(message);
    const lengths = texts.map(({ kind, text }) => `${kind}:${text.length}`);
    const heading = [kindOf(message), this.countImages(message.content), ...lengths].join(' ');
    return [`${heading}\n`, ...texts.map(({ text }) => text)];
  }

  /** Usage of a message that was counted already. */
  knownUsage(message: Message): Usage | undefined {
    return this.known.get(message);
  }

  /** Takes over the usage of a message that the same encoding and the same rule for images had counted elsewhere. */
  learn(message: Message, usage: Usage): void {
    this.known.set(message, usage);
  }

  /**
   * Usage of all messages together. Only those are added and taken away in which they differ from the messages that
   * were asked about last: a view grows at its end.
   */
  async measure(messages: readonly Message[]): Promise<Usage> {
    const [first] = messages;
    if (first === undefined) return emptyUsage;
    const last = this.lastSums.get(first) ?? this.earlierSums?.get(first);
    const same = last === undefined ? 0 : sharedLength(last.messages, messages);
    const usage =
      last === undefined || 2 * same < messages.length
        ? sum(await this.measureEach(messages))
        : difference(
            sum([last.usage, ...(await this.measureEach(messages.slice(same)))]),
            await this.measureEach(last.messages.slice(same)),
          );
    // A copy: an array that is still growing is another one later.
    this.lastSums.set(first, { messages: messages.slice(), usage });
    return usage;
  }

  /**
   * Usage of the tool schemas that go with every request, as the JSON they are sent as. Kept as long as the array,
   * which is asked about before each call and changes seldom.
   */
  async measureTools(tools: readonly ToolSchema[]): Promise<Usage> {
    if (tools.length === 0) return emptyUsage;
    const known = this.knownTools.get(tools);
    if (known !== undefined) return known;
    const usage = usageOf({ tools: await this.countText(JSON.stringify(tools)) });
    this.knownTools.set(tools, usage);
    return usage;
  }

  /** Tokens of an image, by the rule of the model. */
  countImage(part: ContentPart): number {
    return imageTokensOf(part, this.imageRule);
  }

  async countText(text: string): Promise<number> {
    const [count = 0] = await this.counter.count([text]);
    return count;
  }

  /** @returns tokens of each text, in the order given */
  async countTexts(texts: readonly (string | CutOf)[]): Promise<readonly number[]> {
    const cuts = texts.filter((text) => typeof text !== 'string');
    const ofCuts = cuts.length === 0 ? [] : await this.counter.countCuts?.(cuts);
    if (ofCuts === undefined || cuts.length === 0) {
      return texts.length === 0 ? [] : this.counter.count(texts.map(writtenOut));
    }
    const others = texts.filter((text) => typeof text === 'string');
    const ofOthers = others.length === 0 ? [] : await this.counter.count(others);
    let [nextCut, nextOther] = [0, 0];
    return texts.map((text) => (typeof text === 'string' ? ofOthers[nextOther++] : ofCuts[nextCut++]) ?? 0);
  }

  /** A counter of a text that arrives in parts; undefined if there is none for the vocabulary. */
  async running(): Promise<PartCounter | undefined> {
    return this.counter.running?.();
  }

  private countImages(content: Content): number {
    return imageParts(content).reduce((total, part) => total + this.countImage(part), 0);
  }

  private textsOf(message: Message): readonly CountedText[] {
    const isSent = this.countsReasoning || message.reasoningItems !== undefined;
    const own = kindOf(message);
    const texts: CountedText[] = contentTexts(message.content).map((text) => ({ kind: own, text }));
    if (message.reasoning !== undefined && isSent) {
      texts.push({ kind: 'reasoning', text: message.reasoning });
    }
    for (const { function: called } of message.tool_calls ?? []) {
      texts.push({ kind: 'toolCall', text: called.name }, { kind: 'toolCall', text: called.arguments });
    }
    return texts.filter(({ text }) => text !== '');
  }
}

function newTexts({ message, content, cut }: TextChange): readonly (string | CutOf)[] {
  if (cut !== undefined) return [cut];
  if (content === undefined) return [];
  if (typeof content === 'string' && typeof message.content === 'string' && content !== '') {
    return [likeness(content, message.content, message)];
  }
  return contentTexts(content).filter((text) => text !== '');
}

/** Characters of a text from which on it pays to find out how far it goes on like another one. */
const shortestCompared = 500;

/** A text as a cut of another one with which it shares its beginning and its end. */
function likeness(text: string, whole: string, owner: object): string | CutOf {
  if (text.length < shortestCompared || text.length >= whole.length) return text;
  let head = 0;
  while (head < text.length && text.charCodeAt(head) === whole.charCodeAt(head)) head++;
  let end = text.length;
  let tail = whole.length;
  while (end > head && text.charCodeAt(end - 1) === whole.charCodeAt(tail - 1)) {
    end--;
    tail--;
  }
  // A text of its own is counted sooner without the other one.
  return head + text.length - end < text.length / 2
    ? text
    : { whole, head, tail, middle: text.slice(head, end), owner };
}

function writtenOut(text: string | CutOf): string {
  return typeof text === 'string' ? text : textOfCut(text);
}

/** Adds up usages. */
export function sum(usages: readonly Usage[]): Usage {
  const total = { ...noTokens };
  for (const usage of usages) for (const [kind, tokens] of spentOf(usage)) total[kind] += tokens;
  return usageOf(total);
}

/** The kinds that a usage has tokens of: most messages have one or two. */
const spentOf = remembered((usage: Usage): readonly (readonly [Kind, number])[] =>
  kinds.flatMap((kind) => (usage.byKind[kind] === 0 ? [] : [[kind, usage.byKind[kind]] as const])),
);

/** A usage without others that are part of it. */
export function difference(usage: Usage, without: readonly Usage[]): Usage {
  const rest = { ...usage.byKind };
  for (const less of without) for (const [kind, tokens] of spentOf(less)) rest[kind] -= tokens;
  return usageOf(rest);
}

/** Number of messages with which both begin. */
function sharedLength(some: readonly Message[], others: readonly Message[]): number {
  const most = Math.min(some.length, others.length);
  for (let index = 0; index < most; index++) if (some[index] !== others[index]) return index;
  return most;
}

function usageOf(spent: Partial<Record<Kind, number>>): Usage {
  // Records that all have the same fields in the same order are read fastest, and there are as many as messages.
  const byKind = { ...noTokens, ...spent };
  return { total: kinds.reduce((total, kind) => total + byKind[kind], 0), byKind };
}

function contentTexts(content: Content): readonly string[] {
  if (content === null) return [];
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => (part.text === undefined ? [] : [part.text]));
}
