import { textOfParts } from '../../reading/content-parts.ts';
import type { EventLine, Fields } from '../../reading/fields.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Rows of one conversation, in the order of the file. */
interface ClaudeCodeConversation {
  readonly kind: 'main' | 'branch' | 'sub-agent';
  readonly id: string;
  /** The first thing that was said in it and not in the one in force. */
  readonly opening: string | undefined;
  readonly events: readonly EventLine[];
}

/** Rows that are looked at to tell branches apart, all branches together: a bound on the time that it takes. */
const mostWork = 50_000_000;

/**
 * Tells the conversations of a Claude Code file apart. Rows form a tree: each names the one before it, and going back
 * or trying again begins a branch. The branch written to last is active. A row that is in the file twice
 * counts where it first stood.
 *
 * @returns the conversation in force first, then other branches, the newest first, then those of sub-agents. A file
 *   that holds nothing but a sub-agent's is that conversation.
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

/** Sub-agents work at the same time, so that their rows stand between each other's. */
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

/** Rows of one agent by their parents. Indices are positions in the rows. */
class Tree {
  private readonly rows: readonly EventLine[];
  /** −1 for a row that begins a conversation. A row without an id goes with the one before it. */
  private readonly parents: readonly number[];

  constructor(rows: readonly EventLine[]) {
    this.rows = rows;
    this.parents = parentsOf(rows);
  }

  /** The newest row with an id that says something, of those that were not shown; −1 if there is none. */
  lastSaid(shown: ReadonlySet<number>): number {
    return this.rows.findLastIndex(
      (row, index) => !shown.has(index) && isSaid(row) && typeof row.fields['uuid'] === 'string',
    );
  }

  /**
   * The conversation that ends in a row: the way to it, and what hangs on that way without leading elsewhere, as the
   * results of calls that were made together, and what the program noted.
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

  /** Rows off the way that another branch goes through. */
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
 * Compactions cut the chain and name the row before them in another field. A parent that is in no row was the program's
 * own: the row goes on from the one before it. A prompt that says it has no parent starts over.
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

/** An error of the provider that the program shows in the model's place; the model is never told. */
export function isErrorNotice({ isApiErrorMessage }: Fields): boolean {
  return isApiErrorMessage === true;
}

/** True for a person's request, as opposed to results and to what the program wrote in their name. */
function isPrompt({ fields }: EventLine): boolean {
  const { type, isMeta, isCompactSummary, isVisibleInTranscriptOnly, message } = fields;
  if (type !== 'user' || isMeta === true || isCompactSummary === true || isVisibleInTranscriptOnly === true) {
    return false;
  }
  return isRecord(message) && !partsIn(message).some(({ type: part }) => part === 'tool_result');
}

function replyId({ fields }: EventLine): string | undefined {
  const { type, message } = fields;
  const id = type === 'assistant' && isRecord(message) ? message['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

function answeredCalls({ fields }: EventLine): readonly unknown[] {
  const { type, message } = fields;
  if (type !== 'user' || !isRecord(message)) return [];
  return partsIn(message).flatMap(({ type: part, tool_use_id: id }) => (part === 'tool_result' ? [id] : []));
}

function partsIn({ content }: Fields): readonly Fields[] {
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function openingOf(events: readonly EventLine[]): string | undefined {
  for (const row of events) {
    const { message } = row.fields;
    const text = isSaid(row) && isRecord(message) ? textOfParts(message['content'])?.trim() : undefined;
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}
