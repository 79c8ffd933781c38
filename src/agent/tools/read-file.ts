import { headOf } from '../../compaction/text/clip.ts';
import { decodeText, readWholeText, withRealFile } from '../files/real-file.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, fileProblem, ok, sizeInWords, type Tool, type ToolResult } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/agent-english.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { toModel } from '../../language/sentence.ts';

const mostLines = 2_000;
/** About what one result may take of the view, so that a longer file is read in parts instead of being cut. */
const mostCharacters = 20_000;
const largestFile = 20_000_000;

export function createReadFile(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace. Each line comes with its number and a tab. Give start_line and end_line to read a part: better than reading a long file whole. One call returns at most 2,000 lines. For a file that may hold secrets, such as .env, a person is asked.',
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
    async approvalOf({ path }) {
      const resolution = await workspace.resolve(path);
      if ('refusal' in resolution || !isSecretPath(resolution.place.shown)) return undefined;
      const { shown } = resolution.place;
      return {
        kind: 'read',
        title: agentSentences.say('approvalRead', { file: shown }),
        details: '',
        warnings: [agentSentences.say('secretsAreSent', { file: shown })],
        subjects: [],
      };
    },
    async run({ path, start_line: start = 1, end_line: end = Number.POSITIVE_INFINITY }, signal, isGranted) {
      if (start > end) return failed(toModel`start_line (${start}) is after end_line (${end}).`);
      const resolution = await workspace.resolve(path);
      if ('refusal' in resolution) return failed(resolution.refusal);
      const { place } = resolution;
      if (!isGranted && isSecretPath(place.shown)) {
        return failed(
          agentSentences.say('mayHoldSecrets', { file: place.shown }),
          toModel` Nobody was asked.`,
        );
      }
      try {
        const reading = await withRealFile(place.path, async (file) => ({
          size: file.size,
          ...(await readWholeText(file, largestFile, signal)),
        }));
        if ('bytes' in reading) return excerpt(place.shown, linesOf(decodeText(reading.bytes)), start, end);
        if (reading.refusal === 'binary') {
          return failed(agentSentences.say('fileIsBinary', { file: place.shown }));
        }
        const [size, most] = [sizeInWords(reading.size), sizeInWords(largestFile)];
        return failed(agentSentences.say('fileTooLargeToRead', { file: place.shown, size, most }));
      } catch (error) {
        throwIfCancelled(signal);
        return fileProblem(error, place.shown);
      }
    },
  });
}

/** Lines end where ripgrep says they do, so that the numbers agree. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function excerpt(shown: string, lines: readonly string[], start: number, end: number): ToolResult {
  const total = lines.length;
  if (total === 0) return ok(`${shown} is empty.`);
  if (start > total) return failed(agentSentences.say('fileNoSuchLine', { file: shown, total, line: start }));
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
  const next = last < wanted ? toModel` Read on with start_line ${last + 1}.` : '';
  const note = isWhole ? '' : `\n\n[Lines ${start}–${last} of ${total}.${next}]`;
  return ok(`${numbered.join('\n')}${note}`, isTruncated);
}

function clipped(line: string): string {
  return `${headOf(line, mostCharacters)} [… ${line.length - mostCharacters} more characters in this line]`;
}
