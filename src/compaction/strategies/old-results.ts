import { blocksOf, callsByResult } from '../exchange.ts';
import { errorsIn } from '../ledger/result-facts.ts';
import { textOf, type Message, type ToolCall } from '../message.ts';
import { isShortened } from '../placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { startOfNewestTurns } from '../turn.ts';

/** Turns whose errors stay: what failed that recently is still being worked on. */
const turnsWithErrors = 3;
/** An error stays only up to this size, in tokens; a longer result is a log that happens to mention one. */
const largestKeptError = 1_000;

/** A tool result that may be shortened. */
export interface OldResult {
  readonly result: Message;
  readonly call: ToolCall | undefined;
  /** Name of the tool, for people. */
  readonly tool: string;
  readonly tokens: number;
}

/**
 * The tool results before a position that a strategy may shorten, oldest first: not those that are protected, were
 * shortened before, or are errors of the newest turns.
 *
 * @param end index in the view; the exchange that reaches over it stays whole
 */
export async function resultsBefore(
  { view, protectedIds }: { readonly view: readonly Message[]; readonly protectedIds: ReadonlySet<string> },
  end: number,
  meter: UsageMeter,
): Promise<readonly OldResult[]> {
  const calls = callsByResult(view);
  const recent = startOfNewestTurns(view, turnsWithErrors);
  const candidates = blocksOf(view)
    .filter((block) => block.isExchange && block.end <= end)
    .flatMap((block) =>
      view.slice(block.start + 1, block.end).map((result) => ({ result, isRecent: block.start >= recent })),
    )
    .filter(({ result }) => !protectedIds.has(result.id) && !isShortened(result));
  const sizes = await meter.measureEach(candidates.map(({ result }) => result));
  return candidates.flatMap(({ result, isRecent }, index): OldResult[] => {
    const tokens = sizes[index]?.total ?? 0;
    if (isRecent && tokens <= largestKeptError && isError(result)) return [];
    const call = calls.get(result.id);
    return [{ result, call, tool: call?.function.name ?? result.name ?? 'the tool', tokens }];
  });
}

function isError(result: Message): boolean {
  return result.isError === true || errorsIn(textOf(result.content)).length > 0;
}
