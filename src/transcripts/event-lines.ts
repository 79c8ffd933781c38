import { isFields, type Fields } from './fields.ts';
import { ImportError } from './format.ts';
import { objectionToValue } from './sound-value.ts';

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
  expected: string,
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
    throw new ImportError(`Line ${firstLine ?? 1}: expected ${expected}.`);
  }
  return { events, problems };
}

/** @returns the object, or why the line is none */
function parseObject(line: string): Fields | string {
  try {
    const value: unknown = JSON.parse(line);
    if (!isFields(value)) return 'it is not an object.';
    return objectionToValue(value) ?? value;
  } catch {
    return 'it is not valid JSON.';
  }
}
