import { stat } from 'node:fs/promises';
import path from 'node:path';
import { defineTool } from './define-tool.ts';
import { fileGlob, globProblem, globsByRoot, normalise } from './file-glob.ts';
import { readMatch } from './match-line.ts';
import { runRipgrep } from './ripgrep.ts';
import { searchFailure } from './search-failure.ts';
import { failed, ok, type Tool } from './tool.ts';
import { shownPath, type Root, type Workspace } from './workspace.ts';

const mostMatches = 200;
/** Larger files are data, and one line of them can be the whole file. */
const largestSearched = '20M';

/** A root and what of it is searched. */
interface Target {
  readonly root: Root;
  /** Relative to the root; empty for all of it. */
  readonly path: string;
  readonly glob: string | undefined;
}

export function createSearchText(workspace: Workspace, ripgrepPath: string): Tool {
  return defineTool({
    name: 'search_text',
    description:
      'Searches the text of all files of the workspace, line by line, and returns `path:line: text`. Ignored files, binary files and .git are left out. Use it to find where something is defined, used or described.',
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
    describe({ pattern = '', path: within, glob }) {
      return [pattern, ...[within, glob].filter((part) => part !== undefined)].join(' in ');
    },
    async run(values, signal) {
      const { pattern, glob } = values;
      if (pattern === '') return failed('The pattern is empty.');
      if (/[\n\r\0]/.test(pattern))
        return failed('The search goes line by line; the pattern must be one line.');
      const wrongGlob = glob === undefined ? undefined : globProblem(glob);
      if (wrongGlob !== undefined) return failed(wrongGlob);
      const roots = await workspace.roots();
      const targets = await targetsOf(values, workspace, roots);
      if (typeof targets === 'string') return failed(targets);

      const flags = [
        '--json',
        `--max-filesize=${largestSearched}`,
        caseFlag(values.case_sensitive),
        ...(values.literal === true ? ['--fixed-strings'] : []),
      ];
      const most = Math.min(values.max_results ?? mostMatches, mostMatches);
      const found: { readonly file: string; readonly line: string }[] = [];
      for (const { root, path: within, glob: inRoot } of targets) {
        const filter =
          inRoot === undefined ? undefined : await fileGlob(inRoot, ripgrepPath, root.path, signal);
        if (filter !== undefined && 'problem' in filter) return failed(searchFailure(filter.problem));
        const outcome = await runRipgrep(
          {
            executable: ripgrepPath,
            flags: [...flags, ...(filter?.flags ?? [])],
            operands: [pattern, `./${within}`],
            directory: root.path,
            separator: '\n',
            onItem(item) {
              const match = readMatch(item);
              if (match === undefined) return true;
              const relative = normalise(match.path);
              if (filter?.allowed?.has(relative) === false) return true;
              const file = roots.length > 1 ? `${root.name}/${relative}` : relative;
              found.push({ file, line: `${file}:${match.line}: ${match.text}` });
              return found.length <= most;
            },
          },
          signal,
        );
        if (outcome.problem !== undefined) return failed(searchFailure(outcome.problem));
        if (found.length > most) break;
      }
      if (found.length === 0) return ok('No matches.');
      const shown = found.slice(0, most);
      const lines = shown.flatMap(({ file, line }, index) =>
        index > 0 && shown[index - 1]?.file !== file ? ['', line] : [line],
      );
      const isTruncated = found.length > most;
      const note = isTruncated
        ? `\n\n[The first ${most} matches; there are more. Use a narrower pattern, path or glob.]`
        : '';
      return ok(`${lines.join('\n')}${note}`, isTruncated);
    },
  });
}

function caseFlag(caseSensitive: boolean | undefined): string {
  if (caseSensitive === undefined) return '--smart-case';
  return caseSensitive ? '--case-sensitive' : '--ignore-case';
}

/** Where to search; a text says why nowhere. */
async function targetsOf(
  values: { readonly path?: string | undefined; readonly glob?: string | undefined },
  workspace: Workspace,
  roots: readonly Root[],
): Promise<readonly Target[] | string> {
  const { path: within = '', glob } = values;
  if (within === '' || path.normalize(within) === '.') {
    if (glob === undefined) return roots.map((root) => ({ root, path: '', glob }));
    return globsByRoot(glob, roots).map((part) => ({ ...part, path: '' }));
  }
  const resolution = await workspace.resolve(within);
  if ('refusal' in resolution) return resolution.refusal;
  const { root, path: absolute, shown } = resolution.place;
  const relative = shownPath(root, absolute, [root]);
  if (relative.split('/').includes('.git')) return `${shown} is left out of searches.`;
  try {
    await stat(absolute);
  } catch {
    return `${shown} does not exist. find_files and list_directory show what does.`;
  }
  return [{ root, path: relative === '.' ? '' : relative, glob }];
}
