import { textOfParts } from '../../reading/content-parts.ts';
import { type EventLine, type Fields, recordsIn } from '../../reading/fields.ts';
import { readGrowing } from '../../reading/growing-list.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Rows of one conversation, in the order of the file. */
interface ClaudeCodeConversation {
  readonly kind: 'main' | 'branch' | 'sub-agent';
  readonly id: string;
  /** The first text that is in this conversation but not in the active conversation. */
  readonly opening: string | undefined;
  readonly events: readonly EventLine[];
}

/** Maximum number of rows examined for all branches together, which limits the time. */
const mostWork = 50_000_000;

/**
 * Separates the conversations of a Claude Code file. Rows form a tree: each names the previous row, and going back or
 * retrying begins a branch. The branch written last is active. A duplicate row counts at its first position.
 *
 * @returns the active conversation, then other branches from new to old, then conversations of sub-agents. If a file
 * contains only a sub-agent's conversation, that is the active conversation
 */
export function conversationsOf(events: readonly EventLine[]): readonly ClaudeCodeConversation[] {
  const { rows, own } = readRows(events);
  if (own.events.some(isSaid)) return [...branchesOf(own), ...subAgentsOf(rows.filter(isSide))];
  const whole = new Tree();
  for (const row of rows) whole.add(row);
  return branchesOf(whole);
}

/** Reads each row once while the file grows. */
const readRows = readGrowing(() => {
  const [ids, rows, own] = [new Set<unknown>(), [] as EventLine[], new Tree()];
  const add = (row: EventLine) => {
    const { uuid } = row.fields;
    if (ids.has(uuid)) return;
    if (typeof uuid === 'string') ids.add(uuid);
    rows.push(row);
    if (!isSide(row)) own.add(row);
  };
  return { rows, own, add };
});

function isSide({ fields }: EventLine): boolean {
  return fields['isSidechain'] === true;
}

function branchesOf(tree: Tree): readonly ClaudeCodeConversation[] {
  const shown = new Uint8Array(tree.rows.length);
  const found: ClaudeCodeConversation[] = [];
  for (let work = 0; work < mostWork; work += shown.length) {
    const leaf = tree.lastSaid(shown);
    if (leaf < 0) break;
    const { events } = tree;
    const kept = tree.conversation(leaf);
    const isMain = found.length === 0;
    found.push({
      kind: isMain ? 'main' : 'branch',
      id: String(events[leaf]?.fields['uuid']),
      opening: isMain ? undefined : openingOf(events.filter((_, index) => kept[index]! > shown[index]!)),
      // Most sessions are a single conversation. An exact copy takes less memory than a filtered list.
      events: kept.includes(0) ? events.filter((_, index) => kept[index] === 1) : [...events],
    });
    kept.forEach((isKept, index) => (shown[index] ||= isKept));
    shown[leaf] = 1;
  }
  if (found.length > 0) return found;
  return [{ kind: 'main', id: '', opening: undefined, events: [...tree.events] }];
}

/** Returns the conversations of sub-agents. Their rows are interleaved, because sub-agents work at the same time. */
function subAgentsOf(rows: readonly EventLine[]): readonly ClaudeCodeConversation[] {
  const groups = new Map<string, EventLine[]>();
  const groupOf = new Map<unknown, string>();
  let last = '';
  for (const row of rows) {
    const { agentId, uuid, parentUuid } = row.fields;
    const ownId = typeof uuid === 'string' ? uuid : String(row.line);
    if (typeof agentId === 'string') last = agentId;
    else if (parentUuid !== undefined || last === '') last = groupOf.get(parentUuid) ?? ownId;
    if (typeof uuid === 'string') groupOf.set(uuid, last);
    const group = groups.get(last);
    if (group === undefined) groups.set(last, [row]);
    else group.push(row);
  }
  return [...groups].map(([id, events]) => ({ kind: 'sub-agent', id, opening: openingOf(events), events }));
}

interface Row {
  readonly event: EventLine;
  /** Id of the reply that the row is part of, or ids of the calls that it answers. */
  readonly ids: readonly unknown[];
  /** Index of the previous row with an id. */
  readonly before: number;
  /** Index of the row's parent; −1 for a conversation's first row. */
  parent: number;
}

/** Rows of one agent as a tree. Indices are positions in `rows`. */
class Tree {
  readonly rows: Row[] = [];
  readonly events: EventLine[] = [];
  private readonly places = new Map<unknown, number>();
  /** Id of a parent that is not in the file → its children. */
  private readonly waiting = new Map<unknown, number[]>();
  private before = -1;

  add(event: EventLine): void {
    const { uuid } = event.fields;
    const index = this.rows.length;
    this.rows.push({ event, ids: idsIn(event), before: this.before, parent: -1 });
    this.events.push(event);
    if (typeof uuid === 'string') {
      this.places.set(uuid, index);
      this.before = index;
      for (const child of this.waiting.get(uuid) ?? []) this.findParent(child);
    }
    this.findParent(index);
  }

