/** Finds the end of a JSON value that arrives in pieces, and looks at each character once. */
export class JsonEnd {
  private depth = 0;
  private hasBegun = false;
  private isInText = false;
  private isEscaped = false;
  /** True if all that was opened is closed, and something was. */
  isReached = false;

  add(piece: string): void {
    for (const character of piece) {
      if (this.isInText) this.addToText(character);
      else if (character === '"') this.isInText = true;
      else if (character === '{' || character === '[') this.depth += 1;
      else if (character === '}' || character === ']') this.depth -= 1;
      else continue;
      this.hasBegun = true;
    }
    this.isReached = this.hasBegun && this.depth <= 0 && !this.isInText;
  }

  private addToText(character: string): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (character === '\\') this.isEscaped = true;
    else if (character === '"') this.isInText = false;
  }
}
