/** True for what a user can be shown: a sentence or two, and nothing of the program's inside. */
export function isOneSentence(text: string): boolean {
  const isInside = /\n|\bat \S+:\d+|undefined|is not a function/u.test(text);
  return text !== '' && text.length < 400 && !isInside;
}
