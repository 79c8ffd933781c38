/** True for a text that a user may see: a sentence or two, without internals of the program. */
export function isOneSentence(text: string): boolean {
  const isInside = /\n|\bat \S+:\d+|undefined|is not a function/u.test(text);
  return text !== '' && text.length < 400 && !isInside;
}
