/**
 * Escape sequences of terminals (ECMA-48): control sequences such as colours, strings such as titles, and short ones;
 * then the beginning of one whose end has not arrived; then control characters, except tabs and line ends.
 */
const sequences =
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|(\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]*\x1b?|[ -/]*)$|\x9b[0-?]*[ -/]*$)|\x1b[ -/]*[0-~]?|[\0-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f]+/g;
/** Characters of a sequence that are waited for: longer ones are text behind a stray escape character. */
const longestSequence = 4_096;

/** Takes what is meant for a terminal out of a text that arrives in pieces. */
export class EscapeStripper {
  private held = '';

  /** @returns the text without escape sequences, up to one that has only begun */
  push(text: string): string {
    const whole = this.held + text;
    this.held = '';
    const plain = whole.replace(sequences, (_sequence, begun: string | undefined) => {
      this.held = begun ?? '';
      return '';
    });
    if (this.held.length <= longestSequence) return plain;
    const overlong = this.held.slice(1);
    this.held = '';
    return plain + overlong;
  }
}
