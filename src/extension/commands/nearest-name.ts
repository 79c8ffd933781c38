/** Largest share of a name that may be wrong. */
const mostWrong = 1 / 2;

/**
 * The name that somebody most likely meant: one that begins with what was typed, or else the one with the fewest
 * letters to change. Undefined where none is near.
 */
export function nearestName<Name extends string>(typed: string, names: readonly Name[]): Name | undefined {
  const begun = typed.length < 2 ? undefined : names.find((name) => name.startsWith(typed));
  if (begun !== undefined) return begun;
  const ranked = names
    .map((name) => ({ name, distance: changesBetween(typed, name) }))
    .sort((one, other) => one.distance - other.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= best.name.length * mostWrong ? best.name : undefined;
}

/** Letters to insert, remove, replace or swap with their neighbour. */
function changesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > other.length) return Number.POSITIVE_INFINITY;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
