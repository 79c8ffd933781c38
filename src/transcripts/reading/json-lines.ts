/** Positions of the values in a JSON text. */
export interface JsonLines {
  /**
   * The line on which each value begins, counted from 1, by path: '' for the whole, `/messages/3` for the fourth
   * message. Paths contain keys as written. Very deep values, and values after very many others, are left out.
   */
  readonly starts: ReadonlyMap<string, number>;
  /** The line on which the text stops being JSON, counted from 1; absent for valid JSON. */
  readonly brokenAt?: number;
}

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';

interface Container {
  readonly path: string;
  readonly isArray: boolean;
  /** Index of the value that is being read. */
  index: number;
  key: string;
}

/** Maximum depth of noted values. Paths grow with depth, so noting all values would take quadratic memory. */
const deepestNoted = 12;
/** Maximum number of noted values, because a file can contain millions. */
const mostNoted = 200_000;

const space = /[ \t\r\n]*/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const lineFeed = 10;
const firstPrintable = 32;
const quote = 34;
const backslash = 92;

/**
 * Finds the lines of all values in one pass over the text. It is slower than `JSON.parse`, and is used to locate a
 * value that turned out to be unexpected.
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

/** @returns the index after the match of a sticky pattern, or 0 */
function match(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : 0;
}

/** @returns the end of the string that begins at `position`, or undefined */
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
 * Returns the lines of a text file. If all lines end with a carriage return and a line feed, both are removed. If
 * only some lines do, the carriage returns belong to the content and are kept.
 */
export function textLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const isStoredSo = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'));
  return isStoredSo ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}
