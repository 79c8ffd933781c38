/**
 * The lines of a text file. Where all of them end alike with a carriage return and a line feed, that is how the file
 * was stored; where only some do, the carriage returns belong to what was said, and stay.
 */
export function textLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const isStoredSo = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'));
  return isStoredSo ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}
