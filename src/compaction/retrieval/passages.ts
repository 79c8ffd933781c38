import { calledFunction } from '../ledger/called-function.ts';
import { isLookup, withoutGivenBack } from '../ledger/lookups.ts';
import { callsByResult } from '../messages/exchange.ts';
import { isSystem, isTyped, type Message, originalText, type Role } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { headAndTail, headOf } from '../text/clip.ts';
import { parseShallow } from '../text/parse-json.ts';

/** A part of a message that is found and shown as one. */
export interface Passage {
  readonly messageId: string;
  readonly role: Role;
  readonly text: string;
}

/** Characters that a token takes at most in ordinary prose: a first guess of how much fits into a passage. */
const charactersPerToken = 4;
/** Of a longer text, in characters, beginning and end are searched: an index takes many times the room of its text. */
const longestSearched = 1_000_000;
/** Characters that are split, counted and handed on at a time: a few milliseconds of work for the indexer. */
const charactersAtOnce = 20_000;

/**
 * Splits messages into passages, in their order: at paragraphs if there are any, else at lines, else at sentences,
 * else between words; through a word only if it alone is too long, and never through a character. No passage is a
 * small rest of another. JSON is read as a plain text. System messages and summaries have none.
 *
 * @param tokens most tokens of a passage
 * @param countTexts tokens of each text, in the order given; asked about one slice of texts after the other, so that
 *   counting on another thread never holds up this one
 * @returns the passages of a slice at a time
 */
export async function* passagesOf(
  messages: readonly Message[],
  tokens: number,
  countTexts: (texts: readonly string[]) => Promise<readonly number[]>,
): AsyncGenerator<readonly Passage[], void, undefined> {
  let slice: Passage[] = [];
  let characters = 0;
  for (const message of messages) {
    const whole = { messageId: message.id, role: message.role, text: searchableText(message) };
    for (const passage of split(whole, tokens * charactersPerToken)) {
      slice.push(passage);
      characters += passage.text.length;
      if (characters < charactersAtOnce) continue;
      yield await fitting(slice, tokens, countTexts);
      [slice, characters] = [[], 0];
    }
  }
  if (slice.length > 0) yield await fitting(slice, tokens, countTexts);
}

/** Splits passages that are too long evenly and counts again; unevenly dense text takes a few rounds. */
async function fitting(
  passages: readonly Passage[],
  tokens: number,
  countTexts: (texts: readonly string[]) => Promise<readonly number[]>,
): Promise<readonly Passage[]> {
  let unfinished = passages;
  const finished = new Set<Passage>();
  for (let isDone = false; !isDone;) {
    const open = unfinished.filter((passage) => !finished.has(passage));
    const sizes = await countTexts(open.map(({ text }) => text));
    const sizeOf = new Map(open.map((passage, index) => [passage, sizes[index] ?? 0]));
    isDone = true;
    unfinished = unfinished.flatMap((passage) => {
      const size = sizeOf.get(passage) ?? 0;
      if (size > tokens && passage.text.length > 2) {
        isDone = false;
        return [...split(passage, Math.ceil(passage.text.length / Math.ceil(size / tokens)))];
      }
      finished.add(passage);
      return [passage];
    });
  }
  return unfinished;
}

/** The messages without the results that only repeat earlier ones: what was looked up in the history itself. */
export function withoutLookups(messages: readonly Message[]): readonly Message[] {
  const calls = callsByResult(messages);
  return messages.filter(({ id }) => {
    const call = calls.get(id);
    return call === undefined || !isLookup(calledFunction(call.function).name);
  });
}

