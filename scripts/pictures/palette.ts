/** Colours of a picture as `0xRRGGBB`, reduced to a few. */
export interface Palette {
  readonly entries: readonly number[];
  /** Colour of the picture → index of its entry. */
  readonly indexOf: ReadonlyMap<number, number>;
}

/** A colour and the number of its pixels. */
type Count = readonly [colour: number, pixels: number];

/** Colours that share an entry, and their largest difference from the entry in one channel. */
interface Box {
  readonly counts: readonly Count[];
  readonly shift: number;
  readonly mean: number;
  readonly error: number;
}

const shifts = [16, 8, 0] as const;

/**
 * Reduces the colours of a picture. Repeatedly splits the group whose colours differ most, until there are enough
 * groups.
 *
 * @param limit maximum number of entries; a byte can name 256
 */
export function paletteOf(colours: Iterable<number>, limit = 256): Palette {
  const pixels = new Map<number, number>();
  for (const colour of colours) pixels.set(colour, (pixels.get(colour) ?? 0) + 1);
  const boxes = [boxOf([...pixels])];
  while (boxes.length < limit) {
    const worst = boxes.reduce((found, box) => (box.error > found.error ? box : found));
    if (worst.error === 0) break;
    const { counts, shift, mean } = worst;
    const isLow = ([colour]: Count) => channel(colour, shift) <= mean;
    boxes.splice(
      boxes.indexOf(worst),
      1,
      boxOf(counts.filter(isLow)),
      boxOf(counts.filter((count) => !isLow(count))),
    );
  }
  return {
    entries: boxes.map(({ counts }) => entryOf(counts)),
    indexOf: new Map(
      boxes.flatMap(({ counts }, index) => counts.map(([colour]) => [colour, index] as const)),
    ),
  };
}

function boxOf(counts: readonly Count[]): Box {
  const all = sum(counts, () => 1);
  const [first, ...others] = shifts.map((shift) => {
    const mean = sum(counts, (colour) => channel(colour, shift)) / all;
    const error = counts.length === 1 ? 0 : sum(counts, (colour) => (channel(colour, shift) - mean) ** 2);
    return { counts, shift, mean, error };
  });
  return others.reduce((found, box) => (box.error > found.error ? box : found), first!);
}

/**
 * The most frequent colour if half of the pixels have it, so that plain areas stay unchanged; otherwise, the mean of
 * the colours.
 */
function entryOf(counts: readonly Count[]): number {
  const all = sum(counts, () => 1);
  const [colour, pixels] = counts.reduce((found, count) => (count[1] > found[1] ? count : found));
  if (pixels * 2 >= all) return colour;
  return shifts.reduce<number>(
    (mixed, shift) => mixed + (Math.round(sum(counts, (each) => channel(each, shift)) / all) << shift),
    0,
  );
}

function sum(counts: readonly Count[], valueOf: (colour: number) => number): number {
  return counts.reduce((total, [colour, pixels]) => total + valueOf(colour) * pixels, 0);
}

function channel(colour: number, shift: number): number {
  return (colour >> shift) & 255;
}
