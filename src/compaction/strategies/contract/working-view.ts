import type { Carried, CarriedText } from '../../messages/ledger.ts';
import type { Message, OpaqueItem } from '../../messages/message.ts';
import type { Plan, PlannedAction } from '../../records/plan.ts';
import { placeheld } from '../../messages/placeheld.ts';
import { indexById } from '../../messages/message-index.ts';
import type { TextChange, Usage, UsageMeter, Sizes } from '../../tokens/usage.ts';
import { type Rewrite, RewrittenMessage } from './rewrite.ts';
import type { StrategyInput } from './strategy.ts';
import type { Phrase } from '../../records/record.ts';

/** Minimum number of tokens that a placeholder has to save, because recalling the original costs a call. */
const leastSaving = 30;
/** Number of rewrites counted at once if a size has to be reached. Further rewrites might not be needed. */
const rewritesAtOnce = 100;

/** A view on which a strategy works in several steps. The plan names each message once. */
export class WorkingView {
  private current: readonly Message[];
  private size: number;
  private added = 0;
  private measured: { readonly messages: readonly Message[]; readonly sizes: Sizes } | undefined;
  private readonly meter: UsageMeter;
  /** Index of each message by id. Changes only when messages are removed. */
  private positions: ReadonlyMap<string, number> | undefined;
  private readonly rewritten = new Map<string, RewrittenMessage>();
  private readonly unwritten = new Set<string>();
  private readonly others: PlannedAction[] = [];
  /** Messages that were added. They get their ids later. */
  readonly brought: Message[] = [];

  constructor(input: Pick<StrategyInput<unknown>, 'view' | 'tokens'>, meter: UsageMeter) {
    this.current = input.view;
    this.size = input.tokens;
    this.meter = meter;
  }

  copy(): WorkingView {
    const copy = new WorkingView({ view: this.messages, tokens: this.size }, this.meter);
    copy.added = this.added;
    for (const [id, rewrite] of this.rewritten) copy.rewritten.set(id, rewrite);
    copy.others.push(...this.others);
    copy.brought.push(...this.brought);
    return copy;
  }

  /** The current messages without added messages. `tokens` includes added messages. */
  get messages(): readonly Message[] {
    this.write();
    return this.current;
  }

  private write(): void {
    if (this.unwritten.size === 0) return;
    const messages = [...this.current];
    for (const id of this.unwritten) {
      const position = this.positionOf(id);
      const rewritten = this.rewritten.get(id);
      if (position === undefined || rewritten === undefined) continue;
      const { message, usage } = rewritten;
      this.meter.learn(message, usage);
      messages[position] = message;
    }
    this.unwritten.clear();
    this.current = messages;
  }

  get tokens(): number {
    return this.size;
  }

  get addedTokens(): number {
    return this.added;
  }

  get isChanged(): boolean {
    return this.rewritten.size > 0 || this.others.length > 0;
  }

  async sizes(): Promise<Sizes> {
    const { messages } = this;
    if (this.measured?.messages !== messages) {
      const usages = await this.meter.measureEach(messages);
      const positions = (this.positions ??= indexById(messages));
      const sizes = { get: (id: string) => usages[positions.get(id) ?? -1]?.total };
      this.measured = { messages, sizes };
    }
    return this.measured.sizes;
  }

  /** Rewrites messages in order until enough is freed. Skips rewrites that save too little. @returns tokens freed */
  async rewrite(rewrites: readonly Rewrite[], until = 0): Promise<number> {
    const before = this.size;
    const together = new Map<string, Rewrite>();
    for (const rewrite of rewrites) {
      // A second rewrite of the same message continues from the first.
      if (together.has(rewrite.id) || (until > 0 && together.size === rewritesAtOnce)) {
        await this.rewriteTogether([...together.values()], until);
        together.clear();
        if (this.size <= until) return before - this.size;
      }
      together.set(rewrite.id, rewrite);
    }
    await this.rewriteTogether([...together.values()], until);
    return before - this.size;
  }