function searchableText(message: Message): string {
  if (isSystem(message) || message.kind === 'summary') return '';
  const calls = (message.tool_calls ?? [])
    .filter((call) => !isLookup(calledFunction(call.function).name))
    .map(({ function: called }) => {
      const given = plainText(called.arguments);
      return `${called.name}${given.includes('\n') ? '\n' : ' '}${given}`;
    });
  const said = plainText(originalText(message));
  const told = withoutGivenBack(said);
  // A hook's message contains nothing but facts given back; a tool result may contain more, and so does what was typed.
  const isWhole = told === said || message.role === 'tool';
  const texts = [isWhole ? told : isTyped(message) ? ownWords(message) : '', ...calls].filter(
    (text) => text !== '',
  );
  return texts.map((text) => headAndTail(text, longestSearched, () => '\n')).join('\n');
}

/** Splits text into pieces of limited length, without surrounding empty lines. */
function* split(passage: Passage, longest: number): Generator<Passage, void, undefined> {
  for (let rest = passage.text; rest !== '';) {
    const end = rest.length <= longest ? rest.length : endOfPiece(rest, longest);
    const text = rest
      .slice(0, end)
      .replace(/^(?:[^\S\n]*\n)+/u, '')
      .trimEnd();
    if (text !== '') yield { ...passage, text };
    rest = rest.slice(end);
  }
}

/**
 * Places where a text may end, the best first: a paragraph, a line, a sentence, a word, another character of no word.
 */
const borders: readonly RegExp[] = [
  /\n[^\S\n]*\n/gu,
  /\n/gu,
  /[.!?…]["')\]]*\s+|[。！？；]/gu,
  /\s+/gu,
  /[^\p{L}\p{N}_]+/gu,
];

/** Share of a piece below which what is left over for the next one would be a fragment. */
const smallestRest = 1 / 4;

/** Behind the best border that fits; one in the first half would leave too little. */
function endOfPiece(text: string, longest: number): number {
  const room = Math.min(longest, Math.floor(text.length - longest * smallestRest));
  const window = headOf(text, room);
  let lastWord = 0;
  for (const border of borders) {
    const position = lastEndOf(window, border);
    if (position >= room / 2) return position;
    lastWord = Math.max(lastWord, position);
  }
  // A word that fits into the next piece is not cut.
  const word = /^[\p{L}\p{N}_]+/u.exec(text.slice(lastWord, lastWord + longest + 1))?.[0] ?? '';
  if (lastWord > 0 && word.length <= longest && !unspaced.test(word)) return lastWord;
  // Half a character would be all there is room for.
  return window.length > 0 ? window.length : headOf(text, Math.max(2, room + 1)).length;
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function lastEndOf(text: string, border: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(border)) end = match.index + match[0].length;
  return end;
}

/** Nesting below which a value stays JSON. */
const deepest = 50;
/** Up to this many characters together, the entries of a list share a line. */
const longestRow = 120;

/** From this length in characters, a line of JSON in a text counts as data, not as program code. */
const shortestLine = 200;

/**
 * A text with the JSON in it, all of it or whole lines, as a person would write it down: a value a line after its key,
 * and texts with their own lines. Nothing in it is escaped, so that it can be found, split and read like any other.
 */
export function plainText(text: string): string {
  return (
    plain(text, 0) ??
    text.replace(/^[[{].*[\]}]$/gmu, (line) => (line.length < shortestLine ? line : (plain(line, 0) ?? line)))
  );
}

function plain(json: string, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(json)) return undefined;
  const parsed = parseShallow(json);
  return parsed === undefined ? undefined : written(parsed.value, depth);
}

function written(value: unknown, depth: number): string {
  if (depth >= deepest) return JSON.stringify(value);
  // Some tools answer with JSON within JSON.
  if (typeof value === 'string') return plain(value, depth + 1) ?? value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .map(([key, entry]) => labelled(key, written(entry, depth + 1)))
      .join('\n');
  }
  const entries = value.map((entry) => written(entry, depth + 1));
  const row = entries.join(', ');
  if (row.length <= longestRow && !row.includes('\n')) return row;
  return entries.join(entries.some((entry) => entry.includes('\n')) ? '\n\n' : '\n');
}

function labelled(key: string, text: string): string {
  return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`;
}
