import { blocksOf } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import { protections, type ProtectionCause, type ProtectionOptions } from '../messages/protection.ts';
import type { RecordedPart } from '../records/record.ts';
import { messagesOf, type Transcript } from '../transcript/transcript.ts';

/** A range of a conversation that the user chose, given by the ids of its first and last original message. */
export interface PartRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** True to continue from before the range. Even the newest request may then be removed. */
  readonly rewinds?: boolean | undefined;
}

/** A part of a view: one or more whole exchanges. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly rewinds: boolean;
  /** True if the range split an exchange, so that the part was extended to the whole exchange. */
  readonly isWidened: boolean;
}

/** Finds the part of the view that a range covers. @returns undefined if the view has no message of the range */
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

/** Message id → index among the original messages. An added message has the index of the message before it. */
function positionsOf({ entries, view }: Pick<Transcript, 'entries' | 'view'>): ReadonlyMap<string, number> {
  const positions = new Map(messagesOf({ entries }).map(({ id }, index) => [id, index]));
  let position = 0;
  for (const { id } of view) {
    position = positions.get(id) ?? position;
    positions.set(id, position);
  }
  return positions;
}

export function recordedPart(view: readonly Message[], { start, end, rewinds }: Part): RecordedPart {
  const [firstId = '', lastId = ''] = [view[start]?.id, view[end - 1]?.id];
  return { firstId, lastId, ...(rewinds ? { rewinds } : {}) };
}

/** Reasons that protect a message even if the conversation continues from elsewhere. */
const lasting: ReadonlySet<ProtectionCause> = new Set(['system', 'memory', 'pin']);

/** Finds protected messages by id, with the reason. If the user goes back, most reasons count only before the part. */
export function protectionsFor(
  view: readonly Message[],
  part: Part | undefined,
  options: ProtectionOptions,
): ReadonlyMap<string, ProtectionCause> {
  if (part?.rewinds !== true) return protections(view, options);
  const everywhere = [...protections(view, options)].filter(([, cause]) => lasting.has(cause));
  return new Map([...protections(view.slice(0, part.start), options), ...everywhere]);
}

/** Target size of a part, as a share of its size. A user who chooses a part wants it small. */
const targetShare = 0.25;

export function targetOfPart(partTokens: number, toolTokens: number): number {
  return toolTokens + Math.floor(partTokens * targetShare);
}

/** Returns the original messages of a part, oldest first, including messages that are no longer in the view. */
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
