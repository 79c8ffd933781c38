import {
  kindOf,
  kinds,
  type Content,
  type ContentPart,
  type Kind,
  type Message,
  type ToolSchema,
} from '../messages/message.ts';
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
}

/**
 * Tokens of framing per message, the role and the delimiters: OpenAI's cookbook, "How to count tokens with tiktoken"
 * (`tokens_per_message`).
 */
export const framingTokens = 3;

export const emptyUsage: Usage = { total: 0, byKind: byKind({}) };

/** Text of a message that takes tokens, and its kind. */
interface CountedText {
  readonly kind: Kind;
  readonly text: string;
}

export interface MeterOptions {
  /**
   * True if all reasoning is counted; otherwise only what goes back to the model with its message, because the rest
   * takes no room.
   */
  readonly countsReasoning: boolean;
  /** The model's rule for images; GPT-4o's if not given. */
  readonly imageRule?: ImageRule;
}

/**
 * Counts messages: each once, in as few calls of the text counter as possible. What was counted is kept as long as
 * the message itself, so that asking again for a whole view costs an addition per message.
 */
export class UsageMeter {
  private readonly known = new WeakMap<Message, Usage>();
  private readonly knownTools = new WeakMap<readonly ToolSchema[], Usage>();
  private readonly counter: TextCounter;
  /** The model's rule for images. */
  readonly imageRule: ImageRule;
  private readonly countsReasoning: boolean;

  constructor(counter: TextCounter, { countsReasoning, imageRule = defaultImageRule }: MeterOptions) {
    this.counter = counter;
    this.countsReasoning = countsReasoning;
    this.imageRule = imageRule;
  }

  /** Usage of each message. */
  async measureEach(messages: readonly Message[]): Promise<readonly Usage[]> {
    const unknown = messages.filter((message) => !this.known.has(message));
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
    return messages.map((message) => this.known.get(message) ?? emptyUsage);
  }

  /** Usage of all messages together. */
  async measure(messages: readonly Message[]): Promise<Usage> {
    return sum(await this.measureEach(messages));
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

/** Adds up usages. */
export function sum(usages: readonly Usage[]): Usage {
  const total = byKind({});
  for (const usage of usages) for (const kind of kinds) total[kind] += usage.byKind[kind];
  return usageOf(total);
}

function usageOf(spent: Partial<Record<Kind, number>>): Usage {
  const complete = byKind(spent);
  return { total: kinds.reduce((total, kind) => total + complete[kind], 0), byKind: complete };
}

function byKind(spent: Partial<Record<Kind, number>>): Record<Kind, number> {
  return Object.fromEntries(kinds.map((kind) => [kind, spent[kind] ?? 0])) as Record<Kind, number>;
}

function contentTexts(content: Content): readonly string[] {
  if (content === null) return [];
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => (part.text === undefined ? [] : [part.text]));
}
