import { blocksOf } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import { protections, type ProtectionCause, type ProtectionOptions } from '../messages/protection.ts';
import type { RecordedPart } from '../records/record.ts';
import { messagesOf, type Transcript } from '../transcript/transcript.ts';

/** A range of a conversation that a person chose, by the ids of messages as they were said; both ends belong to it. */
export interface PartRange {
  /** The beginning of the conversation if not given. */
  readonly from?: string | undefined;
  /** The end of the conversation if not given. */
  readonly to?: string | undefined;
  /** True to go on from before the range: the newest request in it may leave, too. */
  readonly rewinds?: boolean | undefined;
}

/** A part of a view: whole exchanges, and at least one. */
export interface Part {
  /** Index of its first message in the view. */
  readonly start: number;
  /** Index after its last message. */
  readonly end: number;
  readonly rewinds: boolean;
  /** True if the range cut an exchange, so that the part has all of it. */
  readonly isWidened: boolean;
}

/**
 * The part of the view that a range covers. What a compaction put into the view stands where the message before it
 * stands. Undefined if nothing of the range is in the view.
 */
export function partOf(transcript: Pick<Transcript, 'entries' | 'view'>, range: PartRange): Part | undefined {
  const positions = positionsOf(transcript);
  const first = range.from === undefined ? 0 : positions.get(range.from);
  const last = range.to === undefined ? Number.POSITIVE_INFINITY : positions.get(range.to);
  if (first === undefined || last === undefined || first > last) return undefined;
  const isChosen = transcript.view.map(({ id }) => {
    const position = positions.get(id) ?? 0;
    return position >= first && position <= last;
  });
  const touched = blocksOf(transcript.view).filter(({ start, end }) =>
    isChosen.slice(start, end).includes(true),
  );
  const [start, end] = [touched[0]?.start, touched.at(-1)?.end];
  if (start === undefined || end === undefined) return undefined;
  const isWidened = isChosen.slice(start, end).includes(false);
  return { start, end, rewinds: range.rewinds === true, isWidened };
}

/** Message id → place in what was said. What a compaction brought has the place of the message before it. */
function positionsOf({ entries, view }: Pick<Transcript, 'entries' | 'view'>): ReadonlyMap<string, number> {
  const positions = new Map(messagesOf({ entries }).map(({ id }, index) => [id, index]));
  let position = 0;
  for (const { id } of view) {
    position = positions.get(id) ?? position;
    positions.set(id, position);
  }
  return positions;
}

/** A part as a record names it. */
export function recordedPart(view: readonly Message[], { start, end, rewinds }: Part): RecordedPart {
  const [firstId = '', lastId = ''] = [view[start]?.id, view[end - 1]?.id];
  return { firstId, lastId, ...(rewinds ? { rewinds } : {}) };
}

/** Reasons that protect a message wherever the conversation goes on. */
const lasting: ReadonlySet<ProtectionCause> = new Set(['system', 'memory', 'pin']);

/**
 * Protected messages, by id, with the reason. If a person goes back, the requests in the part are no longer the newest;
 * those before it are.
 */
export function protectionsFor(
  view: readonly Message[],
  part: Part | undefined,
  options: ProtectionOptions,
): ReadonlyMap<string, ProtectionCause> {
  if (part?.rewinds !== true) return protections(view, options);
  const everywhere = [...protections(view, options)].filter(([, cause]) => lasting.has(cause));
  return new Map([...protections(view.slice(0, part.start), options), ...everywhere]);
}

/** Share of its size that a part should come down to: a person who chose it wants it small. */
const targetShare = 0.25;

/** Target for a part, in tokens, tool schemas included. */
export function targetOfPart(partTokens: number, toolTokens: number): number {
  return toolTokens + Math.floor(partTokens * targetShare);
}

/** The messages from the beginning to the end of a part, oldest first, including those no longer in the view. */
export function historyOf(
  history: readonly Message[],
  view: readonly Message[],
  { start, end }: Part,
): readonly Message[] {
  const position = new Map(history.map(({ id }, index) => [id, index]));
  const known = (messages: readonly Message[]) => messages.flatMap(({ id }) => position.get(id) ?? []);
  const before = known(view.slice(0, start)).at(-1) ?? -1;
  const after = known(view.slice(end))[0] ?? history.length;
  return history.slice(before + 1, after);
}
