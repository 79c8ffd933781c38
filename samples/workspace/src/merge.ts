import { compareEvents, type NoteEvent } from './note.ts';

/**
 * The events of another log that this one does not have, in order.
 *
 * A log is a set of events, and merging is the union of two sets. That is why it does not matter who merges first, or
 * how often: `merge(a, b)` and `merge(b, a)` hold the same events, and a second merge finds nothing new. Nothing is
 * ever in conflict either. Where both sides changed the same text, the event with the higher clock wins, and the
 * other one stays in the log for whoever wants to look.
 */
export function unknownEvents(
  ours: readonly NoteEvent[],
  theirs: readonly NoteEvent[],
): readonly NoteEvent[] {
  const known = new Set(ours.map(identity));
  return theirs.filter((event) => !known.has(identity(event))).sort(compareEvents);
}

/** An author never gives a clock value twice, so the two together name an event. */
function identity({ author, clock }: NoteEvent): string {
  return `${author} ${clock}`;
}
