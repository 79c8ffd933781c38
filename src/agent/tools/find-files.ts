import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { defineTool } from './support/define-tool.ts';
import {
  fileGlob,
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
import { failed, ok, type Tool, type ToolResult } from './support/tool.ts';
import { toModel } from '../../language/sentence.ts';
import type { Root, Workspace } from '../files/workspace.ts';

const mostFiles = 500;

export function createFindFiles(workspace: Workspace, ripgrepPath: string): Tool {
  return defineTool({
    name: 'find_files',
    description:
      'Finds files of the workspace by name: `*.ts` anywhere, `src/**/*.test.ts` by path. Ignored files and .git are left out. Use it to find where something is; search_text looks into the files.',
    properties: {
      glob: { type: 'string', description: 'Glob for the path of a file, for example **/*.ts.' },
    },
    required: ['glob'],
    describe: ({ glob = '' }) => glob,
    async run({ glob }, signal) {
      const problem = globProblem(glob);
      if (problem !== undefined) return failed(problem);
      const roots = await workspace.roots();
      const deadline = searchDeadline();
      const found: string[] = [];
      let isLimited = false;
      for (const { root, glob: inRoot } of globsByRoot(glob, roots)) {
        const lookup = { executable: ripgrepPath, directory: root.path, deadline };
        const filter = await fileGlob(inRoot, lookup, signal);
        if ('problem' in filter) return failed(searchFailure(filter.problem));
        const files: string[] = [];
        const outcome = await runRipgrep(
          {
            ...lookup,
            flags: ['--files', '--null', ...filter.flags],
            operands: [],
            separator: '\0',
            onItem(item) {
              const file = normalise(item);
              if (filter.allowed?.has(file) === false) return true;
              files.push(file);
              return found.length + files.length <= mostFiles;
            },
          },
          signal,
        );
        if (outcome.problem !== undefined) return failed(searchFailure(outcome.problem));
        for (const file of await Promise.all(files.map((name) => fileIn(root, name)))) {
          if (file !== undefined) found.push(roots.length > 1 ? `${root.name}/${file}` : file);
        }
        isLimited ||= outcome.limit !== undefined || filter.isLimited === true;
        if (isLimited || found.length > mostFiles) break;
      }
      return resultOf(glob, found, isLimited);
    },
  });
}

/** Returns the file, unless a folder on its path became a link after ripgrep found it. */
async function fileIn(root: Root, file: string): Promise<string | undefined> {
  const absolute = path.join(root.path, file);
  return (await realpath(absolute).catch(() => undefined)) === absolute ? file : undefined;
}

function resultOf(glob: string, found: readonly string[], isLimited: boolean): ToolResult {
  if (found.length === 0) {
    return isLimited ? nothingInTime() : ok(`No file matches ${glob}.`);
  }
  const names = found.slice(0, mostFiles).map((file) => file.replace(/[\r\n]/g, '?'));
  const more =
    found.length > mostFiles && toModel`The first ${mostFiles} files; there are more. Use a narrower glob.`;
  return resultWithNote(names, more || (isLimited && limitNote));
}
