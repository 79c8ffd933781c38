import type { EventLine } from './fields.ts';

/** Names of the fields with a line's own id and the id of the preceding line in the conversation. */
interface TreeFields {
  readonly id: string;
  readonly parentId: string;
}

/**
 * Lines of a conversation whose lines name their parents, from the first to the one at `end`. A line with a missing
 * parent follows the line before it in the file.
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
    // A parent precedes its children; anything else would be a cycle.
    index = parent < index ? parent : index - 1;
  }
  return way.reverse();
}

/** A conversation in a file without a continuation. */
interface Branch {
  /** Id of its last line. */
  readonly id: string;
  readonly way: readonly EventLine[];
  /** Its lines that are not part of the active conversation. */
  readonly own: readonly EventLine[];
}

/** Conversations that end in lines without a continuation, except the active one; newest first. */
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
