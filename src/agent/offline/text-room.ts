/** Room for text that is limited twice: in characters, and in tokens that are estimated high. */
export interface TextRoom {
  /** Characters that are left. */
  readonly characters: number;
  /** Takes the text if it fits. */
  take(text: string): boolean;
  /** A room of its own with so much of what is left; what is taken there is not taken here. */
  part(share: number): TextRoom;
}

export function createTextRoom(characters: number, tokens: number): TextRoom {
  let charactersLeft = Math.max(0, characters);
  let tokensLeft = Math.max(0, tokens);
  return {
    get characters() {
      return Math.min(charactersLeft, tokensLeft);
    },
    take(text) {
      const cost = costOf(text);
      if (text.length > charactersLeft || cost > tokensLeft) return false;
      charactersLeft -= text.length;
      tokensLeft -= cost;
      return true;
    },
    part: (share) => createTextRoom(charactersLeft * share, tokensLeft * share),
  };
}

/**
 * Tokens that a text takes at most, without a tokenizer: letters and spaces three to a token, digits and signs
 * nearly one each, everything beyond ASCII more than one each.
 */
export function costOf(text: string): number {
  const beyond = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
  const signs = text.match(/[^a-zA-Z\s\u0080-\uffff]/g)?.length ?? 0;
  return beyond * 1.3 + signs * 0.9 + (text.length - beyond - signs) / 3;
}
