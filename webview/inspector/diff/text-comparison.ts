import { diffWordsWithSpace } from 'diff';

/** A part of a text that the other text contains or lacks. */
export interface TextPart {
  readonly text: string;
  readonly isChanged: boolean;
}

interface Comparison {
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
}

/** Maximum characters of compared texts. Longer texts are shown side by side without marks. */
const longestCompared = 60_000;
/** Maximum number of words that may differ. The time is quadratic; finding more takes over a fifth of a second. */
const maxEditLength = 1000;
/** Minimum share that two texts have in common. Otherwise, they are different texts and not versions of one text. */
const smallestCommonShare = 0.1;

/** Compares two texts word by word; undefined if they are too long or have too little in common. */
export function compareTexts(before: string, after: string): Comparison | undefined {
  if (before.length > longestCompared || after.length > longestCompared) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength });
  if (changes === undefined) return undefined;
  const common = changes
    .filter(({ added, removed }) => !added && !removed)
    .reduce((total, { value }) => total + value.trim().length, 0);
  if (common < smallestCommonShare * Math.min(before.length, after.length)) return undefined;
  return {
    before: changes
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isChanged: removed })),
    after: changes
      .filter(({ removed }) => !removed)
      .map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}
