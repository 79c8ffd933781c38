/** A calendar day, `2026-11-27`: sorts as text, and has no time zone to get wrong. */
export type Day = string;

/** What every event carries. */
interface Stamp {
  /** The note it is about. */
  readonly id: string;
  /** When it happened, by the wall clock of the machine. Nothing is ordered by it. */
  readonly at: string;
  /** Logical clock: one more than the highest value that the log had seen. */
  readonly clock: number;
  /** The run of Driftwood that wrote it. */
  readonly author: string;
}

/** Something that happened to a note. The log is a list of these. */
export type NoteEvent = Stamp &
  (
    | { readonly type: 'added'; readonly text: string }
    | { readonly type: 'edited'; readonly text: string }
    | { readonly type: 'tagged'; readonly tags: readonly string[] }
    | { readonly type: 'due'; readonly day: Day | null }
    | { readonly type: 'dropped' }
  );

/** An event before the log has stamped it. */
export type Change = NoteEvent extends infer Each
  ? Each extends NoteEvent
    ? Omit<Each, Exclude<keyof Stamp, 'id'>>
    : never
  : never;

export interface Note {
  readonly id: string;
  readonly text: string;
  /** In alphabetical order, without the `#`. */
  readonly tags: readonly string[];
  readonly due: Day | null;
  readonly addedAt: string;
}

/** Order of events that is the same on every machine, whatever their wall clocks say. */
export function compareEvents(first: NoteEvent, second: NoteEvent): number {
  return first.clock - second.clock || compareText(first.author, second.author);
}

/**
 * The notes that a list of events leaves, oldest first. Events must be in the order of `compareEvents`. Those about a
 * note that was never added are ignored: its `added` may come with a later merge.
 */
export function notesOf(events: Iterable<NoteEvent>): readonly Note[] {
  const notes = new Map<string, Note>();
  for (const event of events) {
    if (event.type === 'added') {
      const { id, text, at } = event;
      notes.set(id, { id, text, tags: [], due: null, addedAt: at });
      continue;
    }
    const note = notes.get(event.id);
    if (note === undefined) continue;
    if (event.type === 'dropped') notes.delete(event.id);
    else notes.set(event.id, changed(note, event));
  }
  return [...notes.values()];
}

function changed(note: Note, event: Exclude<NoteEvent, { type: 'added' | 'dropped' }>): Note {
  switch (event.type) {
    case 'edited':
      return { ...note, text: event.text };
    case 'tagged':
      return { ...note, tags: [...event.tags].sort(compareText) };
    case 'due':
      return { ...note, due: event.day };
  }
}

/** Compares by code units, so that two machines with different languages agree. */
export function compareText(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0;
}