  private async rewriteTogether(rewrites: readonly Rewrite[], until: number): Promise<void> {
    const found: Rewrite[] = [];
    const messages: Message[] = [];
    for (const rewrite of rewrites) {
      const position = this.positionOf(rewrite.id);
      if (position === undefined) continue;
      found.push(rewrite);
      messages.push(this.rewritten.get(rewrite.id)?.original ?? this.current[position]!);
    }
    const usages = await this.meter.measureEach(messages);
    const withPlaceholder = found.map((rewrite, index) =>
      this.placeheldBy(rewrite, messages[index]!, usages[index]!),
    );
    const known = withPlaceholder.map((message) => message && this.meter.knownUsage(message));
    const open = found.flatMap(({ id, content, cut, toolCalls }, index): TextChange | [] => {
      if (known[index] !== undefined) return [];
      const usage = this.rewritten.get(id)?.usage ?? usages[index]!;
      return { message: messages[index]!, usage, content, cut, toolCalls };
    });
    const measured = (await this.meter.measureChanged(open)).values();
    for (const [index, rewrite] of found.entries()) {
      const usage = known[index] ?? measured.next().value!;
      const message = withPlaceholder[index];
      if (message !== undefined) this.meter.learn(message, usage);
      const earlier = this.rewritten.get(rewrite.id);
      const gain = (earlier?.usage ?? usages[index]!).total - usage.total;
      const least = rewrite.kind === 'clip' ? 1 : leastSaving;
      if (gain < least || this.size <= until) continue;
      const before = { message: messages[index]!, usage: usages[index]! };
      this.size -= gain;
      this.rewritten.set(rewrite.id, new RewrittenMessage(rewrite, before, earlier, usage));
      this.unwritten.add(rewrite.id);
    }
  }

  private placeheldBy({ id, kind, content }: Rewrite, message: Message, usage: Usage): Message | undefined {
    if (kind === 'clip' || typeof content !== 'string') return undefined;
    const originalTokens = this.rewritten.get(id)?.originalTokens ?? usage.total;
    return placeheld(message, kind, content, originalTokens);
  }

  private positionOf(id: string): number | undefined {
    this.positions ??= indexById(this.current);
    return this.positions.get(id);
  }

  /** Removes messages. Callers must pass whole exchanges. */
  async drop(ids: readonly string[], reason: Phrase): Promise<void> {
    if (ids.length === 0) return;
    await this.remove(ids);
    this.others.push({ kind: 'drop', ids, reason });
  }

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
    await this.add(text, carried);
  }

  /** Inserts a new message after a message that stays, or at the start of the view. */
  async insert(after: string | null, { text, carried }: CarriedText, reason: Phrase): Promise<void> {
    this.others.push({ kind: 'insert', after, text, carried, reason });
    await this.add(text, carried);
  }

  async apply(actions: readonly PlannedAction[]): Promise<void> {
    let together: Rewrite[] = [];
    for (const action of actions) {
      const rewrite = rewriteOf(action);
      if (rewrite !== undefined) {
        together.push(rewrite);
        continue;
      }
      await this.rewrite(together);
      together = [];
      if (action.kind === 'drop') await this.drop(action.ids, action.reason);
      else if (action.kind === 'summarise') await this.summarise(action.ids, action, action.reason);
      else if (action.kind === 'insert') await this.insert(action.after, action, action.reason);
    }
    await this.rewrite(together);
  }

  plan(more: Omit<Plan, 'actions'> = {}): Plan {
    this.write();
    const rewrites = Array.from(this.rewritten.values(), ({ action }) => action);
    return { actions: [...rewrites, ...this.others], ...more };
  }

  private async remove(ids: readonly string[]): Promise<void> {
    const leaving = new Set(ids);
    const { messages } = this;
    const gone = await this.meter.measureEach(messages.filter((message) => leaving.has(message.id)));
    this.current = messages.filter((message) => !leaving.has(message.id));
    this.positions = undefined;
    this.size -= gone.reduce((total, usage) => total + usage.total, 0);
    for (const id of ids) this.rewritten.delete(id);
  }

  private async add(text: string, carried?: Carried): Promise<void> {
    const message: Message = {
      role: 'user',
      content: text,
      id: '',
      origin: 'strategy',
      createdAt: '',
      kind: 'summary',
      ...(carried && { carried }),
    };
    this.brought.push(message);
    const { total } = await this.meter.measure([message]);
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
