import type { DiffRow } from '../../compaction/diff.ts';
import type { Message } from '../../compaction/message.ts';
import type { DiffMatch, Excerpt } from '../../protocol/inspector-compactions.ts';
import { messageText } from './message-view.ts';

/** Matches that are sent at once; more cannot be gone through one by one. */
const matchesAtOnce = 500;
/** Characters of an excerpt before and after the first place. */
const excerptLead = 40;
const excerptTail = 120;
/** Characters that are searched before other work has its turn. */
const charactersPerBreath = 2_000_000;

export interface DiffMatches {
  readonly matches: readonly DiffMatch[];
  /** Messages that match, also those that are not listed. */
  readonly total: number;
}

/**
 * Looks for a text in all that was said before a compaction and all that it wrote, whatever the case of its letters.
 *
 * @param pause lets other work have its turn
 */
export async function searchDiff(
  rows: readonly DiffRow[],
  query: string,
  pause: () => Promise<void>,
  signal: AbortSignal,
): Promise<DiffMatches> {
  const matches: DiffMatch[] = [];
  let total = 0;
  let searched = 0;
  if (query.trim() === '') return { matches, total };
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
  const look = (index: number, { id: messageId }: Message, text: string, side: DiffMatch['side']) => {
    const found = placesIn(text, pattern);
    if (found === undefined) return;
    total++;
    if (matches.length < matchesAtOnce) matches.push({ index, messageId, side, ...found });
  };
  for (const [index, { action, sources, output }] of rows.entries()) {
    const side = action.kind === 'keep' ? 'both' : 'before';
    const texts = [
      ...sources.map((message) => ({ message, side }) as const),
      ...(output === undefined ? [] : [{ message: output, side: 'after' } as const]),
    ];
    for (const { message, side: where } of texts) {
      const text = messageText(message);
      look(index, message, text, where);
      searched += text.length;
      if (searched < charactersPerBreath) continue;
      searched = 0;
      await pause();
      if (signal.aborted) return { matches, total };
    }
  }
  return { matches, total };
}

function placesIn(text: string, pattern: RegExp): Pick<DiffMatch, 'count' | 'excerpt'> | undefined {
  let count = 0;
  let first: RegExpMatchArray | undefined;
  for (const match of text.matchAll(pattern)) {
    first ??= match;
    count++;
  }
  return first === undefined ? undefined : { count, excerpt: excerptAround(text, first) };
}

function excerptAround(text: string, { index = 0, 0: match }: RegExpMatchArray): Excerpt {
  const end = index + match.length;
  const fold = (part: string) => part.replace(/\s+/gu, ' ');
  const start = Math.max(0, index - excerptLead);
  const stop = Math.min(text.length, end + excerptTail);
  return {
    before: `${start > 0 ? '…' : ''}${fold(text.slice(start, index))}`,
    match: fold(match),
    after: `${fold(text.slice(end, stop))}${stop < text.length ? '…' : ''}`,
  };
}
