import { withRealFile } from '../files/real-file.ts';
import { type LinesRead, mostScanned, readLines, type WantedLines } from '../files/text-lines.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, fileProblem, ok, sizeInWords, type Tool, type ToolResult } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { toModel } from '../../language/sentence.ts';

const mostLines = 2_000;
/** Maximum characters of one reading. A longer file is read in parts instead of being cut. */
const mostCharacters = 20_000;

export function createReadFile(workspace: Workspace): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file of the workspace. Each line comes with its number and a tab. Give start_line and end_line to read a part: better than reading a long file whole. One call returns at most 2,000 lines, and of a longer line its first 20,000 characters. For a file that may hold secrets, such as .env, the user is asked.',
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
        patterns: [],
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
      const wanted = { first: start, last: end, mostLines, mostCharacters };
      try {
        return await withRealFile(place.path, async (file) => {
          const reading = await readLines(file, wanted, signal);
          if (!('refusal' in reading)) return excerpt(place.shown, reading, wanted, file.size);
          return failed(
            reading.refusal === 'binary'
              ? agentSentences.say('fileIsBinary', { file: place.shown })
              : agentSentences.say('fileLineTooFar', {
                  file: place.shown,
                  line: start,
                  most: sizeInWords(mostScanned),
                }),
          );
        });
      } catch (error) {
        throwIfCancelled(signal);
        return fileProblem(error, place.shown);
      }
    },
  });
}

function excerpt(
  shown: string,
  { lines, isClipped, omitted, total }: LinesRead,
  { first, last: lastWanted }: WantedLines,
  size: number,
): ToolResult {
  if (total === 0) return ok(`${shown} is empty.`);
  if (total !== undefined && first > total)
    return failed(agentSentences.say('fileNoSuchLine', { file: shown, total, line: first }));
  const last = first + lines.length - 1;
  const hasNext = last < Math.min(lastWanted, total ?? Number.POSITIVE_INFINITY);
  const numbered = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  const rest = omitted === undefined ? 'the line goes on' : `${omitted} more characters in this line`;
  const of = total === undefined ? toModel`a file of ${sizeInWords(size)}` : String(total);
  const next = hasNext ? toModel` Read on with start_line ${last + 1}.` : '';
  const isWhole = first === 1 && last === total;
  const note = isWhole ? '' : `\n\n[Lines ${first}–${last} of ${of}.${next}]`;
  return ok(`${numbered}${isClipped ? ` [… ${rest}]` : ''}${note}`, isClipped || hasNext);
}
