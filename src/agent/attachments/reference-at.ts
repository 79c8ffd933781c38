/** A reference that is being typed. Positions in UTF-16 units. */
export interface OpenReference {
  /** `@`: a path. `#`: something that the editor knows. */
  readonly sign: '@' | '#';
  readonly start: number;
  /** The cursor: text after it is not part of the reference. */
  readonly end: number;
  /** Text typed so far after the sign, without a quote. */
  readonly query: string;
}

const quoted = /(?<![\p{Script=Latin}\p{N}_.+\-/@#&])@"(?<query>[^"\n]*)$/u;
const plain = /(?<![\p{Script=Latin}\p{N}_.+\-/@#&])(?<sign>[@#])(?<query>[^\s"'\x60<>|*?@#]*)$/u;
/** Characters in front of the cursor that are looked at: longer than a path that anybody types. */
const longestReference = 500;

/** The reference in front of the cursor, to be completed; undefined if there is none. */
export function referenceAt(text: string, cursor: number): OpenReference | undefined {
  const from = Math.max(0, cursor - longestReference);
  const before = text.slice(from, cursor);
  const found = quoted.exec(before) ?? plain.exec(before);
  if (found === null) return undefined;
  const { sign = '@', query = '' } = found.groups ?? {};
  return { sign: sign as '@' | '#', start: from + found.index, end: cursor, query };
}
