/** Characters of ripgrep's own words. */
const longestWords = 300;

/** What ripgrep complained about, in words that help a model to ask again. */
export function searchFailure(complaint: string): string {
  const lines = complaint.split('\n').filter((line) => line.trim() !== '');
  const said = (lines.findLast((line) => line.startsWith('error: ')) ?? lines.at(-1) ?? '')
    .replace(/^(?:rg|error): /, '')
    .trim()
    .slice(0, longestWords);
  if (/look-around|backreference/i.test(complaint)) {
    return 'The pattern uses look-around or back-references, which this search does not have. Write it without them.';
  }
  if (/size limit/i.test(complaint)) {
    return 'The pattern is too large once its repetitions are written out. Use smaller ones.';
  }
  if (/regex parse error|regex|pattern/i.test(complaint) && !/glob/i.test(complaint)) {
    return `The pattern is not a valid regular expression: ${said} Set literal to true to search for the text itself.`;
  }
  if (/glob/i.test(complaint)) return `The glob is not valid: ${said}`;
  return `The search failed: ${said}`;
}
