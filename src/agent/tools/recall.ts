import { numberLines, type NumberedText } from '../ingest/shorten.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, ok, type Tool, type ToolResult } from './support/tool.ts';
import { toModel } from '../../language/sentence.ts';

/** Returns the whole original text of a message or a summary; undefined for an unknown id. */
export type Recall = (id: string) => string | undefined;

/** Assumed UTF-8 bytes per token. Few texts have more than one token for two bytes. */
const bytesPerToken = 2;
/** UTF-8 bytes per token of a whole text, so that a text that was once whole in context is returned whole. */
const bytesPerTokenOfWhole = 4;
/** Number of lines shown before and after a line that contains the searched text. */
const linesAround = 2;

/** @param limit maximum tokens of one result; by default the size up to which results enter the context unshortened */
export function createRecall(recall: Recall, limit: () => number = () => 6_000): Tool {
  return defineTool({
    name: 'recall',
    description:
      'Returns the original of something that was hidden, shortened or summarised earlier in this conversation. Use it when a placeholder names an id and the details matter. A long original comes in parts: give start_line and end_line for the part you need, or search to get only the lines that hold a text.',
    properties: {
      id: { type: 'string', description: 'The id that the placeholder names, for example m12.' },
      start_line: { type: 'integer', minimum: 1, description: 'First line to return, counted from 1.' },
      end_line: { type: 'integer', minimum: 1, description: 'Last line to return, included.' },
      search: {
        type: 'string',
        description:
          'Only the lines that hold this text, in capitals or not, each with its number and the lines around it.',
      },
    },
    required: ['id'],
    describe: ({ id = '', search, start_line: start, end_line: end }) =>
      [id, rangeInWords(start, end), search === undefined ? '' : `"${search}"`]
        .filter((part) => part !== '')
        .join(' '),
    run({ id: given, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY, search = '' }) {
      const id = given.trim();
      const original = recall(id);
      if (original === undefined) {
        return failed(
          toModel`There is nothing under the id "${given}". Ids look like m12, or c3.1 for a summary, and stand in the text that took the place of the original.`,
        );
      }
      if (original === '') return ok('The original has no text.');
      const isWhole = start === 1 && end === Number.POSITIVE_INFINITY && search.trim() === '';
      if (isWhole && sizeOf(original) <= limit() * bytesPerTokenOfWhole) return ok(original);
      if (start > end) return failed(toModel`start_line (${start}) is after end_line (${end}).`);
      const part: Part = { id, numbered: numberLines(original), start, end, room: limit() * bytesPerToken };
      if (start > part.numbered.count) {
        return failed(toModel`${id} has ${part.numbered.count} lines; there is no line ${start}.`);
      }
      return search.trim() === '' ? excerpt(part) : matches(part, search);
    },
  });
}

function rangeInWords(start: number | undefined, end: number | undefined): string {
  if (start === undefined && end === undefined) return '';
  return `${start ?? 1}–${end ?? ''}`;
}

interface Part {
  readonly id: string;
  readonly numbered: NumberedText;
  readonly start: number;
  readonly end: number;
  readonly room: number;
}

/** Returns as many lines as fit, unchanged, with a note on how to get the next lines. */
function excerpt({ id, numbered, start, end, room }: Part): ToolResult {
  const wanted = Math.min(end, numbered.count);
  let last = start;
  let bytes = sizeOf(numbered.between(start, start));
  for (; last < wanted; last++) {
    bytes += sizeOf(numbered.between(last + 1, last + 1));
    if (bytes > room) break;
  }
  const text = numbered.between(start, last);
  if (start === 1 && last === numbered.count) return ok(text);
  const next = last < wanted ? toModel` Read on with start_line ${last + 1}.` : '';
  return ok(`${text.trimEnd()}\n\n[Lines ${start}–${last} of ${numbered.count} of ${id}.${next}]`);
}

/** Returns the lines that contain a text, with the lines around them, as far as they fit. */
function matches({ id, numbered, start, end, room }: Part, search: string): ToolResult {
  const wanted = search.toLowerCase();
  const last = Math.min(end, numbered.count);
  const shown: string[] = [];
  let bytes = 0;
  let behind = start - 1;
  let found = 0;
  let next: number | undefined;
  for (let number = start; number <= last; number++) {
    if (!numbered.line(number).toLowerCase().includes(wanted)) continue;
    found++;
    if (next !== undefined) continue;
    const from = Math.max(behind + 1, number - linesAround, start);
    const to = Math.min(last, number + linesAround);
    const lines: string[] = shown.length > 0 && from > behind + 1 ? ['…'] : [];
    for (let near = from; near <= to; near++) lines.push(`${near}: ${numbered.line(near)}`);
    bytes += sizeOf(lines.join('\n')) + 1;
    if (bytes > room && shown.length > 0) next = number;
    else {
      shown.push(...lines);
      behind = Math.max(behind, to);
    }
  }
  const where = `lines ${start}–${last} of ${numbered.count} of ${id}`;
  if (found === 0) return ok(`Nothing in ${where} holds "${search}".`);
  const rest = next === undefined ? '' : toModel` Go on with start_line ${next}.`;
  return ok(`${shown.join('\n')}\n\n[Lines that hold "${search}" in ${where}: ${found}.${rest}]`);
}

function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
