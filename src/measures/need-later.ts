import { coverageOf } from '../compaction/ledger/coverage.ts';
import { isTyped, type Message, textOf, typedText } from '../compaction/messages/message.ts';
import type { Coverage, Kept } from '../compaction/records/record.ts';
import { type ArtifactKind, artifactKinds, type Artifacts, artifactsOf } from './artifacts.ts';
import { type ViewText, viewTextOf } from './view-text.ts';

/** Earlier facts that later calls use, and how many of them a view still holds. */
export interface NeedLater {
  /** Needed: what calls after the cut use and calls before it had used already. */
  readonly reused: KeptArtifacts;
  /** Needed: what calls after the cut use and any text before it held, tool output included. Stricter. */
  readonly mentioned: KeptArtifacts;
}

type KeptArtifacts = Readonly<Record<ArtifactKind, Kept>>;

/** Missing artifacts named; the numbers count all of them. */
const namedMissing = 50;

/**
 * Need-later recall: of the files, commands and identifiers that tool calls after a cut use and that occurred before
 * it, those that a view compacted at the cut still says. What was not needed later does not count, so keeping it earns
 * nothing; what later calls came by on their own does not count either. Presence is not comprehension: it is what a
 * model would need at the least.
 *
 * An artifact is there if its text is in the view as whole words: in a content, the name of a tool or an
 * argument, escapes decoded, white space folded.
 *
 * @param messages the whole transcript
 * @param cut index of the first message that was not said yet
 * @param view what was left of the messages before the cut
 */
export function needLater(messages: readonly Message[], cut: number, view: readonly Message[]): NeedLater {
  const before = messages.slice(0, cut);
  const used = artifactsOf(before);
  const said = viewTextOf(before);
  const later = artifactsOf(messages.slice(cut));
  const left = viewTextOf(view);
  return {
    reused: keptOf(later, left, (kind, artifact) => used[kind].has(artifact)),
    mentioned: keptOf(later, left, (_kind, artifact) => said.has(artifact)),
  };
}

/** Counts the typed messages whose full text is still in the view. */
export function keptTyped(messages: readonly Message[], view: readonly Message[]): Kept {
  const left = viewTextOf(view);
  const typed = messages
    .filter(isTyped)
    .map((message) => (message.typed === undefined ? typedText(message) : textOf(message.content)));
  const missing = typed.filter((text) => !left.has(text));
  return {
    kept: typed.length - missing.length,
    total: typed.length,
    missing: missing.slice(0, namedMissing),
  };
}

/** Of some artifacts, those that a view still says. */
function keptArtifacts(artifacts: Artifacts, view: readonly Message[]): KeptArtifacts {
  return keptOf(artifacts, viewTextOf(view), () => true);
}

/** The share that was kept, 0 to 1; undefined if nothing was needed. */
export function recallOf({ kept, total }: Kept): number | undefined {
  return total === 0 ? undefined : kept / total;
}

function keptOf(
  artifacts: Artifacts,
  left: ViewText,
  isNeeded: (kind: ArtifactKind, artifact: string) => boolean,
): KeptArtifacts {
  const kept = (kind: ArtifactKind): Kept => {
    const needed = [...artifacts[kind]].filter((artifact) => isNeeded(kind, artifact));
    const missing = needed.filter((artifact) => !left.has(artifact));
    return {
      kept: needed.length - missing.length,
      total: needed.length,
      missing: missing.slice(0, namedMissing),
    };
  };
  return Object.fromEntries(artifactKinds.map((kind) => [kind, kept(kind)])) as Record<ArtifactKind, Kept>;
}

/** Remainder of the first segment after one more compaction. */
export interface DecayStep {
  /** True if this compaction changed the view. */
  readonly isCompacted: boolean;
  /** Artifacts that calls of the first segment worked with, by the probe's extractor. */
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
