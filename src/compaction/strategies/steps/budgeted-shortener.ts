import { strategySentences } from '../../../language/english/strategies-english.ts';
import type { Phrase } from '../../records/record.ts';
import type { AllocationGroup } from '../../budget/budget.ts';
import { blocksOf, callsByResult } from '../../messages/exchange.ts';
import { factsOfCall } from '../../ledger/call-facts.ts';
import { isSystem, isPrompt, type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { withoutEnd } from '../../text/clip.ts';
import { memoised, memoisedByList } from '../../messages/memoise.ts';
import { isShortened, referenceTo } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import { wordFinder, wordsOf } from '../../text/words.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import { WorkingView } from '../contract/working-view.ts';
import { clipCallArguments } from './argument-clips.ts';
import { clipTexts } from './message-clips.ts';
import { hideStale, type OldResult, resultsBefore } from './old-results.ts';
import { tailByReplies } from './tail.ts';

/** Size above which old texts and arguments are clipped, and size after clipping, in tokens. */
const clipSizes = { over: 300, to: 100 } as const;

const fixedParts = {
  system: strategySentences.say('systemPartName'),
  tools: strategySentences.say('toolsPartName'),
} as const;

type Step = 'toolOutput' | 'documents' | 'conversation' | 'repeated';

interface AllotmentOptions {
  readonly allocation: Readonly<Record<AllocationGroup, number>>;
  readonly protectTurns: number;
}

export interface Stage {
  readonly newest: number;
  readonly importance: number;
  readonly toShare: boolean;
}

export class BudgetedShortener {
  readonly working: WorkingView;
  private readonly input: StrategyInput<unknown>;
  private readonly aim: number;
  private readonly options: AllotmentOptions;
  private readonly meter: UsageMeter;
  private readonly documents: ReadonlySet<string>;
  private readonly current: Current;
  private readonly stays: ReadonlySet<string>;

  constructor(input: StrategyInput<unknown>, aim: number, options: AllotmentOptions, meter: UsageMeter) {
    const { view, protectedIds } = input;
    this.input = input;
    this.aim = aim;
    this.options = options;
    this.meter = meter;
    this.working = new WorkingView(input, meter);
    this.documents = documentsOf(view);
    this.current = currentOf(view, tailByReplies(view, options.protectTurns));
    const task = view.find(isPrompt);
    this.stays = new Set(task === undefined ? protectedIds : [...protectedIds, task.id]);
  }

  async shorten(step: Step, { newest, importance, toShare }: Stage): Promise<void> {
    const until = await this.limit(step, toShare);
    if (this.working.tokens <= until) return;
    const end = tailByReplies(this.working.messages, newest);
    switch (step) {
      case 'toolOutput':
        await this.hide(await this.oldOutput(end), strategySentences.say('oldToolOutput'), until);
        break;
      case 'documents':
        await this.hide(await this.oldDocuments(end, importance), strategySentences.say('irrelevant'), until);
        break;
      case 'conversation':
        await this.dropUnimportant(end, importance, until);
        if (this.working.tokens > until) await this.clipConversation(end, until);
        break;
      case 'repeated':
        await this.hideRepeated(end);
    }
  }

  /** Returns warnings about parts that exceed their share and cannot be shortened. */
  async warnings(): Promise<readonly Phrase[]> {
    const sizes = await this.sizes();
    return (['system', 'tools'] as const)
      .filter((part) => sizes[part] > this.shareOf(part))
      .map((part) =>
        strategySentences.say('overShare', {
          part: fixedParts[part],
          tokens: sizes[part],
          share: this.shareOf(part),
        }),
      );
  }

  private sizes(): Promise<Readonly<Record<AllocationGroup, number>>> {
    return sizesByPart(this.working.messages, this.input.toolTokens, this.documents, this.meter);
  }

  private shareOf(part: AllocationGroup): number {
    return Math.floor((this.aim * this.options.allocation[part]) / 100);
  }

  private async limit(step: Step, toShare: boolean): Promise<number> {
    if (!toShare) return this.aim;
    // Repeated content has no share, so no more is hidden to reach a share.
    if (step === 'repeated') return this.working.tokens;
    const excess = (await this.sizes())[step] - this.shareOf(step);
    return Math.max(this.aim, this.working.tokens - Math.max(0, excess));
  }

  private results(end: number): Promise<readonly OldResult[]> {
    return resultsBefore({ view: this.working.messages, protectedIds: this.stays }, end, this.meter);
  }

  private async oldOutput(end: number): Promise<readonly OldResult[]> {
    return (await this.results(end)).filter(({ result }) => !this.documents.has(result.id));
  }

  private async oldDocuments(end: number, importance: number): Promise<readonly OldResult[]> {
    return (await this.results(end))
      .filter(({ result }) => this.documents.has(result.id))
      .map((document) => {
        const { result, call } = document;
        const calls = call === undefined ? [] : [call];
        return { document, relevance: relevanceOf(result, calls, this.current) };
      })
      .filter(({ relevance }) => relevance < importance)
      .toSorted((one, other) => one.relevance - other.relevance)
      .map(({ document }) => document);
  }

  private async hide(results: readonly OldResult[], reason: Phrase, until: number): Promise<void> {
    const rewrites = results.map(({ result: { id }, tool, tokens }) => {
      return { kind: 'offload' as const, id, content: referenceTo(id, tool, tokens), reason };
    });
    await this.working.rewrite(rewrites, until);
  }

  /** Drops old blocks of little relevance. Typed messages and summaries always stay. */
  private async dropUnimportant(end: number, importance: number, until: number): Promise<void> {
    const sizes = await this.working.sizes();
    const leaving: string[] = [];
    let size = this.working.tokens;
    for (const block of this.blocksBefore(end)) {
      if (size <= until) break;
      const stays = block.some(
        (message) => this.stays.has(message.id) || isPrompt(message) || message.kind === 'summary',
      );
      if (stays || this.relevanceOf(block[0]) >= importance) continue;
      for (const { id } of block) {
        leaving.push(id);
        size -= sizes.get(id) ?? 0;
      }
    }
    await this.working.drop(leaving, strategySentences.say('oldAndIrrelevant'));
  }

  private async clipConversation(end: number, until: number): Promise<void> {
    const { working, meter } = this;
    const old = this.blocksBefore(Math.min(end, working.messages.length))
      .map(([message]) => message)
      .filter((message) => message !== undefined)
      .filter(
        (message) => !this.stays.has(message.id) && !isShortened(message) && message.kind !== 'summary',
      );
    const texts = await clipTexts(old, clipSizes, strategySentences.say('oldMessage'), meter);
    const calls = await clipCallArguments(old, clipSizes, strategySentences.say('oldArguments'), meter);
    await working.rewrite([...texts, ...calls], until);
  }

  /** Hides repeated results. The newest replies are protected. */
  private async hideRepeated(end: number): Promise<void> {
    const newest = this.working.messages.slice(end).map(({ id }) => id);
    await hideStale({ protectedIds: new Set([...this.stays, ...newest]) }, this.working, this.meter);
  }

  private blocksBefore(end: number): readonly (readonly Message[])[] {
    const view = this.working.messages;
    return blocksOf(view)
      .filter((block) => block.end <= end)
      .map((block) => view.slice(block.start, block.end));
  }

  /** Returns the relevance of a block: 1 for shortened text, so that the next compaction does not remove it. */
  private relevanceOf(message: Message | undefined): number {
    if (message === undefined) return 0;
    if (isShortened(message)) return 1;
    return relevanceOf(message, message.tool_calls ?? [], this.current);
  }
}

/** Returns the ids of results that are documents: output of calls that only read files. */
function documentsOf(view: readonly Message[]): ReadonlySet<string> {
  const documents = new Set<string>();
  for (const [id, call] of callsByResult(view)) {
    const { filesRead, filesModified, commands, identifiers, searched } = factsOfCall(call);
    const doesMore = [filesModified, commands, identifiers, searched].some(({ length }) => length > 0);
    if (filesRead.length > 0 && !doesMore) documents.add(id);
  }
  return documents;
}

async function sizesByPart(
  view: readonly Message[],
  toolTokens: number,
  documents: ReadonlySet<string>,
  meter: UsageMeter,
): Promise<Readonly<Record<AllocationGroup, number>>> {
  const usages = await meter.measureEach(view);
  const sizes = { system: 0, tools: toolTokens, conversation: 0, toolOutput: 0, documents: 0 };
  view.forEach((message, index) => {
    sizes[partOf(message, documents)] += usages[index]?.total ?? 0;
  });
  return sizes;
}

function partOf(message: Message, documents: ReadonlySet<string>): AllocationGroup {
  if (message.role === 'tool') return documents.has(message.id) ? 'documents' : 'toolOutput';
  return isSystem(message) || message.kind === 'memory' ? 'system' : 'conversation';
}

const searchedCharacters = 20_000;
/** Minimum number of characters of a word used to compare texts. */
const shortestWord = 3;

interface RequestWords {
  readonly count: number;
  readonly inMessage: (message: Message) => ReadonlySet<string>;
  readonly inCall: (call: ToolCall) => ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Words of the requests. Matches are cached, because a long turn is compacted repeatedly. */
const wordsOfRequests: (requests: readonly Message[]) => RequestWords = memoisedByList((requests) => {
  const words = new Set(wordsOf(textOfRequests(requests), shortestWord));
  const find = wordFinder(words, shortestWord);
  const foundIn = (text: string) => {
    const found = find(text.slice(0, searchedCharacters));
    return found.size === 0 ? none : found;
  };
  return {
    count: words.size,
    inMessage: memoised(({ content }: Message) => foundIn(textOf(content))),
    inCall: memoised((call: ToolCall) => foundIn(call.function.arguments)),
  };
});

function textOfRequests(requests: readonly Message[]): string {
  return requests.map(({ content }) => textOf(content).slice(0, searchedCharacters)).join('\n');
}

interface Current {
  readonly words: RequestWords;
  /** Text of the first and newest requests and of the newest replies, searched for file names. */
  readonly text: string;
}

/** Describes the current work. The newest replies begin at `start`. */
function currentOf(view: readonly Message[], start: number): Current {
  const asked = view.filter(isPrompt);
  const requests = [...new Set([...asked.slice(0, 1), ...asked.slice(-1)])];
  const doing = view
    .slice(start)
    .flatMap(({ role, content, tool_calls: calls = [] }) => [
      ...(role === 'assistant' ? [textOf(content).slice(0, searchedCharacters)] : []),
      ...calls.map((call) => call.function.arguments.slice(0, searchedCharacters)),
    ]);
  return { words: wordsOfRequests(requests), text: [textOfRequests(requests), ...doing].join('\n') };
}

/**
 * Returns a relevance from 0 to 1: 1 for calls that changed a file or read a file that is named now; otherwise the
 * share of the requests' words that the message and its calls contain.
 */
function relevanceOf(message: Message, calls: readonly ToolCall[], { words, text }: Current): number {
  if (words.count === 0) return 1;
  const facts = calls.map(factsOfCall);
  if (facts.some(({ filesModified }) => filesModified.length > 0)) return 1;
  if (facts.some(({ filesRead }) => filesRead.some((path) => text.includes(nameOf(path))))) return 1;
  const shared = new Set(
    [words.inMessage(message), ...calls.map(words.inCall)].flatMap((found) => [...found]),
  );
  return shared.size / words.count;
}

function nameOf(path: string): string {
  return withoutEnd(path, '/').split('/').at(-1) ?? path;
}
