import type { CarriedText } from '../../messages/ledger.ts';
import {
  type Content,
  type Message,
  type OpaqueItem,
  textOf,
  type ToolCall,
  withoutOriginal,
} from '../../messages/message.ts';
import type { Plan, PlannedAction, PlannedClip, PlannedRewrite } from '../../records/plan.ts';
import { placeheld } from '../../messages/placeheld.ts';
import { positionsIn } from '../../messages/positions.ts';
import { sum, type UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from './strategy.ts';
import type { Phrase } from '../../records/record.ts';

/** Shorter text or arguments for one message. What is not given stays as it is. */
export interface Rewrite {
  /** `hide` and `offload` need a content: the placeholder. */
  readonly kind: 'hide' | 'offload' | 'clip';
  readonly id: string;
  readonly content?: Content;
  readonly toolCalls?: readonly ToolCall[];
  readonly reason: Phrase;
}

/**
 * A view while a strategy of several steps works on it. Each step sees what the steps before it left, and the plan at
 * the end says once for each message what became of it.
 */
export class WorkingView {
  private current: readonly Message[];
  private size: number;
  private added = 0;
  /** The sizes last asked for, with the messages that they are of. */
  private measured:
    { readonly messages: readonly Message[]; readonly sizes: ReadonlyMap<string, number> } | undefined;
  private readonly meter: UsageMeter;
  /** The rewrite of a message, by its id. */
  private readonly rewritten = new Map<string, PlannedRewrite | PlannedClip>();
  private readonly others: PlannedAction[] = [];

  constructor(input: Pick<StrategyInput<unknown>, 'view' | 'tokens'>, meter: UsageMeter) {
    this.current = input.view;
    this.size = input.tokens;
    this.meter = meter;
  }

  /** The same state once more, to try something on. */
  copy(): WorkingView {
    const copy = new WorkingView({ view: this.current, tokens: this.size }, this.meter);
    copy.added = this.added;
    for (const [id, rewrite] of this.rewritten) copy.rewritten.set(id, rewrite);
    copy.others.push(...this.others);
    return copy;
  }

  /** The messages as they stand now. New ones are not among them; their tokens count. */
  get messages(): readonly Message[] {
    return this.current;
  }

  /** Size as it stands now, tool schemas included. */
  get tokens(): number {
    return this.size;
  }

  /** Of these, the new messages, which are not among `messages`. */
  get addedTokens(): number {
    return this.added;
  }

  get isChanged(): boolean {
    return this.rewritten.size > 0 || this.others.length > 0;
  }

  /** Sizes of the messages as they stand, in tokens, by id. */
  async sizes(): Promise<ReadonlyMap<string, number>> {
    const messages = this.current;
    if (this.measured?.messages !== messages) {
      const usages = await this.meter.measureEach(messages);
      const sizes = new Map(messages.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
      this.measured = { messages, sizes };
    }
    return this.measured.sizes;
  }

  /**
   * Rewrites messages, in the order given; a rewrite that would not make its message smaller is left out.
   *
   * @param until with this size reached, in tokens, the rest is left out
   * @returns tokens freed
   */
  async rewrite(rewrites: readonly Rewrite[], until = 0): Promise<number> {
    if (rewrites.length === 0) return 0;
    const positions = positionsIn(this.current);
    const changes = rewrites.flatMap((rewrite) => {
      const position = positions.get(rewrite.id);
      const before = position === undefined ? undefined : this.current[position];
      return position === undefined || before === undefined ? [] : [{ rewrite, position, before }];
    });
    const sizesBefore = await this.meter.measureEach(changes.map(({ before }) => before));
    const changed = changes.map(({ rewrite, before }, index) => {
      const originalTokens = this.rewritten.get(before.id)?.originalTokens ?? sizesBefore[index]?.total ?? 0;
      return withRewrite(before, rewrite, originalTokens);
    });
    const sizesAfter = await this.meter.measureEach(changed);

    const messages = [...this.current];
    let freed = 0;
    changes.forEach(({ rewrite, position }, index) => {
      const gain = (sizesBefore[index]?.total ?? 0) - (sizesAfter[index]?.total ?? 0);
      const after = changed[index];
      if (gain <= 0 || after === undefined || this.size - freed <= until) return;
      messages[position] = after;
      freed += gain;
      this.rewritten.set(rewrite.id, this.planned(rewrite, after));
    });
    this.current = messages;
    this.size -= freed;
    return freed;
  }

  /** Takes messages out. Whole exchanges only, which is the caller's to see to. */
  async drop(ids: readonly string[], reason: Phrase): Promise<void> {
    if (ids.length === 0) return;
    await this.remove(ids);
    this.others.push({ kind: 'drop', ids, reason });
  }

  /** Takes messages out and one new one in. */
  async summarise(
    ids: readonly string[],
    { text, carried }: CarriedText,
    reason: Phrase,
    opaque?: OpaqueItem,
  ): Promise<void> {
    await this.remove(ids);
    this.others.push({
      kind: 'summarise',
      ids,
      text,
      carried,
      reason,
      ...(opaque === undefined ? {} : { opaque }),
    });
    await this.add(text);
  }

  /** Inserts a new message after one that stays, or at the start of the view. */
  async insert(after: string | null, text: string, reason: Phrase): Promise<void> {
    this.others.push({ kind: 'insert', after, text, reason });
    await this.add(text);
  }

  /** Does what a plan for the view as it stands says. */
  async apply(actions: readonly PlannedAction[]): Promise<void> {
    let together: Rewrite[] = [];
    const named = new Set<string>();
    for (const action of actions) {
      const rewrite = rewriteOf(action);
      // A message that is named again is rewritten as the first time left it.
      if (rewrite === undefined || named.has(rewrite.id)) {
        await this.rewrite(together);
        together = [];
      }
      if (rewrite !== undefined) {
        named.add(rewrite.id);
        together.push(rewrite);
      } else if (action.kind === 'drop') await this.drop(action.ids, action.reason);
      else if (action.kind === 'summarise') await this.summarise(action.ids, action, action.reason);
      else if (action.kind === 'insert') await this.insert(action.after, action.text, action.reason);
    }
    await this.rewrite(together);
  }

  /** Everything that was done. */
  plan(more: Omit<Plan, 'actions'> = {}): Plan {
    return { actions: [...this.rewritten.values(), ...this.others], ...more };
  }

  private planned({ kind, id, content, toolCalls, reason }: Rewrite, after: Message) {
    const originalTokens = after.truncation?.originalTokens ?? 0;
    if (kind !== 'clip') return { kind, id, placeholder: textOf(content ?? null), originalTokens, reason };
    // A message can be clipped twice, its text in one step and its arguments in another.
    const earlier = this.rewritten.get(id);
    const earlierContent = earlier?.kind === 'clip' ? earlier.content : earlier?.placeholder;
    const clippedContent = content ?? earlierContent;
    const clippedCalls = toolCalls ?? (earlier?.kind === 'clip' ? earlier.toolCalls : undefined);
    return {
      kind,
      id,
      ...(clippedContent === undefined ? {} : { content: clippedContent }),
      ...(clippedCalls === undefined ? {} : { toolCalls: clippedCalls }),
      originalTokens,
      reason,
    };
  }

  private async remove(ids: readonly string[]): Promise<void> {
    const leaving = new Set(ids);
    const { total } = sum(
      await this.meter.measureEach(this.current.filter((message) => leaving.has(message.id))),
    );
    this.current = this.current.filter((message) => !leaving.has(message.id));
    this.size -= total;
    for (const id of ids) this.rewritten.delete(id);
  }

  private async add(text: string): Promise<void> {
    const { total } = await this.meter.measure([
      { role: 'user', content: text, id: '', origin: 'strategy', createdAt: '', kind: 'summary' },
    ]);
    this.added += total;
    this.size += total;
  }
}

function rewriteOf(action: PlannedAction): Rewrite | undefined {
  if (action.kind === 'clip') return action;
  if (action.kind !== 'hide' && action.kind !== 'offload') return undefined;
  const { kind, id, placeholder: content, reason } = action;
  return { kind, id, content, reason };
}

function withRewrite(
  message: Message,
  { kind, content, toolCalls }: Rewrite,
  originalTokens: number,
): Message {
  if (kind !== 'clip' && typeof content === 'string' && toolCalls === undefined) {
    return placeheld(message, kind, content, originalTokens);
  }
  return {
    ...withoutOriginal(message),
    ...(content === undefined ? {} : { content }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    truncation: { fate: kind, originalTokens },
  };
}
