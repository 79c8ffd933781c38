import type { EventLine } from './fields.ts';

/** Names of the fields of a line with its own id and with that of the line before it in the conversation. */
export interface TreeFields {
  readonly id: string;
  readonly parentId: string;
}

/**
 * The lines of a conversation in a file whose lines name the line before them, from the first to the one at `end`. A line
 * whose parent cannot be found goes on from the one before it in the file.
 *
 * @param end index
 */
export function wayTo(events: readonly EventLine[], end: number, names: TreeFields): readonly EventLine[] {
  const indexOf = new Map(events.map(({ fields }, index) => [fields[names.id], index]));
  const way: EventLine[] = [];
  let index = end;
  for (let event = events[index]; event !== undefined; event = events[index]) {
    way.push(event);
    const parentId = event.fields[names.parentId];
    if (parentId === null) break;
    const parent = indexOf.get(parentId) ?? index - 1;
    // A parent precedes its children; anything else would go in circles.
    index = parent < index ? parent : index - 1;
  }
  return way.reverse();
}

/** A conversation in a file that nothing goes on from. */
export interface Branch {
  /** Of its last line. */
  readonly id: string;
  readonly way: readonly EventLine[];
  /** Its lines that are not on the way in force. */
  readonly own: readonly EventLine[];
}

/** The ways to lines that nothing goes on from, but for the one in force; the newest first. */
export function branchesBeside(
  events: readonly EventLine[],
  inForce: readonly EventLine[],
  names: TreeFields,
): readonly Branch[] {
  const taken = new Set(inForce);
  const continued = new Set(events.map(({ fields }) => fields[names.parentId]));
  return events
    .flatMap((event, index): Branch[] => {
      const { [names.id]: id, [names.parentId]: parentId } = event.fields;
      if (parentId === undefined || typeof id !== 'string' || continued.has(id) || taken.has(event))
        return [];
      const way = wayTo(events, index, names);
      return [{ id, way, own: way.filter((one) => !taken.has(one)) }];
    })
    .reverse();
}
