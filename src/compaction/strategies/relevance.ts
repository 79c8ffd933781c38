import { factsOfCall } from '../ledger/call-facts.ts';
import { isTyped, textOf, type Message, type ToolCall } from '../message.ts';
import { withoutEnd } from '../text-end.ts';

/** Of a longer text, only so many characters are looked at. */
const searchedCharacters = 20_000;
/** Words of three letters and more, and runs of a script that does without spaces. */
const terms = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[\p{L}\p{N}_]{3,}/gu;
const unspaced = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;

/** What the agent is at: the task, and what it is doing about it. */
export interface Current {
  /** Words of the first and the newest request. */
  readonly words: ReadonlySet<string>;
  /** Both requests and the newest replies, in which files are looked up by their name. */
  readonly text: string;
}

/**
 * What the task, the newest request and the newest replies are about.
 *
 * @param start index where the newest replies begin
 */
export function currentOf(view: readonly Message[], start: number): Current {
  const asked = view.filter(isTyped);
  const request = [...new Set([asked[0], asked.at(-1)])]
    .map((message) => textOf(message?.content ?? null).slice(0, searchedCharacters))
    .join('\n');
  const doing = view
    .slice(start)
    .flatMap(({ role, content, tool_calls: calls = [] }) => [
      ...(role === 'assistant' ? [textOf(content).slice(0, searchedCharacters)] : []),
      ...calls.map((call) => call.function.arguments.slice(0, searchedCharacters)),
    ]);
  return { words: wordsOf(request), text: [request, ...doing].join('\n') };
}

/**
 * How much something has to do with what the agent is at, from 0 to 1, told without a model: 1 where its calls changed
 * a file or are about one that is named now, otherwise the share of the requests' words that come up in it. Where the
 * requests have no words to tell by, everything counts.
 */
export function relevanceOf(calls: readonly ToolCall[], text: string, current: Current): number {
  if (current.words.size === 0) return 1;
  const facts = calls.map(factsOfCall);
  if (facts.some(({ filesModified }) => filesModified.length > 0)) return 1;
  if (facts.some(({ filesRead }) => filesRead.some((path) => current.text.includes(nameOf(path))))) return 1;
  const texts = [text, ...calls.map((call) => call.function.arguments)];
  const found = wordsOf(texts.map((part) => part.slice(0, searchedCharacters)).join('\n'));
  const shared = [...current.words].filter((word) => found.has(word)).length;
  return shared / current.words.size;
}

function nameOf(path: string): string {
  return withoutEnd(path, '/').split('/').at(-1) ?? path;
}

function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [term] of text.toLowerCase().matchAll(terms)) {
    if (!unspaced.test(term) || term.length < 2) words.add(term);
    else
      for (let position = 0; position < term.length - 1; position++)
        words.add(term.slice(position, position + 2));
  }
  return words;
}
