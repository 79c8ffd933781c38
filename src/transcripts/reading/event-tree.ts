import type { EventLine } from './fields.ts';

/** Names of the fields with a line's id, and with the id of its parent, the preceding line in the conversation. */
interface TreeFields {
  readonly id: string;
  readonly parentId: string;
}

/**
 * Returns the lines of a conversation, from the first to the line at `end`. A line names its parent. If the parent is
 * missing, the line follows the line before it in the file.
 *
 * @param end index of the last line
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
    // A parent precedes its children. Another order could be a cycle.
    index = parent < index ? parent : index - 1;
  }
  return way.reverse();
}

/** A conversation whose last line has no continuation. */
interface Branch {
  /** Id of the last line. */
  readonly id: string;
  readonly way: readonly EventLine[];
  /** Lines that are not part of the active conversation. */
  readonly own: readonly EventLine[];
}

/** Returns the conversations that end in lines without a continuation, except the active one; newest first. */
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
