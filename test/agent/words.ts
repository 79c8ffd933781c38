/** The words of a list, which blanks and line feeds separate. */
export function words(list: string): readonly string[] {
  return list.trim().split(/\s+/u);
}
