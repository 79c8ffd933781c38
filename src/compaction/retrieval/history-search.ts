import { isTyped, type Message } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { messagesOf, type Transcript } from '../transcript/transcript.ts';
import { type Passage, passagesOf, withoutLookups } from './passages.ts';

export interface HistoryMatches {
  /** Number of messages that the view lacks in their original form. */
  readonly absent: number;
  readonly passages: readonly FoundPassage[];
}

/** A passage with its author: a role, or `data in a user` for text that a program added to a typed message. */
export interface FoundPassage extends Passage {
  readonly author: string;
}

/** Searches a transcript for content that compactions removed from its view or shortened. */
export type HistorySearch = (
  transcript: Pick<Transcript, 'entries' | 'view'>,
  query: string,
  most?: number,
) => Promise<HistoryMatches>;

/** Maximum tokens of a passage, and maximum passages of a search: together a screen or two. */
const passageTokens = 300;
const mostPassages = 8;

interface Indexed {
  readonly messages: readonly Message[];
  readonly index: PassageIndex | undefined;
}

const nothing: Indexed = { messages: [], index: undefined };

/** Creates a search that reads each message once. Its index grows with the transcript. */
export function createHistorySearch(
  countTexts: (texts: readonly string[]) => Promise<readonly number[]>,
): HistorySearch {
  /** Searches extend the index one after the other, so that parallel calls add nothing twice. */
  let latest: Promise<Indexed> = Promise.resolve(nothing);

  const grow = async (known: Indexed, messages: readonly Message[]): Promise<Indexed> => {
    const isLonger =
      messages.length >= known.messages.length &&
      known.messages[0] === messages[0] &&
      known.messages.at(-1) === messages[known.messages.length - 1];
    const { messages: old, index } = isLonger ? known : nothing;
    const grown = index ?? (await createPassageIndex({ readsQuestions: true }));
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
    const saidIn = new Map(messages.map((message) => [message.id, message]));
    const found = passages.map((passage) => {
      return { ...passage, author: authorOf(passage, saidIn.get(passage.messageId)) };
    });
    return { absent: absent.size, passages: found };
  };
}

/** Names the author of a passage; the user only for typed words. */
function authorOf({ role, text }: Passage, message: Message | undefined): string {
  const isOfUser = message !== undefined && isTyped(message) && ownWords(message).includes(text.trim());
  return role === 'user' && !isOfUser ? 'data in a user' : role;
}

function isSame(message: Message, shown: Message | undefined): boolean {
  if (message.original !== undefined) return false;
  return shown === message || (shown?.content === message.content && shown.tool_calls === message.tool_calls);
}

export interface PassageIndex {
  add(passages: readonly Passage[]): void;
  /**
   * Finds up to `most` accepted passages without duplicates, best first. Of equally good ones, the newer is first.
   */
  search(query: string, most: number, accepts?: (passage: Passage) => boolean): readonly Passage[];
}

/** Creates an empty index. If `readsQuestions`, only the words for the subject of a question are searched. */
export async function createPassageIndex({ readsQuestions = false } = {}): Promise<PassageIndex> {
  const [{ TermIndex }, { isQuestion }] = await Promise.all([
    import('./term-index.ts'),
    import('../text/question-words.ts'),
  ]);
  const passages: Passage[] = [];
  const index = new TermIndex();
  return {
    add(added) {
      for (const { text } of added) index.add(text);
      passages.push(...added);
    },
    search(query, most, accepts = () => true) {
      const form = readsQuestions && isQuestion(query) ? 'question' : 'words';
      const { scores, positions } = index.matches(query, form);
      const isBetter = (one: number, other: number) => {
        const difference = scores[one]! - scores[other]!;
        return difference === 0 ? one > other : difference > 0;
      };
      const best: number[] = [];
      for (const position of positions) {
        if (best.length === most && most > 0 && !isBetter(position, best[most - 1]!)) continue;
        const passage = passages[position];
        if (passage === undefined || !accepts(passage)) continue;
        const same = best.findIndex((other) => passages[other]?.text === passage.text);
        if (same >= 0 && !isBetter(position, best[same]!)) continue;
        if (same >= 0) best.splice(same, 1);
        const place = best.findIndex((other) => isBetter(position, other));
        best.splice(place < 0 ? best.length : place, 0, position);
        if (best.length > most) best.pop();
      }
      return best.flatMap((position) => passages[position] ?? []);
    },
  };
}
