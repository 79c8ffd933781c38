import type { EventLine } from './fields.ts';
import { readGrowing } from './growing-list.ts';

/** Names of the fields with a line's id, and with the id of its parent, the preceding line in the conversation. */
interface TreeFields {
  readonly id: string;
  readonly parentId: string;
}

/** A conversation whose last line has no continuation. */
interface Branch {
  /** Id of the last line. */
  readonly id: string;
  /** Index of the last line. */
  readonly end: number;
  /** Lines that are not part of the active conversation. */
  readonly own: readonly EventLine[];
}

/** Creates a function that returns the lines of a file as a tree. It reads each line once while the file grows. */
export function eventTrees(names: TreeFields): (events: readonly EventLine[]) => EventTree {
  return readGrowing(() => new EventTree(names));
}

/**
 * Lines of a file as a tree. A line names its parent. If no earlier line has that id, the line follows the line before
 * it in the file. An id counts at its first position.
 */
class EventTree {
  private readonly names: TreeFields;
  private readonly lines: { readonly event: EventLine; readonly parent: number; readonly id?: string }[] = [];
  private readonly places = new Map<unknown, number>();
  private readonly continued = new Set<unknown>();

  constructor(names: TreeFields) {
    this.names = names;
  }

  add(event: EventLine): void {
    const { names, lines, places } = this;
    const { [names.id]: id, [names.parentId]: parentId } = event.fields;
    const before = lines.length - 1;
    const parent = parentId === null ? -1 : (places.get(parentId) ?? before);
    const isFirst = typeof id === 'string' && !places.has(id);
    lines.push({ event, parent, ...(isFirst && parentId !== undefined && { id }) });
    if (isFirst) places.set(id, before + 1);
    this.continued.add(parentId);
  }

  /** Returns the lines of a conversation, from the first to the line at `end`, but only those after `taken` lines. */
  wayTo(end = this.lines.length - 1, taken?: Uint8Array): readonly EventLine[] {
    const way: EventLine[] = [];
    for (let index = end; index >= 0 && taken?.[index] !== 1; index = this.lines[index]!.parent)
      way.push(this.lines[index]!.event);
    return way.reverse();
  }

  /** Returns the conversations that end in lines without a continuation, except the active one; newest first. */
  branches(): readonly Branch[] {
    const { lines, continued } = this;
    const taken = new Uint8Array(lines.length);
    for (let index = lines.length - 1; index >= 0; index = lines[index]!.parent) taken[index] = 1;
    return lines
      .flatMap(({ id }, end) => {
        const isEnd = id !== undefined && taken[end] === 0 && !continued.has(id);
        return isEnd ? [{ id, end, own: this.wayTo(end, taken) }] : [];
      })
      .reverse();
  }
}
