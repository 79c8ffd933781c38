import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { UsageView } from '../../../src/protocol/inspector.ts';
import {
  beyondCount,
  beyondCountSentence,
  kindNames,
  listed,
  outlookSentences,
} from '../../shared/compaction-words.ts';
import { formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.usage;

/** Tokens in the window, including tokens that another agent sends but does not write to its file. */
export function totalOf({ fullness, tokens }: UsageView): number {
  return fullness?.tokens ?? tokens;
}

/** Tokens of no kind: those missing from the session's file, or the provider's count minus ours (may be negative). */
export function beyondOf(usage: UsageView): number {
  return beyondCount({ ...usage, tokens: totalOf(usage) });
}

/** The usage in words, for screen readers. */
export function usageName(usage: UsageView): string {
  const { fullness, window: size, target, reserved, byKind } = usage;
  const beyond = beyondOf(usage);
  const beyondText =
    fullness === undefined
      ? beyondCountSentence(usage)
      : beyond > 0
        ? words.barNotInFile({ tokens: beyond })
        : undefined;
  const count = formatCount(totalOf(usage));
  return [
    size === undefined ? words.barOfTotal({ tokens: count }) : words.bar({ tokens: count, window: size }),
    words.barKinds({
      kinds: listed(
        kinds
          .filter((kind) => byKind[kind] > 0)
          .map((kind) => words.barKind({ kind: kindNames[kind], tokens: byKind[kind] })),
      ),
    }),
    ...(beyondText === undefined ? [] : [beyondText]),
    ...(size === undefined || reserved === 0 ? [] : [words.barReserved({ tokens: reserved })]),
    ...outlookSentences(usage),
    ...(target === undefined ? [] : [words.barTarget({ tokens: target })]),
  ].join(inspectorTexts.betweenSentences);
}
