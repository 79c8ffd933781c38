import { diffArrays } from 'diff';
import { createHash } from 'node:crypto';
import { memoised } from '../../compaction/messages/memoise.ts';
import { contentParts, type Message, textOf, type ToolCall } from '../../compaction/messages/message.ts';

/** A message of a client's history, without id and time, which only the transcript has. */
export type SentMessage = Omit<Message, 'id' | 'createdAt'>;

/** A message of a client's history, as far as two histories are compared. */
export interface Compared extends Pick<Message, 'role' | 'tool_call_id'> {
  /** Equal for messages that a model reads alike. */
  readonly key: string;
}

/** True if a model reads two histories alike. */
export function areAlike(one: readonly Compared[], other: readonly Compared[]): boolean {
  return one.length === other.length && one.every(({ key }, index) => key === other[index]?.key);
}

/** New messages before the last one that stayed. Indices `from` to `to` are in the new history. */
interface Insertion {
  readonly from: number;
  readonly to: number;
  /** Earlier messages that left from this place. */
  readonly gone: readonly number[];
}

/** Changes of a client's history since its last request. Numbers are indices in the two histories. */
export interface HistoryChange {
  /** New index → earlier index, for messages that stayed and for messages that were rewritten in their places. */
  readonly earlier: ReadonlyMap<number, number>;
  /** New indices of messages that were rewritten in their places. */
  readonly rewritten: readonly number[];
  /** Earlier indices of messages that left, in order. */
  readonly gone: readonly number[];
  readonly insertions: readonly Insertion[];
  /** New index from which all messages are added at the end. */
  readonly appendedFrom: number;
  /** High for a history that continues the earlier one; undefined for another conversation. */
  readonly likeness: number | undefined;
}

/** Returns a change in which the messages from a new index on leave, and are added at the end. */
export function addedAgainFrom(first: number, change: HistoryChange): HistoryChange {
  const { earlier, rewritten, gone, insertions } = change;
  const isBefore = (index: number) => index < first;
  const again = Array.from(earlier).flatMap(([fresh, old]) => (isBefore(fresh) ? [] : [old]));
  return {
    ...change,
    earlier: new Map(Array.from(earlier).filter(([fresh]) => isBefore(fresh))),
    rewritten: rewritten.filter(isBefore),
    gone: [...gone, ...again].toSorted((one, other) => one - other),
    insertions: insertions.filter(({ from }) => isBefore(from)),
    appendedFrom: first,
  };
}

/** A run of messages that stayed, or that changed. Ends are exclusive. */
interface Run {
  readonly isSame: boolean;
  readonly before: Range;
  readonly after: Range;
}

type Range = readonly [start: number, end: number];

/** Maximum number of differences. Histories with more differences are of two conversations. */
const mostDifferences = 4_000;

/** Describes a message for comparisons. Reasoning does not count, because clients return it or leave it out. */
export const comparedTo = memoised((message: SentMessage): Compared => {
  const { role, content, tool_calls: calls = [], tool_call_id } = message;
  const isText = contentParts(content).every(({ type, text }) => type === 'text' && text !== undefined);
  const text = isText ? textOf(content).trim() : JSON.stringify(content);
  const form = [
    role === 'developer' ? 'system' : role,
    isText,
    calls.map(({ id, function: called }) => [id, called.name, sortedJson(called)]),
    tool_call_id,
  ];
  const key = createHash('sha256').update(JSON.stringify(form)).update(text).digest('base64');
  return { key, role, ...(tool_call_id === undefined ? {} : { tool_call_id }) };
});

/** Returns arguments with their keys in order, because clients parse them and write them again. */
function sortedJson({ arguments: written }: ToolCall['function']): string {
  try {
    return JSON.stringify(JSON.parse(written), (_key, value: unknown) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    );
  } catch {
    return written;
  }
}

/** Number of messages at the end of a history that are searched for a common one. */
const lastMessages = 8;

/**
 * False if a history keeps neither the first prompt nor one of the last messages of an earlier one, so that it is of
 * another conversation. A full comparison of two long histories is slow.
 */
export function canContinue(before: readonly Compared[], after: readonly Compared[]): boolean {
  const keys = new Set(after.map(({ key }) => key));
  const prompt = before.find(({ role }) => role === 'user');
  const telling = [...before.slice(-lastMessages), ...(prompt === undefined ? [] : [prompt])];
  return telling.some(({ key }) => keys.has(key));
}

