/** Positions of the values in a JSON text. */
export interface JsonLines {
  /**
   * The 1-based line on which each value begins, by its path: '' for the whole, `/messages/3` for the fourth
   * message. Keys are in paths as they are written. Of values nested deeper than any format looks, and of those after
   * very many, it is left out.
   */
  readonly starts: ReadonlyMap<string, number>;
  /** The 1-based line on which the text stops being JSON; not there if it is JSON to its end. */
  readonly brokenAt?: number;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

interface Container {
  readonly path: string;
  readonly isArray: boolean;
  /** Of the value that is being read. */
  index: number;
  key: string;
}

/** Paths grow with depth: noting all would take the square of it. */
const deepestNoted = 12;
/** Values that are noted: a file can hold millions. */
const mostNoted = 200_000;

const space = /[ \t\r\n]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const lineFeed = 10;
const firstPrintable = 32;
const quote = 34;
const backslash = 92;

/**
 * Finds the lines of all values, in one pass over the text. `JSON.parse` is faster and says what the values are;
 * this is for saying where one of them is once it turned out not to be what was expected.
 */
export function jsonLines(text: string): JsonLines {
  const starts = new Map<string, number>();
  const containers: Container[] = [];
  let expected: Expected = 'value';
  let line = 1;
  let position = 0;

  const next = (): string | undefined => {
    const end = match(space, text, position);
    for (; position < end; position++) if (text.charCodeAt(position) === lineFeed) line++;
    return text[position];
  };

  for (let character = next(); character !== undefined; character = next()) {
    const container = containers.at(-1);
    let end: number | undefined = position + 1;
    if (expected === 'value' || (expected === 'value or end' && character !== ']')) {
      const isNoted = containers.length <= deepestNoted && starts.size < mostNoted;
      const path = container === undefined || !isNoted ? '' : pathIn(container);
      if (isNoted) starts.set(path, line);
      expected = container === undefined ? 'nothing' : 'comma or end';
      if (character === '[' || character === '{') {
        const isArray = character === '[';
        containers.push({ path, isArray, index: 0, key: '' });
        expected = isArray ? 'value or end' : 'key or end';
      } else {
        end = character === '"' ? endOfString(text, position) : match(scalar, text, position) || undefined;
      }
    } else if (container === undefined) {
      return { starts, brokenAt: line };
    } else if (expected === 'colon') {
      if (character !== ':') return { starts, brokenAt: line };
      expected = 'value';
    } else if (expected === 'key' || (expected === 'key or end' && character === '"')) {
      end = character === '"' ? endOfString(text, position) : undefined;
      container.key = text.slice(position + 1, (end ?? position + 1) - 1);
      expected = 'colon';
    } else if (character === (container.isArray ? ']' : '}')) {
      containers.pop();
      expected = containers.length === 0 ? 'nothing' : 'comma or end';
    } else if (expected === 'comma or end' && character === ',') {
      container.index++;
      expected = container.isArray ? 'value' : 'key';
    } else {
      return { starts, brokenAt: line };
    }
    if (end === undefined) return { starts, brokenAt: line };
    position = end;
  }
  return expected === 'nothing' ? { starts } : { starts, brokenAt: line };
}

function pathIn({ path, isArray, index, key }: Container): string {
  return `${path}/${isArray ? index : key}`;
}

/** @returns where the match of a sticky pattern ends, 0 if there is none */
function match(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** @returns where a string ends that begins at `position`, nothing if it is none */
function endOfString(text: string, position: number): number | undefined {
  for (let index = position + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) return index + 1;
    if (code < firstPrintable) return undefined;
    if (code === backslash) {
      const end = match(escape, text, index);
      if (end === 0) return undefined;
      index = end - 1;
    }
  }
  return undefined;
}

/**
 * The lines of a text file. If all of them end alike with a carriage return and a line feed, that is how the file
 * was stored; if only some do, the carriage returns belong to what was said, and stay.
 */
export function textLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const isStoredSo = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'));
  return isStoredSo ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}
