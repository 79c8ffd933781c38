import {
  kindOf,
  kinds,
  contentParts,
  type Content,
  type ContentPart,
  type Kind,
  type Message,
  type ToolCall,
  type ToolSchema,
  withContent,
} from '../messages/message.ts';
import { memoised, sharedLength } from '../messages/memoise.ts';
import { imageParts } from '../images/image-part.ts';
import type { CutOf } from '../text/known-cuts.ts';
import { type PartCounter, rememberingTexts, type TextCounter } from './token-counter.ts';
import { textOfCut } from '../text/clip.ts';
import { defaultImageRule, type ImageRule, imageTokensOf } from '../images/image-tokens.ts';

/** Tokens by purpose. `total` is exactly the sum of `byKind`. */
export interface Usage {
  readonly total: number;
  readonly byKind: Readonly<Record<Kind, number>>;
}

export interface Sizes {
  get(id: string): number | undefined;
}

export function sizeIn(messages: readonly Message[], sizes: Sizes): number {
  return messages.reduce((total, { id }) => total + (sizes.get(id) ?? 0), 0);
}

/** Tokens per message for role and delimiters (OpenAI's cookbook, `tokens_per_message`). */
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

interface CountedText {
  readonly kind: Kind;
  readonly text: string;
}

/** A change of a message's content or of its calls. Missing fields stay unchanged. */
export interface TextChange {
  readonly message: Message;
  /** Usage of the message, possibly after an earlier change. */
  readonly usage: Usage;
  readonly content?: Content | undefined;
  /** A cut of the message's text in place of `content`, if the message has only one text. */
  readonly cut?: CutOf | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
}

interface Sum {
  readonly messages: readonly Message[];
  readonly usage: Usage;
}

interface MeterOptions {
  /** True to count all reasoning. Otherwise only reasoning that is sent back with its message counts. */
  readonly countsReasoning: boolean;
  /** The model's rule for images; GPT-4o's by default. */
  readonly imageRule?: ImageRule;
  /** Name of the vocabulary, under which counts may be cached. */
  readonly vocabulary?: string | undefined;
}

/**
 * Counts each message once, with few calls to the text counter. A second count of a view only adds numbers.
 */
export class UsageMeter {
  private known = new WeakMap<Message, Usage>();
  /** First message → the messages of the last sum. */
  private readonly lastSums = new WeakMap<Message, Sum>();
  private earlierSums: WeakMap<Message, Sum> | undefined;
  private readonly shortTexts = new Map<string, number>();
  /** Tokens of a call: its name and its arguments. */
  private knownCalls = new WeakMap<ToolCall, number>();
  private knownTools = new WeakMap<readonly ToolSchema[], Usage>();
  private readonly counter: TextCounter;
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

  /** Returns a meter for one task that also caches texts, because a plan tries texts before it uses them. */
  remembering(): UsageMeter {
    const { countsReasoning, imageRule, vocabulary } = this;
    const counter = rememberingTexts(this.counter, this.shortTexts);
    const meter = new UsageMeter(counter, { countsReasoning, imageRule, vocabulary });
    [meter.known, meter.knownCalls, meter.knownTools] = [this.known, this.knownCalls, this.knownTools];
    meter.earlierSums = this.lastSums;
    return meter;
  }

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

  /** Measures messages after changes. Counts only changed texts, and long ones only where they differ. */
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
        for (const kind of ownKinds(message)) {
          total -= byKind[kind];
          byKind[kind] = 0;
        }
        byKind[own] = framingTokens + (content === undefined ? 0 : this.countImages(content));
        const parts = content === undefined ? [] : ownTexts(withContent(message, content));
        for (let text = 0; text < texts[index]!.length; text++)
          byKind[parts[text]?.kind ?? own] += counts[position++]!;
        for (const kind of ownKinds(message)) total += byKind[kind];
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

  /** Counts new calls. Most occur again, with the same message or shortened in the same way. */
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

  /**
   * Name of the counting method, equal for meters that count in the same way; undefined without a vocabulary.
   */
  get counting(): string | undefined {
    const { vocabulary, imageRule, countsReasoning } = this;
    return vocabulary === undefined ? undefined : JSON.stringify([vocabulary, imageRule, countsReasoning]);
  }

  /** Returns all texts that determine a message's usage, after a heading with their lengths. */
  countedOf(message: Message): readonly string[] {
    const texts = this.textsOf(message);
    const lengths = texts.map(({ kind, text }) => `${kind}:${text.length}`);
    const heading = [kindOf(message), this.countImages(message.content), ...lengths].join(' ');
    return [`${heading}\n`, ...texts.map(({ text }) => text)];
  }

  knownUsage(message: Message): Usage | undefined {
    return this.known.get(message);
  }

  /** Adopts the usage of a message that was counted elsewhere with the same encoding and image rule. */
  learn(message: Message, usage: Usage): void {
    this.known.set(message, usage);
  }

