/** Characters of what a running action puts out that the view keeps, from the end. */
const longest = 20_000;
/** What is left where it was longer, so that most of what comes in is only added. */
const shortened = 15_000;

/** The end of an output, from the beginning of a line where there is one. */
export function outputTail(output: string): string {
  if (output.length <= longest) return output;
  const tail = output.slice(-shortened);
  const lineEnd = tail.indexOf('\n');
  return lineEnd >= 0 && lineEnd < tail.length - 1 ? tail.slice(lineEnd + 1) : tail;
}
