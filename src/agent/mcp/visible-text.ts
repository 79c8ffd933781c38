/** What stands for itself: letters, digits, marks of writing and signs that can be seen, and the space. */
const seen = /[\p{L}\p{N}\p{P}\p{S} ]/u;
/** Of these, what takes no room or looks like a space. */
const unseen = /[\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text in one line in which every character can be seen; those that cannot stand as their code, `⟨U+200B⟩`. */
export function visibleText(text: string): string {
  return Array.from(text, (character) =>
    seen.test(character) && !unseen.test(character)
      ? character
      : `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  ).join('');
}
