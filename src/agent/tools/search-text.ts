import { stat } from 'node:fs/promises';
import path from 'node:path';
import { UnusablePathError, withRealFile } from '../files/real-file.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { defineTool } from './support/define-tool.ts';
import {
  fileGlob,
  type FileGlob,
  globProblem,
  globsByRoot,
  limitNote,
  nothingInTime,
  normalise,
  runRipgrep,
  searchDeadline,
  searchFailure,
  resultWithNote,
} from './support/run-ripgrep.ts';
import { failed, fileProblem, ok, sizeInWords, type Tool, type ToolResult } from './support/tool.ts';
import { hitFlags, readHit, textsOfHits, type Hit } from './support/match-text.ts';
import { shownPath, type Root, type Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';
import type { Phrase } from '../../compaction/records/record.ts';

const mostMatches = 200;
/** Maximum bytes of a searched file. Larger files are data, possibly in a single line. */
const largestSearched = 20_000_000;
/** Maximum characters of a pattern. A command line of Windows has room for three times as many. */
const longestPattern = 10_000;

interface Target {
  readonly root: Root;
  /** Path relative to the root; empty for the whole root. */
  readonly path: string;
  readonly shown: string;
  readonly isFile: boolean;
  readonly glob: string | undefined;
}

export function createSearchText(workspace: Workspace, ripgrepPath: string): Tool {
  return defineTool({
    name: 'search_text',
    description:
      'Searches the text of all files of the workspace, line by line, and returns `path:line: text`. Ignored files, binary files, files that may hold secrets, and .git are left out. Use it to find where something is defined, used or described.',
    properties: {
      pattern: {
        type: 'string',
        description: 'Regular expression (Rust syntax). Ignores case unless it has a capital letter.',
      },
      literal: { type: 'boolean', description: 'Search for the pattern as plain text.' },
      path: { type: 'string', description: 'Directory or file to search. The whole workspace if left out.' },
      glob: { type: 'string', description: 'Only files that match, for example *.ts or src/**/*.md.' },
      case_sensitive: { type: 'boolean', description: 'Whether case counts, whatever the pattern has.' },
      max_results: { type: 'integer', minimum: 1, description: 'Stop after so many matches, 200 at most.' },
    },
    required: ['pattern'],
    describe: ({ pattern = '', path: within, glob }) =>
      [within, glob].reduce<Phrase>(
        (what, place) => (place === undefined ? what : agentSentences.say('labelIn', { what, place })),
        pattern,
      ),
    async run(values, signal) {
      const { pattern, glob } = values;
      const wrong = patternProblem(pattern) ?? (glob === undefined ? undefined : globProblem(glob));
      if (wrong !== undefined) return failed(wrong);
      const roots = await workspace.roots();
      const targets = await targetsOf(values, workspace, roots);
      if ('isError' in targets) return targets;

      const flags = [
        ...hitFlags,
        `--max-filesize=${largestSearched}`,
        caseFlag(values.case_sensitive),
        ...(values.literal === true ? ['--fixed-strings'] : []),
      ];
      const most = Math.min(values.max_results ?? mostMatches, mostMatches);
      const search = { executable: ripgrepPath, flags, pattern, most, deadline: searchDeadline() };
      const found: Line[] = [];
      let isLimited = false;
      for (const target of targets) {
        const outcome = await searchIn(target, search, signal);
        if ('refusal' in outcome) return outcome.refusal;
        const { root } = target;
        const prefix = roots.length > 1 ? `${root.name}/` : '';
        for (const line of outcome.lines) found.push({ ...line, file: `${prefix}${line.file}` });
        isLimited ||= outcome.isLimited;
        if (isLimited || found.length > most) break;
      }
      return resultOf(found, most, isLimited);
    },
  });
}

interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

interface Search {
  readonly executable: string;
  readonly flags: readonly string[];
  readonly pattern: string;
  /** Maximum number of matches shown. One more match is collected, to find out whether there are more. */
  readonly most: number;
  readonly deadline: number;
}

type SearchOutcome =
  { readonly lines: readonly Line[]; readonly isLimited: boolean } | { readonly refusal: ToolResult };

async function searchIn(target: Target, search: Search, signal: AbortSignal): Promise<SearchOutcome> {
  const { root, glob, shown } = target;
  const { executable, deadline } = search;
  const filter =
    glob === undefined
      ? undefined
      : await fileGlob(glob, { executable, directory: root.path, deadline }, signal);
  if (filter !== undefined && 'problem' in filter) return { refusal: failed(searchFailure(filter.problem)) };
  if (!target.isFile) return searchFolder(target, search, filter, signal);
  try {
    return await withRealFile(path.join(root.path, target.path), async (file) => {
      const size = sizeInWords(file.size);
      const most = sizeInWords(largestSearched);
      if (file.size > largestSearched) {
        return { refusal: failed(agentSentences.say('fileTooLargeToSearch', { file: shown, size, most })) };
      }
      return searchFolder(target, search, filter, signal, file.handle.fd);
    });
  } catch (error) {
    throwIfCancelled(signal);
    return { refusal: fileProblem(error, shown) };
  }
}

/** @param input an open file to search instead of the folder */
async function searchFolder(
  { root, path: within }: Target,
  { executable, flags, pattern, most, deadline }: Search,
  filter: FileGlob | undefined,
  signal: AbortSignal,
  input?: number,
): Promise<SearchOutcome> {
  const hits: Hit[] = [];
  const outcome = await runRipgrep(
    {
      executable,
      flags: [...flags, ...(filter?.flags ?? [])],
      operands: [pattern, input === undefined ? `./${within}` : '-'],
      directory: root.path,
      ...(input === undefined ? {} : { input }),
      separator: '\n',
      deadline,
      onItem(item) {
        const hit = readHit(item);
        if (hit === undefined) return true;
        const file = input === undefined ? normalise(hit.path) : within;
        if (filter?.allowed?.has(file) === false || isSecretPath(file)) return true;
        hits.push({ ...hit, path: file });
        return hits.length <= most;
      },
    },
    signal,
  );
  if (outcome.problem !== undefined) return { refusal: failed(searchFailure(outcome.problem)) };
  const lines = await linesOf(root, hits);
  const isLimited = outcome.limit !== undefined || filter?.isLimited === true;
  return { lines, isLimited };
}

async function linesOf(root: Root, hits: readonly Hit[]): Promise<readonly Line[]> {
  const byFile = new Map<string, Hit[]>();
  for (const hit of hits) byFile.set(hit.path, [...(byFile.get(hit.path) ?? []), hit]);
  const lines: Line[] = [];
  for (const [file, inFile] of byFile) {
    const texts = await textsOfHits(path.join(root.path, file), inFile, largestSearched);
    for (const [index, { line }] of inFile.entries()) {
      const text = texts[index];
      if (text !== undefined) lines.push({ file, line, text });
    }
  }
  return lines;
}

function resultOf(found: readonly Line[], most: number, isLimited: boolean): ToolResult {
  if (found.length === 0) return isLimited ? nothingInTime() : ok('No matches.');
  const shown = found.slice(0, most);
  const lines = shown.flatMap(({ file, line, text }, index) => {
    const printed = `${file}:${line}: ${text}`;
    return index > 0 && shown[index - 1]?.file !== file ? ['', printed] : [printed];
  });
  const more =
    found.length > most &&
    toModel`The first ${most} matches; there are more. Use a narrower pattern, path or glob.`;
  return resultWithNote(lines, more || (isLimited && limitNote));
}

function patternProblem(pattern: string): ModelText | undefined {
  if (pattern === '') return toModel`The pattern is empty.`;
  if (pattern.length > longestPattern) {
    return toModel`The pattern is too long: it has ${pattern.length.toLocaleString('en')} characters, and ${longestPattern.toLocaleString('en')} are the most.`;
  }
  return /[\n\r\0]/.test(pattern)
    ? toModel`The search goes line by line; the pattern must be one line.`
    : undefined;
}

function caseFlag(caseSensitive: boolean | undefined): string {
  if (caseSensitive === undefined) return '--smart-case';
  return caseSensitive ? '--case-sensitive' : '--ignore-case';
}

/** Finds the targets to search. @returns a result that explains the refusal if they are not allowed */
async function targetsOf(
  values: { readonly path?: string | undefined; readonly glob?: string | undefined },
  workspace: Workspace,
  roots: readonly Root[],
): Promise<readonly Target[] | ToolResult> {
  const { path: within = '', glob } = values;
  if (within === '' || path.normalize(within) === '.') {
    const parts = glob === undefined ? roots.map((root) => ({ root, glob })) : globsByRoot(glob, roots);
    return parts.map((part) => ({ ...part, path: '', shown: part.root.name, isFile: false }));
  }
  const resolution = await workspace.resolve(within);
  if ('refusal' in resolution) return failed(resolution.refusal);
  const { root, path: absolute, shown } = resolution.place;
  const relative = shownPath(root, absolute, [root]);
  if (isSecretPath(relative)) {
    return failed(
      agentSentences.say('mayHoldSecrets', { file: shown }),
      toModel` It is left out. read_file asks for it.`,
    );
  }
  if (relative.split('/').includes('.git')) return failed(toModel`${shown} is left out of searches.`);
  try {
    const status = await stat(absolute);
    if (!status.isFile() && !status.isDirectory())
      return fileProblem(new UnusablePathError('special', absolute), shown);
    return [{ root, path: relative === '.' ? '' : relative, shown, isFile: status.isFile(), glob }];
  } catch (error) {
    return fileProblem(error, shown);
  }
}
