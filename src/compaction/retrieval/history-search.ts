import type { Message } from '../messages/message.ts';
import { messagesOf, type Transcript } from '../transcript/transcript.ts';
import { type Passage, passagesOf, withoutLookups } from './passages.ts';
import { isSingleCharacter, termsOfWord, writtenWords } from '../text/words.ts';

/** A find among the messages that are no longer in context. */
export interface HistoryMatches {
  /** Messages that the view does not hold as they were said. */
  readonly absent: number;
  /** Best first. */
  readonly passages: readonly Passage[];
}

/**
 * Searches a transcript for what compactions took out of its view, or shortened there.
 *
 * @param most passages at most; if not given, as many as a model has use for
 */
export type HistorySearch = (
  transcript: Pick<Transcript, 'entries' | 'view'>,
  query: string,
  most?: number,
) => Promise<HistoryMatches>;

/** Most tokens of a passage, and most passages of a search: together about as much as a file's screenful or two. */
const passageTokens = 300;
const mostPassages = 8;

interface Indexed {
  readonly messages: readonly Message[];
  readonly index: PassageIndex | undefined;
}

const nothing: Indexed = { messages: [], index: undefined };

/**
 * A search that reads a message once: its index grows along with the transcript, and is rebuilt for another one.
 *
 * @param countTexts tokens of each text, in the order given
 */
export function createHistorySearch(
  countTexts: (texts: readonly string[]) => Promise<readonly number[]>,
): HistorySearch {
  /** One search extends the index after the other, so that parallel calls add nothing twice. */
  let latest: Promise<Indexed> = Promise.resolve(nothing);

  const grow = async (known: Indexed, messages: readonly Message[]): Promise<Indexed> => {
    const isLonger =
      messages.length >= known.messages.length &&
      known.messages[0] === messages[0] &&
      known.messages.at(-1) === messages[known.messages.length - 1];
    const { messages: old, index } = isLonger ? known : nothing;
    const grown = index ?? (await createPassageIndex());
    for await (const passages of passagesOf(messages.slice(old.length), passageTokens, countTexts)) {
      grown.add(passages);
    }
    return { messages, index: grown };
  };

  return async (transcript, query, most = mostPassages) => {
    const messages = messagesOf(transcript);
    const shown = new Map(transcript.view.map((message) => [message.id, message]));
    const absent = new Set(
      messages.filter((message) => !isSame(message, shown.get(message.id))).map(({ id }) => id),
    );
    if (absent.size === 0) return { absent: 0, passages: [] };
    latest = latest.catch(() => nothing).then((known) => grow(known, withoutLookups(messages)));
    const { index } = await latest;
    const passages = index?.search(query, most, ({ messageId }) => absent.has(messageId)) ?? [];
    return { absent: absent.size, passages };
  };
}

/** True if all that a message says is in context. */
function isSame(message: Message, shown: Message | undefined): boolean {
  if (message.original !== undefined) return false;
  return shown === message || (shown?.content === message.content && shown.tool_calls === message.tool_calls);
}

/** Passages that can be searched. */
export interface PassageIndex {
  /** Appends passages to those that are there. */
  add(passages: readonly Passage[]): void;
  /**
   * The passages that match best, best first; of equal ones the newer, and the same text only once.
   *
   * @param most how many at most
   * @param accepts true if a passage may be among them
   */
  search(query: string, most: number, accepts?: (passage: Passage) => boolean): readonly Passage[];
}

/** An empty index that ranks by BM25. Its library is loaded with the first one. */
export async function createPassageIndex(): Promise<PassageIndex> {
  const { default: MiniSearch } = await import('minisearch');
  const passages: Passage[] = [];
  // The same words come again and again, and taking one apart takes longer than everything else.
  const known = new Map<string, readonly string[]>();
  const termsOf = (word: string): readonly string[] => {
    const terms = known.get(word) ?? termsOfWord(word);
    known.set(word, terms);
    return terms;
  };
  const engine = new MiniSearch<{ readonly position: number; readonly text: string }>({
    idField: 'position',
    fields: ['text'],
    tokenize: (text) => writtenWords(text).flatMap(termsOf),
    processTerm: (term) => term,
    searchOptions: { prefix: isSingleCharacter },
  });
  return {
    add(added) {
      engine.addAll(added.map(({ text }, index) => ({ position: passages.length + index, text })));
      passages.push(...added);
    },
    search(query, most, accepts = () => true) {
      const ranked = engine
        .search(query)
        .map(({ id, score }) => ({ position: id as number, score }))
        .sort((one, other) => other.score - one.score || other.position - one.position);
      const found: Passage[] = [];
      const texts = new Set<string>();
      for (const { position } of ranked) {
        if (found.length >= most) break;
        const passage = passages[position];
        if (passage === undefined || texts.has(passage.text) || !accepts(passage)) continue;
        texts.add(passage.text);
        found.push(passage);
      }
      return found;
    },
  };
}
