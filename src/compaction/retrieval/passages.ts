import { calledFunction } from '../ledger/called-function.ts';
import { isLookup, withoutHookFacts } from '../ledger/lookups.ts';
import { callsByResult } from '../messages/exchange.ts';
import { isSystem, isTyped, type Message, originalText, type Role } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { headAndTail, headOf } from '../text/clip.ts';
import { parseShallow } from '../text/parse-json.ts';

export interface Passage {
  readonly messageId: string;
  readonly role: Role;
  readonly text: string;
}

/** Maximum number of characters per token in ordinary prose, for a first estimate of a passage's length. */
const charactersPerToken = 4;
/**
 * Maximum characters of a searched text. Of a longer text, only the ends are searched: an index is many times larger.
 */
const longestSearched = 1_000_000;
/** Number of characters in a slice of work, which takes the indexer a few milliseconds. */
const charactersAtOnce = 20_000;

/**
 * Splits messages into passages, in order, at paragraphs, otherwise at lines, sentences or words. A word is
 * split only if it does not fit on its own. A character is never split. No passage is a small remainder of
 * another one. JSON is read as plain text. System messages and summaries are left out.
 *
 * @param tokens maximum size of a passage
 * @param countTexts counts the tokens of each text, in the order given; called per slice, so that counting on
 * another thread never blocks this one
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

/** Splits long passages evenly and counts again. Uneven text takes a few rounds. */
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

/** Removes results that only repeat the history, such as results of searches in the history. */
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
  const told = withoutHookFacts(said);
  // A hook's message consists of returned facts. Tool results and typed messages may contain more.
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

/** Places where a text may end, best first: a paragraph, a line, a sentence, a word, other characters. */
const borders: readonly RegExp[] = [
  /\n[^\S\n]*\n/gu,
  /\n/gu,
  /[.!?…]["')\]]*\s+|[。！？；]/gu,
  /\s+/gu,
  /[^\p{L}\p{N}_]+/gu,
];

/** Minimum size of a rest, as a share of a piece. A smaller rest would be a fragment. */
const smallestRest = 1 / 4;

/** Finds the index after the best border that fits. A border in the first half would leave too little. */
function endOfPiece(text: string, longest: number): number {
  const room = Math.min(longest, Math.floor(text.length - longest * smallestRest));
  const window = headOf(text, room);
  // Every border consists of such characters, so that none begins before this one and ends after it.
  let half = Math.ceil(room / 2);
  while (half > 0 && betweenWords.test(window[half - 1] ?? '')) half--;
  for (const border of borders) {
    const position = lastEndOf(window, border, half);
    if (position >= room / 2) return position;
  }
  const lastWord = Math.max(...borders.map((border) => lastEndOf(window, border, 0)));
  // A word that fits into the next piece is not split.
  const word = /^[\p{L}\p{N}_]+/u.exec(text.slice(lastWord, lastWord + longest + 1))?.[0] ?? '';
  if (lastWord > 0 && word.length <= longest && !unspaced.test(word)) return lastWord;
  // The room ends within a character, so the whole character is taken.
  return window.length > 0 ? window.length : headOf(text, Math.max(2, room + 1)).length;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

const betweenWords = /[^\p{L}\p{N}_]/u;

/** Returns the end of the last border at or after an index; 0 without one. */
function lastEndOf(text: string, border: RegExp, from: number): number {
  let end = 0;
  border.lastIndex = from;
  while (border.test(text)) end = border.lastIndex;
  return end;
}

const deepest = 50;
const longestRow = 120;

/** Minimum characters of a JSON line that counts as data, and not as program code. */
const shortestLine = 200;

/** Rewrites JSON in a text for reading and search: a line for each key with its value, nothing escaped. */
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
