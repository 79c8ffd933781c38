import { kindOf, type Kind } from '../compaction/messages/message.ts';
import { createHistorySearch } from '../compaction/retrieval/history-search.ts';
import { isUnspaced, termsOf, wordPlaces } from '../compaction/text/words.ts';
import { messagesOf, type Transcript } from '../compaction/transcript/transcript.ts';
import { headOf } from '../compaction/text/clip.ts';

/** A match in a message of the session. */
export interface ArchiveMatch {
  readonly messageId: string;
  readonly kind: Kind;
  /** Text around the first match. */
  readonly excerpt: string;
  /** Matches in the excerpt, in UTF-16 units, in order and without overlaps. */
  readonly ranges: readonly TextRange[];
  /** True if the message is in the view unchanged. */
  readonly isInView: boolean;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Searches all messages of a session. The best matches come first.
 *
 * @param most maximum number of matches
 */
export type ArchiveSearch = (
  transcript: Pick<Transcript, 'entries' | 'view'>,
  query: string,
  most: number,
) => Promise<readonly ArchiveMatch[]>;

/** Maximum characters of an excerpt, and of the part of an excerpt before the first match. */
const excerptLength = 240;
const lead = 60;

/** @param countTexts counts the tokens of each text, in the order given */
export function createArchiveSearch(
  countTexts: (texts: readonly string[]) => Promise<readonly number[]>,
): ArchiveSearch {
  const search = createHistorySearch(countTexts);
  return async ({ entries, view }, query, most) => {
    // With an empty view, every message counts as removed, so messages in context are found, too.
    const { passages } = await search({ entries, view: [] }, query, most);
    const terms = new Set(termsOf(query));
    const inView = new Set(view);
    const messages = new Map(messagesOf({ entries }).map((message) => [message.id, message]));
    const shown = new Set<string>();
    return passages.flatMap(({ messageId, text }) => {
      const message = messages.get(messageId);
      const around = excerptOf(text, terms);
      // Two passages of a message can have the same excerpt.
      const place = `${messageId} ${around.excerpt}`;
      if (message === undefined || shown.has(place)) return [];
      shown.add(place);
      return {
        messageId,
        kind: kindOf(message),
        ...around,
        isInView: message.original === undefined && inView.has(message),
      };
    });
  };
}

function excerptOf(text: string, terms: ReadonlySet<string>): Pick<ArchiveMatch, 'excerpt' | 'ranges'> {
  const found = matchesIn(text, terms);
  const start = headOf(text, (found[0]?.start ?? 0) - lead).length;
  const excerpt = headOf(text.slice(start), excerptLength);
  const end = start + excerpt.length;
  return {
    excerpt,
    ranges: found
      .filter((range) => range.end <= end)
      .map((range) => ({ start: range.start - start, end: range.end - start })),
  };
}

/** Finds words that contain a term. In scripts without spaces, finds pairs of characters. */
function matchesIn(text: string, terms: ReadonlySet<string>): readonly TextRange[] {
  const ranges: { start: number; end: number }[] = [];
  const add = (start: number, end: number): void => {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  };
  for (const { word: found, index } of wordPlaces(text)) {
    const shared = termsOf(found).filter((term) => terms.has(term));
    const places = shared.flatMap((term) => {
      const place = found.indexOf(term);
      return term.length < found.length && isUnspaced(term) && place >= 0
        ? [[place, term.length] as const]
        : [];
    });
    if (shared.length > 0 && places.length === 0) add(index, index + found.length);
    else for (const [place, length] of places) add(index + place, index + place + length);
  }
  return ranges;
}
