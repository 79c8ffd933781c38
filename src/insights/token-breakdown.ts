import { calledFunction } from '../compaction/ledger/called-function.ts';
import { callsByResult } from '../compaction/messages/exchange.ts';
import {
  type Kind,
  kindOf,
  type Message,
  type ToolCall,
  type ToolSchema,
} from '../compaction/messages/message.ts';
import { staleResults } from '../compaction/strategies/steps/old-results.ts';
import { isShortened } from '../compaction/text/placeholder.ts';
import { sum, type Usage, type UsageMeter } from '../compaction/tokens/usage.ts';
import { type ProtectedTokens, protectedTokensOf } from './protected-tokens.ts';
import { type HeldPart, heldParts, messageTitle, pathsOf } from './held-parts.ts';

/** The tokens of a view, by message, tool and file. All sizes are in tokens. */
export interface TokenBreakdown {
  /** Usage of the view and the tool schemas. */
  readonly usage: Usage;
  /** The view as groups of messages: the largest of each kind, largest first. */
  readonly parts: readonly HeldPart[];
  /** Messages, largest first. */
  readonly largest: readonly HeldMessage[];
  /** Tools, largest first. The calls of all tools add up to the kind `toolCall`, and the results to `toolResult`. */
  readonly tools: readonly HeldByTool[];
  /**
   * Files, largest first. Together, they never exceed all calls and results, because a call that names several files
   * divides its tokens among them.
   */
  readonly files: readonly HeldByFile[];
  /** Results of files that were read again later, and results that a later result repeats. */
  readonly stale: Share;
  /** Messages shortened by a compaction. */
  readonly shortened: Share;
  readonly protected: ProtectedTokens;
}

interface HeldMessage {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly tokens: number;
}

interface HeldByTool {
  readonly tool: string;
  readonly calls: number;
  readonly callTokens: number;
  readonly resultTokens: number;
}

interface HeldByFile {
  readonly path: string;
  /** Number of calls that name the file. */
  readonly calls: number;
  readonly tokens: number;
}

/** Number and tokens of a group of messages of the view. */
interface Share {
  readonly messages: number;
  readonly tokens: number;
}

export interface HeldView {
  readonly view: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly pins: ReadonlySet<string>;
  readonly protectFirst: boolean;
}

/** @param most maximum length of each list: messages, tools and files */
export async function breakDownTokens(
  held: HeldView,
  meter: UsageMeter,
  most: number,
): Promise<TokenBreakdown> {
  const { view } = held;
  const usages = await meter.measureEach(view);
  const tools = await meter.measureTools(held.tools);
  const totals = new Map(view.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
  const callOf = callsByResult(view);
  const uses = await usesOf(view, usages, callOf, meter);
  const stale = staleResults(view).map(({ id }) => id);
  return {
    usage: sum([tools, ...usages]),
    parts: heldParts({ view, usages, callOf, uses, stale: new Set(stale) }),
    largest: largestOf(view, totals, callOf, most),
    tools: byTool(uses).slice(0, most),
    files: byFile(uses).slice(0, most),
    stale: shareOf(stale, totals),
    shortened: shareOf(
      view.filter(isShortened).map(({ id }) => id),
      totals,
    ),
    protected: protectedTokensOf(view, usages, tools, held),
  };
}

/** A call and its result. */
interface Use {
  readonly call: ToolCall;
  readonly callTokens: number;
  readonly resultTokens: number;
}

/**
 * Sizes are cached, because calls are immutable and views share most of them. The meter caches only whole messages.
 */
const callSizes = new WeakMap<ToolCall, number>();

async function usesOf(
  view: readonly Message[],
  usages: readonly Usage[],
  callOf: ReadonlyMap<string, ToolCall>,
  meter: UsageMeter,
): Promise<readonly Use[]> {
  const uncounted: ToolCall[] = [];
  view.forEach(({ tool_calls: calls = [] }, index) => {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) callSizes.set(first, usages[index]?.byKind.toolCall ?? 0);
    else uncounted.push(...calls.filter((call) => !callSizes.has(call)));
  });
  const counts = await meter.countTexts(
    uncounted.flatMap(({ function: { name, arguments: input } }) => [name, input]),
  );
  uncounted.forEach((call, index) =>
    callSizes.set(call, (counts[2 * index] ?? 0) + (counts[2 * index + 1] ?? 0)),
  );

  const resultTokens = new Map<ToolCall, number>();
  view.forEach(({ id }, index) => {
    const call = callOf.get(id);
    if (call !== undefined) resultTokens.set(call, usages[index]?.total ?? 0);
  });
  return view
    .flatMap(({ tool_calls: calls = [] }) => calls)
    .map((call) => ({
      call,
      callTokens: callSizes.get(call) ?? 0,
      resultTokens: resultTokens.get(call) ?? 0,
    }));
}

function largestOf(
  view: readonly Message[],
  totals: ReadonlyMap<string, number>,
  callOf: ReadonlyMap<string, ToolCall>,
  most: number,
): readonly HeldMessage[] {
  const tokensOf = ({ id }: Message) => totals.get(id) ?? 0;
  return view
    .toSorted((one, other) => tokensOf(other) - tokensOf(one))
    .slice(0, most)
    .map((message) => ({
      id: message.id,
      kind: kindOf(message),
      title: messageTitle(message, callOf.get(message.id)),
      tokens: tokensOf(message),
    }));
}

function byTool(uses: readonly Use[]): readonly HeldByTool[] {
  const held = new Map<string, HeldByTool>();
  for (const { call, callTokens, resultTokens } of uses) {
    const tool = calledFunction(call.function).name;
    const known = held.get(tool) ?? { tool, calls: 0, callTokens: 0, resultTokens: 0 };
    held.set(tool, {
      tool,
      calls: known.calls + 1,
      callTokens: known.callTokens + callTokens,
      resultTokens: known.resultTokens + resultTokens,
    });
  }
  const tokensOf = (entry: HeldByTool) => entry.callTokens + entry.resultTokens;
  return [...held.values()].sort((one, other) => tokensOf(other) - tokensOf(one));
}

function byFile(uses: readonly Use[]): readonly HeldByFile[] {
  const held = new Map<string, HeldByFile>();
  for (const { call, callTokens, resultTokens } of uses) {
    const paths = pathsOf(call);
    const tokens = callTokens + resultTokens;
    paths.forEach((path, index) => {
      const known = held.get(path) ?? { path, calls: 0, tokens: 0 };
      // The first files get the remainder, so that the sum is exact.
      const share = Math.floor(tokens / paths.length) + (index < tokens % paths.length ? 1 : 0);
      held.set(path, { path, calls: known.calls + 1, tokens: known.tokens + share });
    });
  }
  return [...held.values()].sort((one, other) => other.tokens - one.tokens);
}

function shareOf(ids: readonly string[], totals: ReadonlyMap<string, number>): Share {
  return { messages: ids.length, tokens: ids.reduce((tokens, id) => tokens + (totals.get(id) ?? 0), 0) };
}
