import { messagesOf, recordsOf, type Transcript } from './transcript.ts';

/**
 * Ids for the next records of a transcript: `c1`, `c2`, …, counted on from the highest that it has. None of them, and
 * none of the messages that such a record brings (`c5.1`), has an id that is taken already.
 */
export function nextRecordIds(transcript: Pick<Transcript, 'entries'>): () => string {
  const records = recordsOf(transcript);
  const brought = records.flatMap(({ outputs }) => outputs);
  const taken = [...messagesOf(transcript), ...records, ...brought].map(({ id }) => id);
  let last = records.reduce((top, { id }) => Math.max(top, Number(/^c(\d{1,9})$/.exec(id)?.[1] ?? 0)), 0);
  return () => {
    let id: string;
    do id = `c${++last}`;
    while (taken.some((known) => known === id || known.startsWith(`${id}.`)));
    return id;
  };
}
