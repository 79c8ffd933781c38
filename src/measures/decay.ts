import { coverageOf } from '../compaction/ledger/coverage.ts';
import type { Message } from '../compaction/message.ts';
import type { Coverage } from '../compaction/record.ts';
import { artifactsOf } from './artifacts.ts';
import { keptArtifacts, type KeptArtifacts } from './need-later.ts';

/** What is left of the first segment after one more compaction. */
export interface DecayStep {
  /** Whether this compaction changed the view. */
  readonly isCompacted: boolean;
  /** What calls of the first segment worked with, by the probe's extractor. */
  readonly artifacts: KeptArtifacts;
  /** The first segment's facts, by the ledger's extractor. */
  readonly facts: Coverage;
}

/**
 * Decay: how much of the first segment of a transcript a view still says after each of several compactions. The
 * first segment is compacted, the next one is appended to what is left, that is compacted, and so on.
 *
 * @param cuts ends of the segments, rising; one compaction at each
 * @param compactView gives back the smaller view, or the same one; `history` is everything said so far
 */
export async function decayOf(
  messages: readonly Message[],
  cuts: readonly number[],
  compactView: (view: readonly Message[], history: readonly Message[]) => Promise<readonly Message[]>,
): Promise<readonly DecayStep[]> {
  const first = messages.slice(0, cuts[0] ?? 0);
  const artifacts = artifactsOf(first);
  const steps: DecayStep[] = [];
  let view: readonly Message[] = [];
  let start = 0;
  for (const cut of cuts) {
    const before = [...view, ...messages.slice(start, cut)];
    view = await compactView(before, messages.slice(0, cut));
    steps.push({
      isCompacted: view !== before,
      artifacts: keptArtifacts(artifacts, view),
      facts: coverageOf(first, view),
    });
    start = cut;
  }
  return steps;
}
