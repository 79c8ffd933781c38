import type { AllocationGroup } from '../budget/allocation.ts';
import { blocksOf } from '../exchange.ts';
import { isTyped, textOf, type Message } from '../message.ts';
import { isShortened, referenceTo } from '../placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { documentsOf, sizesByPart } from './allocation.ts';
import { resultsBefore, type OldResult } from './old-results.ts';
import { currentOf, relevanceOf, type Current } from './relevance.ts';
import { startOfNewestReplies } from './replies.ts';
import { hideStale } from './stale-hiding.ts';
import type { StrategyInput } from './strategy.ts';
import { clipCallArguments, clipTexts } from './text-clips.ts';
import { WorkingView } from './working-view.ts';
import type { Phrase } from '../record.ts';

/** From which size on old texts and arguments are clipped, and to which, in tokens. */
const clipSizes = { over: 300, to: 100 } as const;

const fixedParts = { system: 'System messages and memory', tools: 'Tool schemas' } as const;

export type Step = 'toolOutput' | 'documents' | 'conversation' | 'repeated';

export interface AllotmentOptions {
  /** Percent of the size to come down to. */
  readonly allocation: Readonly<Record<AllocationGroup, number>>;
  readonly protectTurns: number;
}

/** How far to go at one time. */
export interface Stage {
  /** Newest replies that are left alone. */
  readonly newest: number;
  /** Relevance under which something leaves, from 0 to 1. */
  readonly importance: number;
  /** Stops where a part takes no more than its share. */
  readonly toShare: boolean;
}

/** A view that is being brought down to a size, part by part. */
export class Allotment {
  readonly working: WorkingView;
  private readonly input: StrategyInput<unknown>;
  private readonly aim: number;
  private readonly options: AllotmentOptions;
  private readonly meter: UsageMeter;
  private readonly documents: ReadonlySet<string>;
  private readonly current: Current;
  /** Protected messages and the task. */
  private readonly stays: ReadonlySet<string>;

  /** @param aim size to come down to, in tokens */
  constructor(input: StrategyInput<unknown>, aim: number, options: AllotmentOptions, meter: UsageMeter) {
    const { view, protectedIds } = input;
    this.input = input;
    this.aim = aim;
    this.options = options;
    this.meter = meter;
    this.working = new WorkingView(input, meter);
    this.documents = documentsOf(view);
    this.current = currentOf(view, startOfNewestReplies(view, options.protectTurns));
    const task = view.find(isTyped);
    this.stays = new Set(task === undefined ? protectedIds : [...protectedIds, task.id]);
  }

  /** Shortens one part, oldest first, until the view has the size to come down to. */
  async shorten(step: Step, { newest, importance, toShare }: Stage): Promise<void> {
    const until = await this.limit(step, toShare);
    if (this.working.tokens <= until) return;
    const end = startOfNewestReplies(this.working.messages, newest);
    switch (step) {
      case 'toolOutput':
        await this.hide(await this.oldOutput(end), 'old tool output', until);
        break;
      case 'documents':
        await this.hide(await this.oldDocuments(end, importance), 'has little to do with the task', until);
        break;
      case 'conversation':
        await this.dropUnimportant(end, importance, until);
        await this.clipConversation(end, until);
        break;
      case 'repeated':
        await this.hideRepeated(end);
    }
  }

  /** Parts that nothing can shorten, where they take more than their share. */
  async warnings(): Promise<readonly Phrase[]> {
    const sizes = await this.sizes();
    return (['system', 'tools'] as const)
      .filter((part) => sizes[part] > this.shareOf(part))
      .map((part) => `${fixedParts[part]} take ${sizes[part]} tokens; their share is ${this.shareOf(part)}.`);
  }

  private sizes(): Promise<Readonly<Record<AllocationGroup, number>>> {
    return sizesByPart(this.working.messages, this.input.toolTokens, this.documents, this.meter);
  }

  /** Tokens that a part should take at most. */
  private shareOf(part: AllocationGroup): number {
    return Math.floor((this.aim * this.options.allocation[part]) / 100);
  }

  private async limit(step: Step, toShare: boolean): Promise<number> {
    if (!toShare) return this.aim;
    // What comes twice is no part of its own.
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

  /** Least relevant first. */
  private async oldDocuments(end: number, importance: number): Promise<readonly OldResult[]> {
    return (await this.results(end))
      .filter(({ result }) => this.documents.has(result.id))
      .map((document) => {
        const { result, call } = document;
        const calls = call === undefined ? [] : [call];
        return { document, relevance: relevanceOf(calls, textOf(result.content), this.current) };
      })
      .filter(({ relevance }) => relevance < importance)
      .toSorted((one, other) => one.relevance - other.relevance)
      .map(({ document }) => document);
  }

  private async hide(results: readonly OldResult[], reason: string, until: number): Promise<void> {
    const rewrites = results.map(({ result: { id }, tool, tokens }) => {
      return { kind: 'offload' as const, id, content: referenceTo(id, tool, tokens), reason };
    });
    await this.working.rewrite(rewrites, until);
  }

  /** What a person typed and what was summarised is important in any case. */
  private async dropUnimportant(end: number, importance: number, until: number): Promise<void> {
    const sizes = await this.working.sizes();
    const leaving: string[] = [];
    let size = this.working.tokens;
    for (const block of this.blocksBefore(end)) {
      if (size <= until) break;
      const stays = block.some(
        (message) => this.stays.has(message.id) || isTyped(message) || message.kind === 'summary',
      );
      if (stays || this.relevanceOf(block[0]) >= importance) continue;
      for (const { id } of block) {
        leaving.push(id);
        size -= sizes.get(id) ?? 0;
      }
    }
    await this.working.drop(leaving, 'old, and has little to do with the task');
  }

  private async clipConversation(end: number, until: number): Promise<void> {
    const { working, meter } = this;
    const old = this.blocksBefore(Math.min(end, working.messages.length))
      .map(([message]) => message)
      .filter((message) => message !== undefined)
      .filter(
        (message) => !this.stays.has(message.id) && !isShortened(message) && message.kind !== 'summary',
      );
    const texts = await clipTexts(old, clipSizes, 'old message', meter);
    const calls = await clipCallArguments(old, clipSizes, 'old call arguments', meter);
    await working.rewrite([...texts, ...calls], until);
  }

  /** The newest replies count as protected, so that nothing in them is hidden. */
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

  /**
   * Of what a block begins with. Its results do not count, nor does a text that was clipped: what was shortened in one
   * compaction would otherwise leave in the next.
   */
  private relevanceOf(message: Message | undefined): number {
    if (message === undefined) return 0;
    if (isShortened(message)) return 1;
    return relevanceOf(message.tool_calls ?? [], textOf(message.content), this.current);
  }
}
