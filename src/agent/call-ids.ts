import type { ToolCall } from '../compaction/message.ts';

/**
 * The calls of a reply with an id each that no other one has. Some servers leave ids out, or give the same to several
 * calls; a result has to name the one call that it answers.
 *
 * @param idFor an id for the call at a position
 */
export function withOwnIds(
  calls: readonly ToolCall[],
  idFor: (position: number) => string,
): readonly ToolCall[] {
  const taken = new Set<string>(calls.map(({ id }) => id));
  const seen = new Set<string>();
  return calls.map((call, position) => {
    const isOwn = call.id !== '' && !seen.has(call.id);
    let id = isOwn ? call.id : idFor(position);
    for (let number = 2; !isOwn && taken.has(id); number++) id = `${idFor(position)}_${number}`;
    taken.add(id);
    seen.add(id);
    return isOwn ? call : { ...call, id };
  });
}