/** Compares a client's history with its earlier one. @returns undefined if they have too little in common to tell */
export function changeBetween(
  before: readonly Compared[],
  after: readonly Compared[],
): HistoryChange | undefined {
  const compared = runsOf(before, after);
  if (compared === undefined) return undefined;
  const runs = withoutMoved(compared);
  const earlier = new Map<number, number>();
  const rewritten: number[] = [];
  const gone: number[] = [];
  const insertions: Insertion[] = [];
  let appendedFrom = after.length;
  for (const [position, run] of runs.entries()) {
    const [old, fresh] = [indices(run.before), indices(run.after)];
    const isEnd = position === runs.length - 1;
    const pairs = run.isSame ? old.length : rewrittenInPlace(run, before, after, isEnd);
    for (let pair = 0; pair < pairs; pair++) {
      earlier.set(fresh[pair]!, old[pair]!);
      if (!run.isSame) rewritten.push(fresh[pair]!);
    }
    gone.push(...old.slice(pairs));
    const [from, to] = [run.after[0] + pairs, run.after[1]];
    if (isEnd) appendedFrom = from;
    else if (from < to) insertions.push({ from, to, gone: old.slice(pairs) });
  }
  return { earlier, rewritten, gone, insertions, appendedFrom, likeness: likenessOf(runs, after) };
}

function indices([start, end]: Range): readonly number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** Splits two histories into runs that stayed and runs that changed, in turn. */
function runsOf(before: readonly Compared[], after: readonly Compared[]): readonly Run[] | undefined {
  const keysOf = (history: readonly Compared[]) => history.map(({ key }) => key);
  const parts = diffArrays(keysOf(before), keysOf(after), { maxEditLength: mostDifferences });
  if (parts === undefined) return undefined;
  const runs: Run[] = [];
  let [old, fresh] = [0, 0];
  for (const { added, removed, count } of parts) {
    const isSame = !added && !removed;
    const ends = [added ? old : old + count, removed ? fresh : fresh + count] as const;
    const last = runs.at(-1);
    const joins = last !== undefined && !last.isSame && !isSame;
    const [start, from] = joins ? [last.before[0], last.after[0]] : [old, fresh];
    if (joins) runs.pop();
    runs.push({ isSame, before: [start, ends[0]], after: [from, ends[1]] });
    [old, fresh] = ends;
  }
  return runs;
}

/**
 * Joins the end of a history if the client only moved its last messages, such as reminders that it always puts last.
 * The messages before them are then added at the end, and not inserted.
 */
function withoutMoved(runs: readonly Run[]): readonly Run[] {
  const last = runs.findLastIndex(({ isSame }) => isSame);
  const [added, moved] = [runs[last - 1], runs[last]];
  if (added === undefined || moved === undefined) return runs;
  const isInserted = lengthOf(added.after) > lengthOf(added.before);
  if (!isInserted || lengthOf(added.after) < lengthOf(moved.after)) return runs;
  const end = runs.at(-1) ?? moved;
  const joined: Run = {
    isSame: false,
    before: [added.before[0], end.before[1]],
    after: [added.after[0], end.after[1]],
  };
  return withoutMoved([...runs.slice(0, last - 1), joined]);
}

function lengthOf([start, end]: Range): number {
  return end - start;
}

/** Returns how many messages at the start of a changed run were rewritten in their places, one for one. */
function rewrittenInPlace(
  { before: [old, oldEnd], after: [fresh, freshEnd] }: Run,
  before: readonly Compared[],
  after: readonly Compared[],
  isEnd: boolean,
): number {
  const most = Math.min(oldEnd - old, freshEnd - fresh);
  let pairs = 0;
  while (pairs < most && isSamePlace(before[old + pairs]!, after[fresh + pairs]!, isEnd)) pairs++;
  // Elsewhere, messages that match only in part are another text in place of several messages.
  return isEnd || pairs === Math.max(oldEnd - old, freshEnd - fresh) ? pairs : 0;
}

/** @param isEnd true at the end of a history, where another prompt is a new prompt */
function isSamePlace(one: Compared, other: Compared, isEnd: boolean): boolean {
  if (one.role !== other.role || one.tool_call_id !== other.tool_call_id) return false;
  return !isEnd || one.role === 'assistant' || one.role === 'tool';
}

/**
 * Weighs the kept messages against the lost ones. A history that neither keeps a prompt nor only grew is of another
 * conversation.
 */
function likenessOf(runs: readonly Run[], after: readonly Compared[]): number | undefined {
  const last = runs.findLastIndex(({ isSame }) => isSame);
  let [kept, inserted, lost] = [0, 0, 0];
  let keepsPrompt = false;
  for (const [position, run] of runs.entries()) {
    if (run.isSame) {
      kept += lengthOf(run.after);
      keepsPrompt ||= after.slice(...run.after).some(({ role }) => role === 'user');
    } else if (position < last) inserted += lengthOf(run.after);
    else lost += lengthOf(run.before);
  }
  const isLonger = inserted + lost === 0;
  return (keepsPrompt || isLonger) && kept > inserted && kept >= lost ? kept - inserted - lost : undefined;
}
