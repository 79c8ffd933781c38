import { type EventLine, type EventLines, type Fields, objectionToValue } from './fields.ts';
import { jsonLines, type JsonLines } from './json-lines.ts';
import { lineTooLong, noLimits, type ReadLimits, ValueLimit } from './read-limits.ts';
import { type Imported, ImportError, type TranscriptFormat } from './transcript-format.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import { isRecord } from '../../language/is-record.ts';

/** Returns an error for a malformed file, with the line of the problem, counted from 1. */
export function expectedAt(line: number, what: Phrase): ImportError {
  return new ImportError(importsSentences.say('expectedAtLine', { line: String(line), what }));
}

/** A parsed JSON file that can locate its values. */
interface JsonDocument {
  readonly value: unknown;
  /**
   * Returns the line on which the value at a path (`/messages/3`) begins, counted from 1. If the value is missing,
   * the line is that of the nearest value around it.
   */
  lineOf(path: string): number;
}

/** @throws {ImportError} if the text is not JSON or is nested too deep, with the expectation and the line */
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

/** Records a value that was left out of an import, with its path and a sentence about the expected value. */
export type Skip = (path: string, objection: string) => void;

/** @param problems receives a sentence with the line for each skipped value */
export function skipInto(problems: string[], document: JsonDocument): Skip {
  return (path, objection) => {
    problems.push(`Line ${document.lineOf(path)} was skipped: ${objection}`);
  };
}

/**
 * Returns the text of content, which is a string or an array of parts. The texts of the parts are concatenated.
 *
 * @param textOf returns the text of a part; a part without text is skipped
 * @returns undefined if the content is neither a string nor an array
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

export function problemAt(line: number, objection: string): string {
  return `Line ${line} was skipped: ${objection}`;
}

/** Maximum number of skipped lines that are reported individually. */
const mostProblems = 1_000;

/** Reads JSON lines as they arrive. Each line is parsed once; lines that are too long are skipped. */
export class EventLineReader implements EventLines {
  readonly events: EventLine[] = [];
  readonly problems: string[] = [];
  private readonly limits: ReadLimits;
  private readonly limit: ValueLimit;
  private readonly partOf: (line: Fields) => Fields;
  private first: number | undefined;
  private count = 0;

  /** @param partOf returns the part of a line to keep */
  constructor(limits: ReadLimits, partOf: (line: Fields) => Fields = (line) => line) {
    this.limits = limits;
    this.limit = new ValueLimit(limits);
    this.partOf = partOf;
  }

  get firstLine(): number {
    return this.first ?? 1;
  }

  /**
   * @param text the next line, without its line feed
   * @throws {ImportError} if the lines exceed the limits on values or memory
   */
  add(text: string): void {
    if (text.length > this.limits.line) {
      this.skipLong();
      return;
    }
    this.limit.add(text);
    const line = ++this.count;
    if (text.trim() === '') return;
    this.first ??= line;
    const fields = parseObject(text);
    if (typeof fields === 'string') {
      this.limit.addSlow();
      this.skip(line, fields);
      return;
    }
    const kept = this.partOf(fields);
    this.limit.keep(kept);
    this.events.push({ line, fields: kept });
  }

  /** Counts the next line as too long. */
  skipLong(): void {
    const line = ++this.count;
    this.first ??= line;
    this.skip(line, lineTooLong(this.limits));
  }

  private skip(line: number, objection: string): void {
    if (this.problems.length < mostProblems) this.problems.push(problemAt(line, objection));
    else if (this.problems.length === mostProblems) {
      this.problems.push(problemAt(line, 'it is one of many, and the others are not listed.'));
    }
  }

  /**
   * Returns the lines so far. Later lines do not change the result.
   *
   * @param rest an incomplete last line, which counts if it is already an object. Undefined if it is too long
   */
  including(rest: string | undefined): EventLines {
    const fields = rest?.trimEnd().endsWith('}') === true ? parseObject(rest) : '';
    const line = this.count + 1;
    return {
      events: [...this.events, ...(typeof fields === 'string' ? [] : [{ line, fields }])],
      problems: [
        ...this.problems,
        ...(rest === undefined ? [problemAt(line, lineTooLong(this.limits))] : []),
      ],
      firstLine: this.first ?? line,
    };
  }
}

/**
 * Creates a format whose files are always JSON lines.
 *
 * @param partOf returns the part of a line that is read; by default the whole line
 */
export function lineFormat(
  format: Omit<TranscriptFormat, 'parse' | 'lines'>,
  read: (lines: EventLines) => Imported,
  partOf?: (line: Fields) => Fields,
): TranscriptFormat {
  return {
    ...format,
    parse: (text) => read(readEventLines(text, noLimits, partOf)),
    lines: { fits: () => true, read, ...(partOf !== undefined && { partOf }) },
  };
}

/**
 * Reads JSON lines.
 *
 * @throws {ImportError} if the lines exceed the limits on values or memory
 */
export function readEventLines(
  text: string,
  limits = noLimits,
  partOf?: (line: Fields) => Fields,
): EventLines {
  const reader = new EventLineReader(limits, partOf);
  for (const line of linesOf(text)) reader.add(line);
  return reader;
}

/** Yields the lines of a text one by one, because an array of lines could take more memory than the text. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  yield text.slice(start);
}

/**
 * @param isExpected true for an event that proves the file's format
 * @param expected name of the format, for the error
 * @throws {ImportError} if no event proves the format, with the first line that could have proved it
 */
export function expectEvent(
  { events, firstLine }: EventLines,
  isExpected: (event: Fields) => boolean,
  expected: Phrase,
): void {
  if (!events.some(({ fields }) => isExpected(fields))) throw expectedAt(firstLine, expected);
}

/** @returns the object, or a sentence that states why the line is not an object */
function parseObject(line: string): Fields | string {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value)) return 'it is not an object.';
    return objectionToValue(value) ?? value;
  } catch {
    return 'it is not valid JSON.';
  }
}

/**
 * Reports that a file uses a newer version of its format than the known version. The known parts are read anyway. An
 * agent's version is not its format's version; only a few agents number the format.
 *
 * @param title title of the agent
 * @param found version stated in the file
 * @returns the problem as a sentence; an empty list for a known version, or for a file without a version
 */
export function newerVersion(title: string, found: unknown, known: number): readonly string[] {
  if (typeof found !== 'number' || found <= known) return [];
  const version = { agent: title, found: String(found), known: String(known) };
  return [importsSentences.say('newerVersion', version).english];
}
