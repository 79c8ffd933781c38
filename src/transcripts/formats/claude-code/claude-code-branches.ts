import { textOfParts } from '../../reading/content-parts.ts';
import { type EventLine, type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
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
  const rows = withoutRepeated(events);
  const isSide = ({ fields }: EventLine) => fields['isSidechain'] === true;
  const isSideFile = !rows.some((row) => isSaid(row) && !isSide(row));
  const own = isSideFile ? rows : rows.filter((row) => !isSide(row));
  return [...branchesOf(own), ...(isSideFile ? [] : subAgentsOf(rows.filter(isSide)))];
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

function branchesOf(rows: readonly EventLine[]): readonly ClaudeCodeConversation[] {
  const tree = new Tree(rows);
  const shown = new Set<number>();
  const found: ClaudeCodeConversation[] = [];
  for (let leaf = tree.lastSaid(shown), work = 0; leaf >= 0 && work < mostWork; work += rows.length) {
    const kept = tree.conversation(leaf);
    const isMain = found.length === 0;
    const fresh = kept.filter((index) => !shown.has(index));
    const { uuid } = rows[leaf]?.fields ?? {};
    found.push({
      kind: isMain ? 'main' : 'branch',
      id: typeof uuid === 'string' ? uuid : '',
      opening: isMain ? undefined : openingOf(fresh.map((index) => rows[index]!)),
      events: kept.map((index) => rows[index]!),
    });
    for (const index of kept) shown.add(index);
    shown.add(leaf);
    leaf = tree.lastSaid(shown);
  }
  return found.length > 0 ? found : [{ kind: 'main', id: '', opening: undefined, events: rows }];
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

/** Rows of one agent as a tree. Indices are positions in `rows`. */
class Tree {
  private readonly rows: readonly EventLine[];
  /** Index of each row's parent; −1 for a conversation's first row. A row without an id follows the previous row. */
  private readonly parents: readonly number[];

  constructor(rows: readonly EventLine[]) {
    this.rows = rows;
    this.parents = parentsOf(rows);
  }

  /** Returns the index of the newest row with an id and a message, except the shown rows; −1 if none. */
  lastSaid(shown: ReadonlySet<number>): number {
    return this.rows.findLastIndex(
      (row, index) => !shown.has(index) && isSaid(row) && typeof row.fields['uuid'] === 'string',
    );
  }

  /**
   * Returns the conversation that ends in a row: the path to the row, and rows attached to that path, such as results
   * of parallel calls and notes of the program.
   */
  conversation(leaf: number): readonly number[] {
    const way = this.wayTo(leaf);
    const onWay = [...way].map((index) => this.rows[index]!);
    const replies = new Set(onWay.flatMap((row) => replyId(row) ?? []));
    const answered = new Set(onWay.flatMap(answeredCalls));
    const leaves = (row: EventLine): boolean => {
      const calls = answeredCalls(row);
      if (calls.length > 0) return calls.every((call) => answered.has(call));
      if (row.fields['type'] === 'assistant')
        return !isErrorNotice(row.fields) && !replies.has(replyId(row) ?? '');
      return isPrompt(row);
    };
    const leadsAway = this.leadingAway(way, leaves);
    const kept = new Map<number, boolean>();
    const isKept = (start: number): boolean => {
      const trail: number[] = [];
      let index = start;
      for (; index >= 0 && !way.has(index) && !kept.has(index); index = this.parents[index] ?? -1) {
        trail.push(index);
        kept.set(index, false);
      }
      let answer = index < 0 || way.has(index) || kept.get(index) === true;
      for (const one of trail.reverse()) {
        const row = this.rows[one]!;
        const goesOn = answeredCalls(row).length > 0 || row.fields['type'] === 'assistant';
        answer &&= !leaves(row) && (goesOn || !leadsAway.has(one));
        kept.set(one, answer);
      }
      return way.has(start) || answer;
    };
    return this.rows.map((_row, index) => index).filter(isKept);
  }

  private wayTo(leaf: number): ReadonlySet<number> {
    const way = new Set<number>();
    for (let index = leaf; index >= 0 && !way.has(index); index = this.parents[index] ?? -1) way.add(index);
    return way;
  }

  /** Returns rows off the path that belong to another branch. */
  private leadingAway(way: ReadonlySet<number>, leaves: (row: EventLine) => boolean): ReadonlySet<number> {
    const leading = new Set<number>();
    for (const [start, row] of this.rows.entries()) {
      if (way.has(start) || !leaves(row)) continue;
      for (
        let index = start;
        index >= 0 && !way.has(index) && !leading.has(index);
        index = this.parents[index] ?? -1
      ) {
        leading.add(index);
      }
    }
    return leading;
  }
}

/**
 * Returns the index of each row's parent. Compactions cut the chain and name the previous row in another field. If
 * the parent is not in the file, the row follows the previous row. A prompt without a parent begins a conversation.
 */
function parentsOf(rows: readonly EventLine[]): readonly number[] {
  const places = new Map<unknown, number>();
  for (const [index, { fields }] of rows.entries()) {
    if (typeof fields['uuid'] === 'string') places.set(fields['uuid'], index);
  }
  let before = -1;
  return rows.map((row, index) => {
    const { uuid, parentUuid, logicalParentUuid } = row.fields;
    const named = places.get(parentUuid) ?? places.get(logicalParentUuid);
    const begins = parentUuid === null && isPrompt(row);
    const parent = named !== undefined && named !== index ? named : begins ? -1 : before;
    if (typeof uuid === 'string') before = index;
    return parent;
  });
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
