import { diffWordsWithSpace } from 'diff';

/** A stretch of text that occurs in the other text, or does not. */
export interface TextPart {
  readonly text: string;
  readonly isChanged: boolean;
}

interface Comparison {
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
}

/** Longer texts are shown side by side without marks, in characters. */
const longestCompared = 60_000;
/** Words that may differ. Finding more takes a fifth of a second and longer, as the time grows with their square. */
const maxEditLength = 1000;
/** Texts that share less than this are two texts, not two versions of one. */
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
