import { textOfParts } from '../../reading/content-parts.ts';
import { type EventLine, type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
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
  const { tree, sides } = readRows(events);
  return [...branchesOf(tree), ...subAgentsOf(sides)];
}

/** Reads each row once while the file grows. */
const readRows = readGrowing(
  (events: readonly EventLine[]) => {
    const rows = withoutRepeated(events);
    const isSideFile = !rows.some((row) => isSaid(row) && !isSide(row));
    const own = isSideFile ? rows : rows.filter((row) => !isSide(row));
    return { ids: new Set<unknown>(), isSideFile, tree: new Tree(own), sides: [] as EventLine[] };
  },
  ({ ids, isSideFile, tree, sides }, row) => {
    const { uuid } = row.fields;
    if (ids.has(uuid)) return true;
    if (typeof uuid === 'string') ids.add(uuid);
    if (isSideFile && isSaid(row) && !isSide(row)) return false;
    if (isSideFile || !isSide(row)) return tree.add(row);
    sides.push(row);
    return true;
  },
);

function isSide({ fields }: EventLine): boolean {
  return fields['isSidechain'] === true;
}

function withoutRepeated(events: readonly EventLine[]): readonly EventLine[] {
  const known = new Set<string>();
  return events.filter(({ fields: { uuid } }) => {
    if (typeof uuid !== 'string') return true;
    if (known.has(uuid)) return false;
    known.add(uuid);
    return true;
  });
}

