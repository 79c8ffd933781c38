import { isDeepStrictEqual } from 'node:util';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { Imported } from '../../transcripts/reading/transcript-format.ts';

/**
 * A later state of a session, with the objects of an earlier one wherever they say the same: what was counted or
 * measured of them need not be counted again.
 */
export function withKnownParts<Read extends Imported>(later: Read, earlier: Imported): Read {
  const { tools } = earlier;
  const entries = later.entries.map((entry, index): TranscriptEntry => {
    const known = earlier.entries[index];
    return known !== undefined && isDeepStrictEqual(known, entry) ? known : entry;
  });
  return { ...later, entries, tools: isDeepStrictEqual(tools, later.tools) ? tools : later.tools };
}
