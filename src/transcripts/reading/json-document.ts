import { type Fields, objectionToValue } from './fields.ts';
import { jsonLines, type JsonLines } from './json-lines.ts';
import { ImportError } from './transcript-format.ts';
import { importsSentences } from '../../language/imports-english.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import { isRecord } from '../../language/is-record.ts';

/** A malformed file, with the 1-based line of the problem. */
export function expectedAt(line: number, what: Phrase): ImportError {
  return new ImportError(importsSentences.say('expectedAtLine', { line: String(line), what }));
}

/** A JSON file, with a way of saying where in it something is. */
export interface JsonDocument {
  readonly value: unknown;
  /**
   * The 1-based line on which the value at a path (`/messages/3`) begins; if there is none, the line of the
   * nearest value around it.
   */
  lineOf(path: string): number;
}

/**
 * @throws {ImportError} if the text is not JSON or nested too deep, with what was expected and the line on which it
 *   stops being JSON
 */
export function readJson(text: string, expected: Phrase): JsonDocument {
  let lines: JsonLines | undefined;
  const read = () => (lines ??= jsonLines(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const line = String(read().brokenAt ?? 1);
    throw new ImportError(importsSentences.say('notJson', { line, what: expected }));
  }
  if (objectionToValue(value) !== undefined) {
    throw new ImportError(importsSentences.say('tooDeep', { what: expected }));
  }
  return { value, lineOf: (path) => lineOf(read().starts, path) };
}

function lineOf(starts: ReadonlyMap<string, number>, path: string): number {
  const line = starts.get(path);
  if (line !== undefined) return line;
  return path === '' ? 1 : lineOf(starts, path.slice(0, path.lastIndexOf('/')));
}

/** Records a value left out of an import: its path, and a sentence on what was expected. */
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
 * @param textOf the text of a part, nothing if it has none; such a part is skipped
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
    const text = isRecord(part) ? textOf(part) : undefined;
    if (typeof text === 'string') return text;
    skip(`${path}/${index}`, 'of the parts of a message only texts can be read.');
    return '';
  });
  return texts.join('');
}

/** An object on a line of its own, as logs of JSON lines have them. */
export interface EventLine {
  /** 1-based. */
  readonly line: number;
  readonly fields: Fields;
}

export interface EventLines {
  readonly events: readonly EventLine[];
  /** Lines that hold no object, a sentence each. Blank lines are none. */
  readonly problems: readonly string[];
}

export function problemAt(line: number, objection: string): string {
  return `Line ${line} was skipped: ${objection}`;
}

/**
 * Reads JSON lines.
 *
 * @param isExpected true for an event that shows that the file is what it should be
 * @param expected what the file should be, for the error
 * @throws {ImportError} if no event is expected, with the first line that could have been
 */
export function readEventLines(
  text: string,
  isExpected: (event: Fields) => boolean,
  expected: Phrase,
): EventLines {
  const events: EventLine[] = [];
  const problems: string[] = [];
  let firstLine: number | undefined;
  for (const [index, content] of text.split('\n').entries()) {
    if (content.trim() === '') continue;
    const line = index + 1;
    firstLine ??= line;
    const fields = parseObject(content);
    if (typeof fields === 'string') problems.push(problemAt(line, fields));
    else events.push({ line, fields });
  }
  if (!events.some(({ fields }) => isExpected(fields))) {
    throw expectedAt(firstLine ?? 1, expected);
  }
  return { events, problems };
}

/** @returns the object, or why the line is none */
function parseObject(line: string): Fields | string {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return 'it is not an object.';
    return objectionToValue(value) ?? value;
  } catch {
    return 'it is not valid JSON.';
  }
}
