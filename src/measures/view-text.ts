import { type Message, textOf, type ToolCall } from '../compaction/messages/message.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';

/** Text of a view that a model can read, prepared for many searches. */
export interface ViewText {
  /** True if the view contains the fact as whole words. White space is folded on both sides. */
  has(fact: string): boolean;
}

/** Separator between messages, so that no fact matches across two messages. */
const boundary = '\u0000';

/**
 * Joins the contents, tool names and decoded argument strings of messages. Omits reasoning, rarely sent back.
 */
export function viewTextOf(messages: readonly Message[]): ViewText {
  const text = messages.map(foldedTextOf).join(boundary);
  return { has: (fact) => hasWords(text, foldSpace(fact)) };
}

/** Replaces each run of white space with one space, and trims both ends. */
export function foldSpace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/** Cached, because messages are immutable and views share most of their messages. */
const known = new WeakMap<Message, string>();

function foldedTextOf(message: Message): string {
  const seen = known.get(message);
  if (seen !== undefined) return seen;
  const calls = (message.tool_calls ?? []).flatMap((call) => [
    call.function.name,
    ...stringsOf(call).map(({ text }) => text),
  ]);
  const text = textOf(message.content);
  const listed = message.kind === 'summary' ? pathsBelowRoots(text) : [];
  const folded = foldSpace([text, ...listed, ...calls].join('\n'));
  known.set(message, folded);
  return folded;
}

/** Returns the full paths of files that a summary lists below a folder. A model can also join the two. */
function pathsBelowRoots(text: string): readonly string[] {
  let root: string | undefined;
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('## ')) root = /^## Files \w+, in (\S.*)$/u.exec(line)?.[1];
    const path = /^- (?:\.\/)?([^/\s~].*)$/u.exec(line)?.[1];
    return root === undefined || path === undefined ? [] : [`${root}/${path}`];
  });
}

/** True if a text contains whole words: `data.tsx` does not contain `a.ts`, and `reader` does not contain `read`. */
function hasWords(text: string, fact: string): boolean {
  if (fact === '') return false;
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const end = at + fact.length;
    const startsInside = isWordAt(text, at) && isWordAt(text, at - 1);
    const endsInside = isWordAt(text, end - 1) && isWordAt(text, end);
    if (!startsInside && !endsInside) return true;
  }
  return false;
}

function isWordAt(text: string, index: number): boolean {
  return /\w/u.test(text.charAt(index));
}

export interface CallString {
  /** Keys that lead to the string, outermost first. Entries of a list add no key. */
  readonly path: readonly string[];
  readonly text: string;
}

/** Nesting depth that no tool reaches. Deeper values, as in a hostile file, are left out. */
const deepest = 20;

/** Returns every string in call arguments, decoded. Malformed JSON is one string without a name. */
export function stringsOf(call: ToolCall): readonly CallString[] {
  const parsed = parseShallow(call.function.arguments);
  if (parsed === undefined) return [{ path: [], text: call.function.arguments }];
  const found: CallString[] = [];
  collect(parsed.value, [], found);
  return found;
}

function collect(value: unknown, path: readonly string[], found: CallString[]): void {
  if (typeof value === 'string') found.push({ path, text: value });
  if (typeof value !== 'object' || value === null || path.length >= deepest) return;
  if (Array.isArray(value)) for (const entry of value) collect(entry, path, found);
  else for (const [name, field] of Object.entries(value)) collect(field, [...path, name], found);
}
