import { toModel } from '../../../language/sentence.ts';
import { calledFunction } from '../../ledger/called-function.ts';
import { tailByTurns } from './tail.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { blocksOf, callsByResult } from '../../messages/exchange.ts';
import { factsOfCall } from '../../ledger/call-facts.ts';
import { errorsOf } from '../../ledger/result-facts.ts';
import { memoised } from '../../messages/memoise.ts';
import { supersededIds } from '../../messages/protection.ts';
import { type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { parseShallow } from '../../text/parse-json.ts';
import { isShortened, referenceTo } from '../../text/placeholder.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import type { WorkingView } from '../contract/working-view.ts';

/** Number of the newest turns whose errors stay, because the agent may still be working on them. */
const turnsWithErrors = 3;
/** Maximum size of an error that stays, in tokens. A longer result is a log that happens to mention an error. */
const largestKeptError = 1_000;

export interface OldResult {
  readonly result: Message;
  readonly call: ToolCall | undefined;
  readonly tool: string;
  readonly tokens: number;
}

/**
 * Finds results that may be shortened, oldest first. Excludes exchanges beyond `end` and errors of the newest turns.
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

/** Returns the index of the newest exchange. The model may not have read its results yet. */
export function newestExchange(view: readonly Message[]): number {
  return blocksOf(view).findLast((block) => block.isExchange)?.start ?? view.length;
}

function isError(result: Message): boolean {
  return result.isError === true || errorsOf(result).length > 0;
}

interface StaleResult {
  readonly id: string;
  readonly supersededBy: string;
  /** `superseded`: the same file was read again. `duplicate`: the same text appears again. */
  readonly reason: 'superseded' | 'duplicate';
}

/** Minimum length of equal texts that are no coincidence, in characters. "ok" and an empty listing are shorter. */
const shortestDuplicate = 50;
const rangeKey =
  /^(?:offset|limit|lines?|range|view_range|start_?line|end_?line|line_?(?:start|end|number)|from|to)$/i;

interface Reading {
  readonly part: string;
  readonly whole: string;
}

export function staleResults(view: readonly Message[]): readonly StaleResult[] {
  const calls = callsByResult(view);
  /** Newest results by the file or part that they read, and by their text. */
  const newestReading = new Map<string, string>();
  const newestText = new Map<string, string>();
  const stale: StaleResult[] = [];
  const mayRepeat = repeatsIn(view);
  for (const message of view.toReversed()) {
    const call = calls.get(message.id);
    if (call === undefined) continue;
    const { id } = message;
    const text = mayRepeat(message) ? textOf(message.content) : undefined;
    const reading = message.isError === true ? undefined : readingOf(call);
    const newerReading = reading && (newestReading.get(reading.whole) ?? newestReading.get(reading.part));
    const sameText = text === undefined ? undefined : newestText.get(text);
    if (newerReading !== undefined) stale.push({ id, supersededBy: newerReading, reason: 'superseded' });
    else if (sameText !== undefined) stale.push({ id, supersededBy: sameText, reason: 'duplicate' });
    if (reading !== undefined && newerReading === undefined) newestReading.set(reading.part, id);
    if (text !== undefined && sameText === undefined) newestText.set(text, id);
  }
  return stale.reverse();
}

const sampledCharacters = 24;

/** Returns a quick test whether a text may occur twice. Few do, and looking up a long text means reading all of it. */
function repeatsIn(view: readonly Message[]): (message: Message) => boolean {
  const counts = new Map<string, number>();
  for (const message of view) {
    const sample = message.role === 'tool' ? sampleOf(message) : '';
    if (sample !== '') counts.set(sample, (counts.get(sample) ?? 0) + 1);
  }
  return (message) => (counts.get(sampleOf(message)) ?? 0) > 1;
}

const sampleOf = memoised(({ content }: Message): string => {
  const text = textOf(content);
  if (text.length < shortestDuplicate) return '';
  return `${text.length}\n${text.slice(0, sampledCharacters)}${text.slice(-sampledCharacters)}`;
});

/** Returns the file and the part that a call reads; undefined unless the call only reads one file. */
export const readingOf = memoised((call: ToolCall): Reading | undefined => {
  const { filesRead, filesModified, commands, identifiers, searched } = factsOfCall(call);
  const [path] = filesRead;
  const isReading = [filesModified, commands, identifiers, searched].every(({ length }) => length === 0);
  if (!isReading || path === undefined || filesRead.length !== 1) return undefined;
  const called = calledFunction(call.function);
  const input = parseShallow(called.arguments)?.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(input).toSorted();
  // An unknown argument may select another part of the file.
  const part = names.filter((name) => input[name] !== path).map((name) => [name, input[name]] as const);
  const isKnown = part.every(([name]) => rangeKey.test(name));
  if (!isKnown) return undefined;
  const named = (partOfFile: string) => JSON.stringify([called.name, path, partOfFile]);
  return { part: named(part.length === 0 ? '' : JSON.stringify(part)), whole: named('') };
});

function idOf({ id }: Message): string {
  return id;
}

function isMemory({ kind }: Message): boolean {
  return kind === 'memory';
}

/** Hides replaced results; removes replaced memory and copies of system messages. @returns tokens freed */
export async function hideStale(
  { protectedIds }: Pick<StrategyInput<unknown>, 'protectedIds'>,
  working: WorkingView,
  meter: UsageMeter,
): Promise<number> {
  const before = working.tokens;
  const isSuperseded = supersededIds(working.messages);
  const superseded = working.messages.filter(({ id }) => isSuperseded.has(id) && !protectedIds.has(id));
  const [memory, copies] = [superseded.filter(isMemory), superseded.filter((message) => !isMemory(message))];
  await working.drop(memory.map(idOf), strategySentences.say('supersededMemory'));
  await working.drop(copies.map(idOf), strategySentences.say('repeatedSystemMessage'));
  const view = working.messages;
  const stale = new Map(staleResults(view).map((found) => [found.id, found]));
  const old = await resultsBefore({ view, protectedIds }, newestExchange(view), meter);
  const reasons = {
    duplicate: strategySentences.say('repeated'),
    superseded: strategySentences.say('superseded'),
  } as const;
  await working.rewrite(
    old.flatMap(({ result, tool, tokens }) => {
      const found = stale.get(result.id);
      if (found === undefined) return [];
      // The note names no id, because the newer message shows none and a later compaction may shorten it.
      const note = found.reason === 'duplicate' ? toModel`Printed again later.` : toModel`Read again later.`;
      return [
        {
          kind: 'hide' as const,
          id: result.id,
          content: referenceTo(result.id, tool, tokens, note),
          reason: reasons[found.reason],
        },
      ];
    }),
  );
  return before - working.tokens;
}
