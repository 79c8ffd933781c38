import type { CompletionTrigger } from '../../src/protocol/composing.ts';

/** A word that is being typed and can be completed. Positions in UTF-16 units. */
export interface OpenWord {
  readonly trigger: CompletionTrigger;
  /** Of its sign. */
  readonly start: number;
  /** The cursor: what stands behind it is not part of the word. */
  readonly end: number;
  /** What was typed behind the sign, without a quote. */
  readonly query: string;
}

/** A sign behind letters or digits of an address, a decorated name or a place in a page begins no word. */
const reference =
  /(?<![\p{Script=Latin}\p{N}_.+\-/@#&])(?<sign>[@#])(?:"(?<quoted>[^"\n]*)|(?<plain>[^\s"'\x60<>|*?@#]*))$/u;
/** Characters in front of the cursor that are looked at: longer than a path that anybody types. */
const longestWord = 500;

/** The word that the cursor stands behind; undefined where there is none to complete. */
export function completionAt(text: string, cursor: number): OpenWord | undefined {
  const from = Math.max(0, cursor - longestWord);
  const before = text.slice(from, cursor);
  const found = reference.exec(before);
  if (found !== null) {
    const { sign = '@', quoted, plain = '' } = found.groups ?? {};
    const trigger = sign === '#' ? '#' : '@';
    return { trigger, start: from + found.index, end: cursor, query: quoted ?? plain };
  }
  // A command is all there is: what follows its name completes it as a whole.
  const isCommand = from === 0 && cursor === text.length && /^\/[^\n/]*$/.test(before);
  return isCommand ? { trigger: '/', start: 0, end: cursor, query: before.slice(1) } : undefined;
}
