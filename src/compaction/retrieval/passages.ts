import { headAndTail, headOf } from '../clip.ts';
import { callsByResult } from '../exchange.ts';
import { isSystem, type Message, type Role } from '../message.ts';
import { originalText } from '../original.ts';

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
/** Characters that are split, counted and handed on at a time: a few milliseconds of work for whoever indexes them. */
const charactersAtOnce = 50_000;
/** Tools that look up what was said before. */
const lookupTools: ReadonlySet<string> = new Set(['recall', 'search_history']);

/**
 * Splits messages into passages, in their order: at paragraphs where there are any, else at lines, else between words,
 * and never through a character. System messages and summaries have none.
 *
 * @param tokens most tokens of a passage
 * @param countTexts tokens of each text, in the order given; asked about one slice of the texts after the other, so that
 *   whoever counts on another thread never holds up this one
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

/** Splits those that are too long evenly and counts again; a text that is denser in places takes a few rounds. */
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
        return split(passage, Math.ceil(passage.text.length / Math.ceil(size / tokens)));
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
  return messages.filter(({ id }) => !lookupTools.has(calls.get(id)?.function.name ?? ''));
}

function searchableText(message: Message): string {
  if (isSystem(message) || message.kind === 'summary') return '';
  const calls = (message.tool_calls ?? [])
    .filter(({ function: { name } }) => !lookupTools.has(name))
    .map(({ function: called }) => `${called.name} ${called.arguments}`);
  const text = headAndTail(originalText(message), longestSearched, () => '\n');
  return [text, ...calls].filter((text) => text !== '').join('\n');
}

/** Pieces of at most so many characters, without the empty lines around them. */
function split(passage: Passage, longest: number): readonly Passage[] {
  const pieces: Passage[] = [];
  for (let rest = passage.text; rest !== '';) {
    const end = rest.length <= longest ? rest.length : endOfPiece(rest, longest);
    const text = rest
      .slice(0, end)
      .replace(/^(?:[^\S\n]*\n)+/u, '')
      .trimEnd();
    if (text !== '') pieces.push({ ...passage, text });
    rest = rest.slice(end);
  }
  return pieces;
}

/** Behind the last paragraph, line or word that fits; a border in the first half would leave too little. */
function endOfPiece(text: string, longest: number): number {
  const window = headOf(text, longest);
  for (const border of ['\n\n', '\n', ' ']) {
    const position = window.lastIndexOf(border);
    if (position >= longest / 2) return position + border.length;
  }
  // Half a character would be all there is room for.
  return window.length > 0 ? window.length : headOf(text, longest + 1).length;
}
