import type { Message } from '../messages/message.ts';
import type { Quotes } from '../messages/quote.ts';
import { allQuotes, laterQuotes, noQuotes, withQuotes } from '../messages/quoted-messages.ts';
import type { CompactionRecord } from '../records/record.ts';
import { messagesOf, type Transcript } from './transcript.ts';
import { recordsInForce } from './view.ts';

/** Returns the original messages, with quotes from the summaries of compactions in force. */
export function quotedHistory({ entries }: Pick<Transcript, 'entries'>): readonly Message[] {
  const rounds = recordsInForce(entries).flatMap((record) => quotesOf(record) ?? []);
  const messages = messagesOf({ entries });
  return rounds.length === 0 ? messages : withQuotes(messages, rounds.reduce(laterQuotes, noQuotes));
}

function quotesOf({ actions, outputs }: CompactionRecord): Quotes | undefined {
  const written = new Set(actions.flatMap(({ kind, outputId }) => (kind === 'summarise' ? [outputId] : [])));
  const quotes = outputs.flatMap(({ id, carried }) =>
    written.has(id) && carried?.quotes !== undefined ? [carried.quotes] : [],
  );
  return quotes.length === 0 ? undefined : allQuotes(quotes);
}
