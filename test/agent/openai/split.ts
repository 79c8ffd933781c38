/** Cuts text into a number of pieces of similar length, between characters. */
export function split(text: string, pieces = 1): readonly string[] {
  const characters = Array.from(text);
  const length = Math.max(1, Math.ceil(characters.length / pieces));
  const parts: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    parts.push(characters.slice(start, start + length).join(''));
  }
  return parts;
}
