import { isFields, type Fields } from './fields.ts';
import { ImportError } from './format.ts';
import { jsonLines, type JsonLines } from './json-lines.ts';
import { objectionToValue } from './sound-value.ts';

/** A JSON file, with a way of saying where in it something is. */
export interface JsonDocument {
  readonly value: unknown;
  /**
   * The 1-based line on which the value at a path (`/messages/3`) begins; where there is none, the line of the
   * nearest value around it.
   */
  lineOf(path: string): number;
}

/** @throws {ImportError} if the text is no JSON or nested too deep, with what was expected and the line on which it stops being JSON */
export function readJson(text: string, expected: string): JsonDocument {
  let lines: JsonLines | undefined;
  const read = () => (lines ??= jsonLines(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ImportError(`Line ${read().brokenAt ?? 1}: expected ${expected}, but this is no valid JSON.`);
  }
  if (objectionToValue(value) !== undefined) {
    throw new ImportError(`Line 1: expected ${expected}, but it is nested too deep to be read.`);
  }
  return { value, lineOf: (path) => lineOf(read().starts, path) };
}

function lineOf(starts: ReadonlyMap<string, number>, path: string): number {
  const line = starts.get(path);
  if (line !== undefined) return line;
  return path === '' ? 1 : lineOf(starts, path.slice(0, path.lastIndexOf('/')));
}

/** Notes what is left out of an import: the path of the value, and what was expected of it, a sentence. */
export type Skip = (path: string, objection: string) => void;

/** @param problems gets a sentence for each value that is skipped, with its line */
export function skipInto(problems: string[], document: JsonDocument): Skip {
  return (path, objection) => {
    problems.push(`Line ${document.lineOf(path)} was skipped: ${objection}`);
  };
}

/**
 * The text of a content that is one text or an array of parts, which are joined as they are.
 *
 * @param textOf the text of a part, nothing where it has none; such a part is skipped
 * @returns nothing if the content is neither
 */
export function contentText(
  content: unknown,
  path: string,
  textOf: (part: Fields) => unknown,
  skip: Skip,
): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = (content as readonly unknown[]).map((part, index) => {
    const text = isFields(part) ? textOf(part) : undefined;
    if (typeof text === 'string') return text;
    skip(`${path}/${index}`, 'of the parts of a message only texts can be read.');
    return '';
  });
  return texts.join('');
}
