import type { UsageMeter } from '../../compaction/tokens/usage.ts';

/** How often a text is made shorter until its tokens fit: how many characters a token takes depends on the text. */
const mostRounds = 12;

/**
 * What can be written in so many tokens, with as much room as they leave.
 *
 * @param write gets the room in characters; undefined where that is too little
 * @param firstRoom characters to begin with
 * @param limit tokens
 * @returns undefined where nothing fits
 */
export async function writeWithin(
  write: (room: number) => string | undefined,
  firstRoom: number,
  limit: number,
  meter: UsageMeter,
): Promise<string | undefined> {
  let room = firstRoom;
  for (let round = 0; round < mostRounds && room > 0; round++) {
    const written = write(room);
    if (written === undefined) return undefined;
    const size = await meter.countText(written);
    if (size <= limit) return written;
    room = Math.min(room - 1, Math.floor((room * limit) / size));
  }
  return undefined;
}
