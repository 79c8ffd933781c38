import { coverageOf } from '../compaction/ledger/coverage.ts';
import { isTyped, type Message, textOf, typedText } from '../compaction/messages/message.ts';
import type { Coverage, CoverageCount } from '../compaction/records/record.ts';
import { type ArtifactKind, artifactKinds, type Artifacts, artifactsOf } from './artifacts.ts';
import { type ViewText, viewTextOf } from './view-text.ts';

/** Earlier facts that later calls use, and the number of them in a view. */
export interface NeedLater {
  readonly reused: KeptArtifacts;
  /** Artifacts of calls after the cut that occurred anywhere before the cut, even in tool output. This is stricter. */
  readonly mentioned: KeptArtifacts;
}

type KeptArtifacts = Readonly<Record<ArtifactKind, CoverageCount>>;

/** Maximum number of missing artifacts listed by name; the counts include all. */
const namedMissing = 50;

/**
 * Need-later recall: the share of needed artifacts that a view compacted at a cut still contains. Needed
 * artifacts are files, commands and identifiers from before the cut that later calls use. Artifacts that
 * first occur later do not count. Presence does not imply comprehension, but is the least that a model needs.
 *
 * An artifact is present if the view contains it as whole words, in a content, the name of a tool or an argument.
 * Escapes are decoded and white space is folded.
 *
 * @param messages the whole transcript
 * @param cut index of the first message after the cut
 * @param view the compacted messages from before the cut
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

export function keptTyped(messages: readonly Message[], view: readonly Message[]): CoverageCount {
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

function keptArtifacts(artifacts: Artifacts, view: readonly Message[]): KeptArtifacts {
  return keptOf(artifacts, viewTextOf(view), () => true);
}

/** Returns the share that was kept, 0 to 1; undefined if nothing was needed. */
export function recallOf({ kept, total }: CoverageCount): number | undefined {
  return total === 0 ? undefined : kept / total;
}

function keptOf(
  artifacts: Artifacts,
  left: ViewText,
  isNeeded: (kind: ArtifactKind, artifact: string) => boolean,
): KeptArtifacts {
  const kept = (kind: ArtifactKind): CoverageCount => {
    const needed = [...artifacts[kind]].filter((artifact) => isNeeded(kind, artifact));
    const missing = needed.filter((artifact) => !left.has(artifact));
    return {
      kept: needed.length - missing.length,
      total: needed.length,
      missing: missing.slice(0, namedMissing),
    };
  };
  return Object.fromEntries(artifactKinds.map((kind) => [kind, kept(kind)])) as Record<
    ArtifactKind,
    CoverageCount
  >;
}

/** Remainder of the first segment after one more compaction. */
export interface DecayStep {
  readonly isCompacted: boolean;
  /** Artifacts of calls in the first segment, by the extractor of the measurement. */
  readonly artifacts: KeptArtifacts;
  /** The first segment's facts, by the ledger's extractor. */
  readonly facts: Coverage;
}

/**
 * Decay: the share of a transcript's first segment that a view still contains after each of several compactions. The
 * first segment is compacted. The next segment is appended to the result, both are compacted, and so on.
 *
 * @param cuts ends of the segments, ascending; one compaction at each
 * @param compactView returns the smaller view, or the same one; `history` is all original messages so far
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
