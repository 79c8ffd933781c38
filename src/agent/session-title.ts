/** Characters of a title: what a row of the list of chats shows without being cut off. */
const longestTitle = 60;

/** A title from the first thing a person says: its first line, cut off where that is long. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1).trimEnd()}…`;
}
