import { diffWordsWithSpace } from 'diff';

/** A stretch of text that the other text contains or lacks. */
export interface TextPart {
  readonly text: string;
  readonly isChanged: boolean;
}

interface Comparison {
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
}

/** Maximum characters of compared texts; longer ones are shown side by side without marks. */
const longestCompared = 60_000;
/** Maximum words that may differ. Finding more takes over a fifth of a second, as the time is quadratic. */
const maxEditLength = 1000;
/** Minimum common share. Texts below it are different texts instead of versions of one. */
const smallestCommonShare = 0.1;

/** Compares two texts word by word. Undefined if they are too long or have too little in common. */
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
