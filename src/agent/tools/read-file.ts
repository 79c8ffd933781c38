import { readFile, stat } from 'node:fs/promises';
import { headOf } from '../../compaction/clip.ts';
import { defineTool, throwIfAborted } from './define-tool.ts';
import { fileProblem, sizeInWords } from './file-problem.ts';
import { failed, ok, type Tool, type ToolResult } from './tool.ts';
import type { Workspace } from './workspace.ts';

const mostLines = 2_000;
/** About what one result may take of the view, so that a longer file is read in parts instead of being cut. */
const mostCharacters = 20_000;
const largestFile = 20_000_000;

export function createReadFile(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace. Each line comes with its number and a tab. Give start_line and end_line to read a part: better than reading a long file whole. One call returns at most 2,000 lines.',
    properties: {
      path: { type: 'string', description: 'Path of the file, relative to the workspace.' },
      start_line: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1.' },
      end_line: { type: 'integer', minimum: 1, description: 'Last line to read, included.' },
    },
    required: ['path'],
    describe({ path = '', start_line: start, end_line: end }) {
      if (start === undefined && end === undefined) return path;
      return end === undefined ? `${path} ${start}–` : `${path} ${start ?? 1}–${end}`;
    },
    async run({ path, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY }, signal) {
      if (start > end) return failed(`start_line (${start}) is behind end_line (${end}).`);
      const resolution = await workspace.resolve(path);
      if ('refusal' in resolution) return failed(resolution.refusal);
      const { place } = resolution;
      try {
        const status = await stat(place.path);
        if (status.isDirectory()) {
          return failed(`${place.shown} is a directory. list_directory shows what is in it.`);
        }
        if (!status.isFile()) return failed(`${place.shown} is not a regular file and cannot be read.`);
        if (status.size > largestFile) {
          const size = sizeInWords(status.size);
          return failed(`${place.shown} has ${size}; files over ${sizeInWords(largestFile)} are not read.`);
        }
        const text = decode(await readFile(place.path, { signal }));
        if (text === undefined) return failed(`${place.shown} is a binary file and cannot be read as text.`);
        return excerpt(place.shown, linesOf(text), start, end);
      } catch (error) {
        throwIfAborted(signal);
        return fileProblem(error, place.shown);
      }
    },
  });
}

/** The text of a file without its byte order mark; undefined where it is no text. */
function decode(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.includes(0) ? undefined : new TextDecoder('utf-8').decode(bytes);
}

/** Lines end where ripgrep says they do, so that the numbers agree. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function excerpt(shown: string, lines: readonly string[], start: number, end: number): ToolResult {
  const total = lines.length;
  if (total === 0) return ok(`${shown} is empty.`);
  if (start > total) return failed(`${shown} has ${total} lines; there is no line ${start}.`);
  const wanted = Math.min(end, total);
  const numbered: string[] = [];
  let characters = 0;
  for (let number = start; number <= wanted && numbered.length < mostLines; number++) {
    const line = `${number}\t${lines[number - 1] ?? ''}`;
    characters += line.length + 1;
    if (characters > mostCharacters && numbered.length > 0) break;
    numbered.push(line.length <= mostCharacters ? line : clipped(line));
  }
  const last = start + numbered.length - 1;
  const isTruncated = last < wanted || characters > mostCharacters;
  const isWhole = start === 1 && last === total;
  const next = last < wanted ? ` Read on with start_line ${last + 1}.` : '';
  const note = isWhole ? '' : `\n\n[Lines ${start}–${last} of ${total}.${next}]`;
  return ok(`${numbered.join('\n')}${note}`, isTruncated);
}

function clipped(line: string): string {
  return `${headOf(line, mostCharacters)} [… ${line.length - mostCharacters} more characters in this line]`;
}