function branchesOf(tree: Tree): readonly ClaudeCodeConversation[] {
  const shown = new Uint8Array(tree.rows.length);
  const found: ClaudeCodeConversation[] = [];
  for (let leaf = tree.lastSaid(shown), work = 0; leaf >= 0 && work < mostWork; work += shown.length) {
    const kept = tree.conversation(leaf);
    const isMain = found.length === 0;
    const eventsAt = (indices: readonly number[]) => indices.map((index) => tree.rows[index]!.event);
    found.push({
      kind: isMain ? 'main' : 'branch',
      id: tree.rows[leaf]?.id ?? '',
      opening: isMain ? undefined : openingOf(eventsAt(kept.filter((index) => shown[index] === 0))),
      events: eventsAt(kept),
    });
    for (const index of kept) shown[index] = 1;
    shown[leaf] = 1;
    leaf = tree.lastSaid(shown);
  }
  if (found.length > 0) return found;
  return [{ kind: 'main', id: '', opening: undefined, events: tree.rows.map(({ event }) => event) }];
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

/** A row with the facts that decide about its conversation. */
interface Row {
  readonly event: EventLine;
  readonly id: string | undefined;
  /** Index of the row's parent; −1 for a conversation's first row. */
  readonly parent: number;
  readonly isSaid: boolean;
  readonly isPrompt: boolean;
  /** False for an error notice. */
  readonly isReply: boolean;
  readonly replyId: string | undefined;
  /** Ids of the calls that the row answers. */
  readonly answered: readonly unknown[];
}

/** Rows of one agent as a tree. Indices are positions in `rows`. */
class Tree {
  readonly rows: Row[] = [];
  private readonly places = new Map<unknown, number>();
  /** Ids of parents that are not in the file. */
  private readonly missing = new Set<unknown>();
  /** Index of the last row with an id. */
  private before = -1;

  /** @param own the first rows to add. Parents are found among all of them, also after their children */
  constructor(own: readonly EventLine[]) {
    for (const [index, { fields }] of own.entries()) {
      if (typeof fields['uuid'] === 'string') this.places.set(fields['uuid'], index);
    }
  }

  /**
   * Adds the next row. Compactions cut the chain and name the previous row in another field. If the parent is not in
   * the file, the row follows the previous row. A prompt without a parent begins a conversation.
   *
   * @returns false if the row is the missing parent of an earlier row
   */
  add(event: EventLine): boolean {
    const { uuid, parentUuid, logicalParentUuid, type } = event.fields;
    const index = this.rows.length;
    const id = typeof uuid === 'string' ? uuid : undefined;
    if (this.missing.has(uuid)) return false;
    if (id !== undefined) this.places.set(id, index);
    const named = this.placeOf(parentUuid) ?? this.placeOf(logicalParentUuid);
    const asks = isPrompt(event);
    const begins = parentUuid === null && asks;
    this.rows.push({
      event,
      id,
      parent: named !== undefined && named !== index ? named : begins ? -1 : this.before,
      isSaid: isSaid(event),
      isPrompt: asks,
      isReply: type === 'assistant' && !isErrorNotice(event.fields),
      replyId: replyId(event),
      answered: answeredCalls(event),
    });
    if (id !== undefined) this.before = index;
    return true;
  }

  private placeOf(id: unknown): number | undefined {
    const place = this.places.get(id);
    if (place === undefined && typeof id === 'string') this.missing.add(id);
    return place;
  }

  /** Returns the index of the newest row with an id and a message, except the shown rows; −1 if none. */
  lastSaid(shown: Uint8Array): number {
    return this.rows.findLastIndex(
      ({ isSaid: says, id }, index) => shown[index] === 0 && says && id !== undefined,
    );
  }

  /**
   * Returns the conversation that ends in a row: the path to the row, and rows attached to that path, such as results
   * of parallel calls and notes of the program.
   */
  conversation(leaf: number): readonly number[] {
    const { rows } = this;
    const way = this.wayTo(leaf);
    const leaves = this.leavingTest(way);
    const leadsAway = this.leadingAway(way, leaves);
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
        const goesOn = row.answered.length > 0 || row.event.fields['type'] === 'assistant';
        answer &&= !leaves(row) && (goesOn || !leadsAway.has(one));
        kept.set(one, answer);
      }
      return answer;
    };
    const indices: number[] = [];
    for (let index = 0; index < rows.length; index++)
      if (way[index] === 1 || isKept(index)) indices.push(index);
    return indices;
  }

  /** Returns 1 for each row on the path to a row. */
  private wayTo(leaf: number): Uint8Array {
    const way = new Uint8Array(this.rows.length);
    for (let index = leaf; index >= 0 && way[index] === 0; index = this.rows[index]!.parent) way[index] = 1;
    return way;
  }

  /** Returns a test for rows off the path that begin or belong to another branch. */
  private leavingTest(way: Uint8Array): (row: Row) => boolean {
    // Made when it is needed, because most conversations are a single path.
    let answeredOnWay: ReadonlySet<unknown> | undefined;
    let replies: ReadonlySet<unknown> | undefined;
    const onWay = () => this.rows.filter((_row, index) => way[index] === 1);
    return ({ answered, isReply, replyId: id = '', isPrompt: asks }) => {
      if (answered.length > 0) {
        const known = (answeredOnWay ??= new Set(onWay().flatMap((row) => row.answered)));
        return answered.every((call) => known.has(call));
      }
      if (!isReply) return asks;
      return !(replies ??= new Set(onWay().map((row) => row.replyId))).has(id);
    };
  }

  /** Returns rows off the path that belong to another branch. */
  private leadingAway(way: Uint8Array, leaves: (row: Row) => boolean): ReadonlySet<number> {
    const leading = new Set<number>();
    for (const [start, row] of this.rows.entries()) {
      if (way[start] === 1 || !leaves(row)) continue;
      for (
        let index = start;
        index >= 0 && way[index] === 0 && !leading.has(index);
        index = this.rows[index]!.parent
      ) {
        leading.add(index);
      }
    }
    return leading;
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

function replyId({ fields }: EventLine): string | undefined {
  const id = fields['type'] === 'assistant' ? fieldsOf(fields['message'])['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function answeredCalls({ fields }: EventLine): readonly unknown[] {
  const { type, message } = fields;
  if (type !== 'user' || !isRecord(message)) return [];
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
