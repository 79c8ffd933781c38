import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import type { Fields } from '../../reading/fields.ts';
import {
  type CountedContext,
  type Draft,
  type ForeignCompaction,
  type Imported,
  positive,
  toEntries,
} from '../../reading/transcript-format.ts';

/** A conversation in a file of Copilot's events: the session's or a sub-agent's. */
export class CopilotConversation {
  private drafts: Draft[] = [];
  private compactions: ForeignCompaction[] = [];
  /** Id of an event → number of messages before the event. */
  private readonly positions = new Map<unknown, number>();
  /** Reasoning that precedes the next reply. */
  private thought: string[] = [];
  private tokensBefore: number | undefined;
  /** Number of messages when a compaction began. The agent continues to work, so later messages are kept. */
  private begunAt: number | undefined;
  /** The program's own count, until the next report or compaction. */
  private context: CountedContext | undefined;
  private hasReport = false;
  /** Report on the request of the next reply, if the report precedes the reply. */
  private usageOfNext: ReportedUsage | undefined;

  get isEmpty(): boolean {
    return this.drafts.length === 0;
  }

  /** Returns the text of the first message that is not a system message. */
  get opening(): string | undefined {
    const said = this.drafts.find(({ chat }) => chat.role !== 'system');
    return textOfParts(said?.chat.content);
  }

  /** @param id the next event's id */
  mark(id: unknown): void {
    if (typeof id === 'string') this.positions.set(id, this.drafts.length);
  }

  say(draft: Draft): void {
    const usage = draft.origin === 'model' ? (draft.usage ?? this.usageOfNext) : undefined;
    this.usageOfNext = draft.origin === 'model' ? undefined : this.usageOfNext;
    this.drafts.push(usage === undefined ? draft : { ...draft, usage });
  }

  /** Adds instructions. Prompts and resumes repeat them; every request contains the latest version once. */
  system(content: unknown, createdAt: string | undefined): string | undefined {
    const text = textOfParts(content);
    if (text === undefined) return 'a system message has content.';
    if (text === '') return undefined;
    const chat = { role: 'system', content: text } as const;
    const index = this.drafts.findIndex((draft) => draft.chat.role === 'system');
    const before = this.drafts[index];
    if (before === undefined) this.say({ chat, origin: 'harness', createdAt });
    else if (before.chat.content !== text) this.drafts[index] = { ...before, chat };
    return undefined;
  }

  think(content: unknown): void {
    const text = textOfParts(content);
    if (text !== undefined && text !== '') this.thought.push(text);
  }

  /** @param own reasoning in the reply itself, which replaces the reasoning before it */
  thoughts(own: unknown): string[] {
    const before = this.thought;
    this.thought = [];
    return typeof own === 'string' && own !== '' ? [own] : before;
  }

  /** @param isLive true for a count while the program works. A count at its exit does not replace a report */
  count(tokens: unknown, isLive: boolean): void {
    if (typeof tokens !== 'number' || tokens <= 0 || (this.hasReport && !isLive)) return;
    this.hasReport ||= isLive;
    this.context = { tokens, beforeMessageIndex: this.drafts.length };
  }

  private reported(): void {
    this.hasReport = true;
    this.context = undefined;
  }

  /** Adds the tokens of the last reply's request. */
  usage(fields: Fields): void {
    const usage = usageIn(fields);
    if (usage !== undefined) this.reported();
    const index = this.drafts.findLastIndex(({ origin }) => origin === 'model');
    const draft = this.drafts[index];
    if (usage !== undefined && draft !== undefined && draft.usage === undefined) {
      this.drafts[index] = { ...draft, usage };
    }
  }

  /** Adds the tokens of a request. They belong to the last message if it is a reply, otherwise to the next reply. */
  usageOfRequest(fields: Fields): void {
    if (this.drafts.at(-1)?.origin === 'model') this.usage(fields);
    else {
      this.usageOfNext = usageIn(fields);
      if (this.usageOfNext !== undefined) this.reported();
    }
  }

  /** @param tokens number of tokens of the request before the compaction */
  startCompaction(tokens: unknown): void {
    this.tokensBefore = typeof tokens === 'number' ? tokens : undefined;
  }

  beginCompaction(): void {
    this.begunAt = this.drafts.length;
  }

  compacted(agent: string, data: Fields, createdAt: string | undefined): void {
    const { summaryContent, preCompactionTokens, trigger } = data;
    const tokensBefore = typeof preCompactionTokens === 'number' ? preCompactionTokens : this.tokensBefore;
    const position = this.drafts.length;
    const keptFromIndex = this.begunAt ?? position;
    // Copilot CLI keeps all typed text verbatim, before the summary.
    const alsoKept = this.drafts
      .slice(0, keptFromIndex)
      .flatMap(({ origin }, index) => (origin === 'person' ? [index] : []));
    this.tokensBefore = undefined;
    this.begunAt = undefined;
    this.usageOfNext = undefined;
    this.hasReport = false;
    this.context = undefined;
    this.count(tokensAfter(data), false);
    if (typeof summaryContent !== 'string') return;
    this.compactions.push({
      agent,
      beforeMessageIndex: position,
      summary: summaryContent,
      keptFromIndex: keptFromIndex < position ? keptFromIndex : undefined,
      alsoKept: agent === 'copilot-cli' ? alsoKept : undefined,
      trigger: trigger === 'manual' ? trigger : typeof trigger === 'string' ? 'automatic' : undefined,
      tokensBefore: positive(tokensBefore),
      createdAt,
    });
  }

  /**
   * Goes back to the state before an event.
   *
   * @param id id of the event; undefined for the beginning
   * @returns the conversation as it was before; undefined if no message was taken back
   */
  leaveFrom(id: unknown): CopilotConversation | undefined {
    const start = id === undefined ? 0 : this.positions.get(id);
    if (start === undefined || start >= this.drafts.length) return undefined;
    const left = new CopilotConversation();
    left.drafts = this.drafts;
    left.compactions = this.compactions;
    this.drafts = left.drafts.slice(0, start);
    this.compactions = left.compactions.filter(({ beforeMessageIndex }) => beforeMessageIndex <= start);
    if (this.context !== undefined && this.context.beforeMessageIndex > start) this.context = undefined;
    return left;
  }

  end(): Pick<Imported, 'entries' | 'compactions' | 'context'> {
    const { context, compactions } = this;
    return { entries: toEntries(this.drafts), compactions, context };
  }
}

/** Returns the tokens left after a compaction, as stated in its event, or undefined. */
export function tokensAfter({
  systemTokens,
  conversationTokens,
  toolDefinitionsTokens: tools,
}: Fields): number | undefined {
  if (typeof systemTokens !== 'number' || typeof conversationTokens !== 'number') return undefined;
  return systemTokens + conversationTokens + (typeof tools === 'number' ? tools : 0);
}

/** Reads the usage. The provider's input count includes cached tokens. */
function usageIn({
  inputTokens,
  outputTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: Fields): ReportedUsage | undefined {
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number' || inputTokens <= 0)
    return undefined;
  const cached = typeof cacheReadTokens === 'number' ? Math.min(cacheReadTokens, inputTokens) : undefined;
  return {
    inputTokens,
    outputTokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(typeof cacheWriteTokens === 'number' && {
      cacheWriteTokens: Math.min(cacheWriteTokens, inputTokens - (cached ?? 0)),
    }),
  };
}
