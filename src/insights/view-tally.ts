import { interruptedResultText } from '../compaction/messages/exchange.ts';
import { isBlank, kinds, type Kind, type Message } from '../compaction/messages/message.ts';
import { emptyUsage, framingTokens, type Usage, type UsageMeter } from '../compaction/tokens/usage.ts';

/**
 * Tokens of a view by kind, kept up to date message by message: what `repairPairs` would leave out or put in is
 * left out and put in here, too, without looking at the whole view again.
 */
export class ViewTally {
  private readonly spent: Record<Kind, number> = { ...emptyUsage.byKind };
  /** Call id → for each unanswered call of that id, the request before which it was made, newest last. */
  private readonly open = new Map<string, number[]>();
  private unanswered = 0;
  private readonly standInTokens: number;

  private constructor(standInTokens: number) {
    this.standInTokens = standInTokens;
  }

  static async create(meter: UsageMeter): Promise<ViewTally> {
    return new ViewTally(framingTokens + (await meter.countText(interruptedResultText)));
  }

  /**
   * @param request number of requests sent so far
   * @returns whether the message changes what precedes it: a result that comes after a request was sent without it
   */
  append(message: Message, usage: Usage, request: number): boolean {
    if (message.role === 'tool') {
      const since = this.open.get(message.tool_call_id ?? '')?.pop();
      if (since === undefined) return false;
      this.unanswered--;
      this.add(usage);
      return since < request;
    }
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && isBlank(message.content)) return false;
    for (const { id } of calls) {
      const waiting = this.open.get(id);
      if (waiting === undefined) this.open.set(id, [request]);
      else waiting.push(request);
    }
    this.unanswered += calls.length;
    this.add(usage);
    return false;
  }

  /** Begins with an empty view. */
  clear(): void {
    for (const kind of kinds) this.spent[kind] = 0;
    this.open.clear();
    this.unanswered = 0;
  }

  /** Usage of the view as it is now, every call with its result or a stand-in for it. */
  get usage(): Usage {
    const byKind = { ...this.spent };
    byKind.toolResult += this.unanswered * this.standInTokens;
    return { total: kinds.reduce((total, kind) => total + byKind[kind], 0), byKind };
  }

  private add({ byKind }: Usage): void {
    for (const kind of kinds) this.spent[kind] += byKind[kind];
  }
}