  /**
   * Compactions cut the chain and name the previous row in another field. If the parent is not in the file, the row
   * follows the previous row. A prompt without a parent begins a conversation.
   */
  private findParent(index: number): void {
    const row = this.rows[index]!;
    const { parentUuid, logicalParentUuid } = row.event.fields;
    const named = this.placeOf(parentUuid, index) ?? this.placeOf(logicalParentUuid, index) ?? index;
    const begins = parentUuid === null && isPrompt(row.event);
    row.parent = named !== index ? named : begins ? -1 : row.before;
  }

  private placeOf(id: unknown, child: number): number | undefined {
    const place = this.places.get(id);
    if (place === undefined && typeof id === 'string') {
      const children = this.waiting.get(id);
      if (children === undefined) this.waiting.set(id, [child]);
      else children.push(child);
    }
    return place;
  }

  /** Returns the index of the newest row with an id and a message, except the shown rows; −1 if none. */
  lastSaid(shown: Uint8Array): number {
    return this.rows.findLastIndex(
      ({ event }, index) => shown[index] === 0 && isSaid(event) && typeof event.fields['uuid'] === 'string',
    );
  }

  /**
   * Marks the conversation that ends in a row: the path to the row, and rows attached to that path, such as results of
   * parallel calls and notes of the program.
   */
  conversation(leaf: number): Uint8Array {
    const { rows } = this;
    const way = this.mark(leaf, new Uint8Array(rows.length));
    // Made when it is needed, because most conversations are a single path.
    let idsOnWay: ReadonlySet<unknown> | undefined;
    const isOnWay = (id: unknown) =>
      (idsOnWay ??= new Set(rows.flatMap(({ ids }, index) => (way[index] === 1 ? ids : [])))).has(id);
    const leaves = ({ event, ids }: Row): boolean => {
      if (event.fields['type'] === 'assistant') return !isErrorNotice(event.fields) && !ids.some(isOnWay);
      return ids.length > 0 ? ids.every(isOnWay) : isPrompt(event);
    };
    const leadsAway = new Uint8Array(rows.length);
    rows.forEach((row, index) => {
      if (way[index] === 0 && leaves(row)) this.mark(index, leadsAway, way);
    });
    const kept = new Map<number, boolean>();
    const isKept = (start: number): boolean => {
      const trail: number[] = [];
      let index = start;
      for (; index >= 0 && way[index] === 0 && !kept.has(index); index = rows[index]!.parent) {
        trail.push(index);
        kept.set(index, false);
      }
      let answer = index < 0 || way[index] === 1 || kept.get(index) === true;
      for (const one of trail.reverse()) {
        const row = rows[one]!;
        const goesOn = row.ids.length > 0 || row.event.fields['type'] === 'assistant';
        answer &&= !leaves(row) && (goesOn || leadsAway[one] === 0);
        kept.set(one, answer);
      }
      return answer;
    };
    return way.map((isOnIt, index) => (isOnIt === 1 || isKept(index) ? 1 : 0));
  }

  /** Marks the rows from one row back to the first row that is marked already. */
  private mark(from: number, marks: Uint8Array, others = marks): Uint8Array {
    for (let index = from; index >= 0 && marks[index] === 0 && others[index] === 0;) {
      marks[index] = 1;
      index = this.rows[index]!.parent;
    }
    return marks;
  }
}

function isSaid({ fields }: EventLine): boolean {
  return (fields['type'] === 'user' || fields['type'] === 'assistant') && isRecord(fields['message']);
}

/** True for an error of the provider that the program shows as a reply, but does not send to the model. */
export function isErrorNotice({ isApiErrorMessage }: Fields): boolean {
  return isApiErrorMessage === true;
}

/** True for a user's request, unlike results and messages that the program wrote in the user's name. */
function isPrompt({ fields }: EventLine): boolean {
  const { type, isMeta, isCompactSummary, isVisibleInTranscriptOnly, message } = fields;
  if (type !== 'user' || isMeta === true || isCompactSummary === true || isVisibleInTranscriptOnly === true) {
    return false;
  }
  return isRecord(message) && !partsIn(message).some(({ type: part }) => part === 'tool_result');
}

function idsIn({ fields: { type, message } }: EventLine): readonly unknown[] {
  if (!isRecord(message)) return [];
  if (type === 'assistant') return typeof message['id'] === 'string' ? [message['id']] : [];
  if (type !== 'user') return [];
  return partsIn(message).flatMap(({ type: part, tool_use_id: id }) => (part === 'tool_result' ? [id] : []));
}

function partsIn({ content }: Fields): readonly Fields[] {
  return recordsIn(content);
}

function openingOf(events: readonly EventLine[]): string | undefined {
  for (const row of events) {
    const { message } = row.fields;
    const text = isSaid(row) && isRecord(message) ? textOfParts(message['content'])?.trim() : undefined;
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
