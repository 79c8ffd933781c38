import { rewrittenId } from '../../compaction/records/record.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';

/**
 * Adds the summaries of messages that left a client's history. A summary leaves with the last of its sources.
 *
 * @returns undefined if only some of the sources of a summary left
 */
export function withSummaries(
  gone: ReadonlySet<string>,
  { entries }: Pick<Transcript, 'entries'>,
): ReadonlySet<string> | undefined {
  const all = new Set(gone);
  for (const { actions, requestedStrategy } of recordsInForce(entries)) {
    const brought = actions.flatMap(({ kind, outputId: id = '' }) =>
      kind === 'summarise' || kind === 'insert' ? [id] : [],
    );
    const sources = actions.flatMap(({ kind, sourceIds }) =>
      kind === 'summarise' || kind === 'drop' ? sourceIds : [],
    );
    // Messages that the client inserted are part of its history.
    if (requestedStrategy === rewrittenId || brought.length === 0) continue;
    const left = sources.filter((id) => all.has(id)).length;
    if (left === 0) continue;
    if (left < sources.length) return undefined;
    for (const id of brought) all.add(id);
  }
  return all;
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
