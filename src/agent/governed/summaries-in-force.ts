import { rewrittenId } from '../../compaction/records/record.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';

/** Messages and summaries that leave a client's history together. */
interface LeavingMessages {
  /** Ids of the messages that left, and of summaries without a source that stays. */
  readonly gone: ReadonlySet<string>;
  /** Ids of messages that stay, but have a summary together with messages that left. */
  readonly torn: ReadonlySet<string>;
}

/**
 * Finds the summaries that leave with their messages.
 *
 * @param left messages that left
 * @param staying messages that stay
 */
export function leavingMessages(
  left: ReadonlySet<string>,
  staying: ReadonlySet<string>,
  { entries }: Pick<Transcript, 'entries'>,
): LeavingMessages {
  const gone = new Set(left);
  const torn = new Set<string>();
  /** Ids of the client's messages in each summary. */
  const contents = new Map<string, readonly string[]>();
  for (const { actions, requestedStrategy } of recordsInForce(entries)) {
    const brought = actions.flatMap(({ kind, outputId: id = '' }) =>
      kind === 'summarise' || kind === 'insert' ? [id] : [],
    );
    // Messages that the client inserted are part of its history.
    if (requestedStrategy === rewrittenId || brought.length === 0) continue;
    const sources = actions.flatMap(({ kind, sourceIds }) =>
      kind === 'summarise' || kind === 'drop' ? sourceIds : [],
    );
    const messages = sources.flatMap((id) => contents.get(id) ?? [id]);
    for (const id of brought) contents.set(id, messages);
    if (!sources.some((id) => gone.has(id)) && !messages.some((id) => torn.has(id))) continue;
    const kept = messages.filter((id) => staying.has(id));
    for (const id of kept) torn.add(id);
    if (kept.length === 0) for (const id of brought) gone.add(id);
  }
  return { gone, torn };
}

/** Returns the last of these messages in the view, or the summary that contains it; `null` if both are missing. */
export function shownBefore(
  ids: readonly (string | undefined)[],
  { view, entries }: Pick<Transcript, 'view' | 'entries'>,
): string | null {
  const shown = new Set(view.map(({ id }) => id));
  const summaryOf = new Map(
    recordsInForce(entries).flatMap(({ actions }) =>
      actions.flatMap(({ sourceIds, outputId: id }) => sourceIds.map((source) => [source, id] as const)),
    ),
  );
  const placeOf = (id: string | undefined): string | undefined => {
    for (let place = id; place !== undefined; place = summaryOf.get(place)) {
      if (shown.has(place)) return place;
      if (summaryOf.get(place) === place) return undefined;
    }
    return undefined;
  };
  return ids.map(placeOf).findLast((id) => id !== undefined) ?? null;
}
