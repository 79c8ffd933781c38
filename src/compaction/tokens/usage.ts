import {
  kindOf,
  kinds,
  type Content,
  type ContentPart,
  type Kind,
  type Message,
  type ToolSchema,
} from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { imageParts } from '../images/image-part.ts';
import { defaultImageRule, type ImageRule, imageTokensOf } from '../images/image-tokens.ts';

/** Tokens by what they are for. `total` is exactly the sum of `byKind`. */
export interface Usage {
  readonly total: number;
  readonly byKind: Readonly<Record<Kind, number>>;
}

/** Counts texts. Asynchronous, because a long text is counted on another thread if there is one. */
export interface TextCounter {
  /** @returns tokens of each text, in the order given */
  count(texts: readonly string[]): Promise<readonly number[]>;
  /**
   * A counter of one text that arrives in parts, on this thread. Undefined, like the function, where there is none for
   * the encoding.
   */
  running?(): Promise<PartCounter | undefined>;
}

/** Counts a text that arrives in parts; what a part costs does not depend on those before it. */
export interface PartCounter {
  add(part: string): void;
  /** Tokens of all parts, as if nothing followed. */
  total(): number;
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

interface Sum {
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

export interface MeterOptions {
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
    const meter = new UsageMeter(rememberingTexts(this.counter), { countsReasoning, imageRule, vocabulary });
    [meter.known, meter.knownTools] = [this.known, this.knownTools];
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
    const last = this.lastSums.get(first);
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
  countTexts(texts: readonly string[]): Promise<readonly number[]> {
    return texts.length === 0 ? Promise.resolve([]) : this.counter.count(texts);
  }

  /** A counter of a text that arrives in parts; undefined if there is none for the vocabulary. */
  async running(): Promise<PartCounter | undefined> {
    return this.counter.running?.();
  }

  private countImages(content: Content): number {
    return imageParts(content).reduce((total, part) => total + this.countImage(part), 0);
  }

  private textsOf(message: Message): readonly CountedText[] {
    const own = kindOf(message);
    const texts: CountedText[] = contentTexts(message.content).map((text) => ({ kind: own, text }));
    const isSent = this.countsReasoning || message.reasoningItems !== undefined;
    if (message.reasoning !== undefined && isSent) {
      texts.push({ kind: 'reasoning', text: message.reasoning });
    }
    for (const { function: called } of message.tool_calls ?? []) {
      texts.push({ kind: 'toolCall', text: called.name }, { kind: 'toolCall', text: called.arguments });
    }
    return texts.filter(({ text }) => text !== '');
  }
}

function rememberingTexts(counter: TextCounter): TextCounter {
  const known = new Map<string, number>();
  return {
    async count(texts) {
      const unknown = [...new Set(texts.filter((text) => !known.has(text)))];
      const counts = unknown.length === 0 ? [] : await counter.count(unknown);
      for (const [index, text] of unknown.entries()) known.set(text, counts[index] ?? 0);
      return texts.map((text) => known.get(text) ?? 0);
    },
  };
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
function difference(usage: Usage, without: readonly Usage[]): Usage {
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
