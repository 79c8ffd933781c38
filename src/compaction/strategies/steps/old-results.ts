import { calledFunction } from '../../ledger/called-function.ts';
import { tailByTurns } from './tail.ts';
import { strategySentences } from '../../../language/strategies-english.ts';
import { blocksOf, callsByResult } from '../../messages/exchange.ts';
import { factsOfCall } from '../../ledger/call-facts.ts';
import { errorsIn } from '../../ledger/result-facts.ts';
import { supersededIds } from '../../messages/protection.ts';
import { type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { parseShallow } from '../../text/parse-json.ts';
import { isShortened, referenceTo } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import type { WorkingView } from '../contract/working-view.ts';
import { toModel } from '../../../language/sentence.ts';

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
  const recent = tailByTurns(view, turnsWithErrors);
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

/** A tool result that something newer makes up for. */
export interface StaleResult {
  readonly id: string;
  /** The newer result. */
  readonly supersededBy: string;
  /** `superseded`: the same file was read again; `duplicate`: the same text comes again. */
  readonly reason: 'superseded' | 'duplicate';
}

/** Texts shorter than this, in characters, are alike by chance: "ok", an empty listing. */
const shortestDuplicate = 50;
const rangeKey =
  /^(?:offset|limit|lines?|range|view_range|start_?line|end_?line|line_?(?:start|end|number)|from|to)$/i;

/** Target of a reading call: a file, and which part of it. */
interface Reading {
  readonly tool: string;
  readonly path: string;
  /** The arguments that pick a part, as JSON; empty for the whole file. */
  readonly part: string;
}

/** The results that a newer one makes up for, in the order of the view. */
export function staleResults(view: readonly Message[]): readonly StaleResult[] {
  const calls = callsByResult(view);
  /** Newest result by what it read, and by its text. */
  const newestReading = new Map<string, string>();
  const newestText = new Map<string, string>();
  const stale: StaleResult[] = [];
  for (const message of view.toReversed()) {
    const call = calls.get(message.id);
    if (call === undefined) continue;
    const { id } = message;
    const text = textOf(message.content);
    const reading = message.isError === true ? undefined : readingOf(call);
    const whole = reading && newestReading.get(keyOf({ ...reading, part: '' }));
    const newerReading = whole ?? (reading && newestReading.get(keyOf(reading)));
    const sameText = text.length < shortestDuplicate ? undefined : newestText.get(text);
    if (newerReading !== undefined) stale.push({ id, supersededBy: newerReading, reason: 'superseded' });
    else if (sameText !== undefined) stale.push({ id, supersededBy: sameText, reason: 'duplicate' });
    if (reading !== undefined && newerReading === undefined) newestReading.set(keyOf(reading), id);
    if (sameText === undefined) newestText.set(text, id);
  }
  return stale.reverse();
}

/** Undefined for a call that does more than to read one file. */
function readingOf(call: ToolCall): Reading | undefined {
  const { filesRead, filesModified, commands, identifiers } = factsOfCall(call);
  const [path] = filesRead;
  const isReading = filesModified.length + commands.length + identifiers.length === 0;
  if (!isReading || path === undefined || filesRead.length !== 1) return undefined;
  const called = calledFunction(call.function);
  const input = parseShallow(called.arguments)?.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(input).toSorted();
  // An argument that neither names the file nor a part of it may change what is read in unknown ways.
  const part = names.filter((name) => input[name] !== path).map((name) => [name, input[name]] as const);
  const isKnown = part.every(([name]) => rangeKey.test(name));
  if (!isKnown) return undefined;
  return { tool: called.name, path, part: part.length === 0 ? '' : JSON.stringify(part) };
}

function keyOf({ tool, path, part }: Reading): string {
  return JSON.stringify([tool, path, part]);
}

/**
 * Hides the results that something newer in the view makes up for, and takes out the memory that something newer took
 * the place of.
 *
 * @returns tokens freed
 */
export async function hideStale(
  { protectedIds }: Pick<StrategyInput<unknown>, 'protectedIds'>,
  working: WorkingView,
  meter: UsageMeter,
): Promise<number> {
  const before = working.tokens;
  const superseded = [...supersededIds(working.messages)].filter((id) => !protectedIds.has(id));
  await working.drop(superseded, strategySentences.say('supersededMemory'));
  const view = working.messages;
  const stale = new Map(staleResults(view).map((found) => [found.id, found]));
  // The model may not have read the newest results yet.
  const newest = blocksOf(view).findLast((block) => block.isExchange);
  const old = await resultsBefore({ view, protectedIds }, newest?.start ?? view.length, meter);
  await working.rewrite(
    old.flatMap(({ result, tool, tokens }) => {
      const found = stale.get(result.id);
      if (found === undefined) return [];
      const note = toModel`${found.reason === 'duplicate' ? 'The same as' : 'Superseded by'} message ${found.supersededBy}.`;
      return [
        {
          kind: 'hide' as const,
          id: result.id,
          content: referenceTo(result.id, tool, tokens, note),
          reason:
            found.reason === 'duplicate'
              ? strategySentences.say('repeated')
              : strategySentences.say('superseded'),
        },
      ];
    }),
  );
  return before - working.tokens;
}