  /** Returns the usage of all messages together. Updates the last sum, because a view grows at its end. */
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
    // Copies the array, because it may grow later.
    this.lastSums.set(first, { messages: messages.slice(), usage });
    return usage;
  }

  /** Returns the usage of the tool schemas of every request, as JSON. Cached for the array. */
  async measureTools(tools: readonly ToolSchema[]): Promise<Usage> {
    if (tools.length === 0) return emptyUsage;
    const known = this.knownTools.get(tools);
    if (known !== undefined) return known;
    const usage = usageOf({ tools: await this.countText(JSON.stringify(tools.map(asDeclared))) });
    this.knownTools.set(tools, usage);
    return usage;
  }

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

  /** Creates a counter of a text that arrives in parts; undefined if the text counter cannot count parts. */
  async running(): Promise<PartCounter | undefined> {
    return this.counter.running?.();
  }

  private countImages(content: Content): number {
    return imageParts(content).reduce((total, part) => total + this.countImage(part), 0);
  }

  private textsOf(message: Message): readonly CountedText[] {
    const isSent = this.countsReasoning || message.reasoningItems !== undefined;
    const texts = ownTexts(message);
    if (message.reasoning !== undefined && isSent) {
      texts.push({ kind: 'reasoning', text: message.reasoning });
    }
    for (const { function: called } of message.tool_calls ?? []) {
      texts.push({ kind: 'toolCall', text: called.name }, { kind: 'toolCall', text: called.arguments });
    }
    return texts.filter(({ text }) => text !== '');
  }
}

/** Kinds that a message's own texts may have. */
function ownKinds(message: Message): readonly Kind[] {
  const own = kindOf(message);
  return own === 'user' && message.typed !== undefined ? [own, 'reminder'] : [own];
}

/** Returns the texts of a content that are not empty. Of a message that a user typed, an agent may have added some. */
function ownTexts(message: Message): CountedText[] {
  const texts = contentTexts(message.content);
  const [own, added] = ownKinds(message);
  const { typed = [] } = message;
  let start = 0;
  return texts
    .map((text) => {
      const [from, end] = [start, start + text.length];
      // Ranges count the line feeds between the texts.
      start = end + 1;
      const isTyped = texts.length < 2 || typed.some((range) => range.start < end && range.end > from);
      return { kind: (isTyped ? own : added) ?? own!, text };
    })
    .filter(({ text }) => text !== '');
}

function newTexts({ message, content, cut }: TextChange): readonly (string | CutOf)[] {
  if (cut !== undefined) return [cut];
  if (content === undefined) return [];
  if (typeof content === 'string' && typeof message.content === 'string' && content !== '') {
    return [likeness(content, message.content, message)];
  }
  return contentTexts(content).filter((text) => text !== '');
}

/** Minimum number of characters for which it is worthwhile to compare a text with a similar text. */
const shortestCompared = 500;

/** Expresses a text as a cut of another text with the same beginning and end. */
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
  // A text that is largely different is counted faster on its own.
  return head + text.length - end < text.length / 2
    ? text
    : { whole, head, tail, middle: text.slice(head, end), owner };
}

function writtenOut(text: string | CutOf): string {
  return typeof text === 'string' ? text : textOfCut(text);
}

export function sum(usages: readonly Usage[]): Usage {
  const total = { ...noTokens };
  for (const usage of usages) for (const [kind, tokens] of spentOf(usage)) total[kind] += tokens;
  return usageOf(total);
}

/** Returns the kinds with tokens in a usage. Most messages have one or two kinds. */
const spentOf = memoised((usage: Usage): readonly (readonly [Kind, number])[] =>
  kinds.flatMap((kind) => (usage.byKind[kind] === 0 ? [] : [[kind, usage.byKind[kind]] as const])),
);

export function difference(usage: Usage, without: readonly Usage[]): Usage {
  const rest = { ...usage.byKind };
  for (const less of without) for (const [kind, tokens] of spentOf(less)) rest[kind] -= tokens;
  return usageOf(rest);
}

function usageOf(spent: Partial<Record<Kind, number>>): Usage {
  // Objects with the same fields in the same order are read fastest, and every message has such an object.
  const byKind = { ...noTokens, ...spent };
  return { total: kinds.reduce((total, kind) => total + byKind[kind], 0), byKind };
}

function contentTexts(content: Content): readonly string[] {
  return contentParts(content).flatMap(({ text }) => text ?? []);
}

/** Returns a tool in the form in which the model's provider received it. */
function asDeclared(tool: ToolSchema): object {
  const {
    form,
    function: { parameters, ...named },
  } = tool;
  if (form === undefined) return tool;
  return { ...named, [form === 'messages' ? 'input_schema' : 'parametersJsonSchema']: parameters };
}
