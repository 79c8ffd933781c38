import { callsByResult } from '../exchange.ts';
import { factsOfCall } from '../ledger/call-facts.ts';
import { parseShallow } from '../shallow-json.ts';
import { textOf, type Message, type ToolCall } from '../message.ts';

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

/** What a call reads: a file, and which part of it. */
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
  const input = parseShallow(call.function.arguments)?.value as Readonly<Record<string, unknown>>;
  const names = Object.keys(input).toSorted();
  // An argument that neither names the file nor a part of it may change what is read in ways nobody knows here.
  const part = names.filter((name) => input[name] !== path).map((name) => [name, input[name]] as const);
  const isKnown = part.every(([name]) => rangeKey.test(name));
  if (!isKnown) return undefined;
  return { tool: call.function.name, path, part: part.length === 0 ? '' : JSON.stringify(part) };
}

function keyOf({ tool, path, part }: Reading): string {
  return JSON.stringify([tool, path, part]);
}
