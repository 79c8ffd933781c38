import { defineTool } from './define-tool.ts';
import { fileGlob, globProblem, globsByRoot, normalise } from './file-glob.ts';
import { searchFailure } from './search-failure.ts';
import { runRipgrep } from './ripgrep.ts';
import { failed, ok, type Tool } from './tool.ts';
import type { Workspace } from './workspace.ts';

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
      const found: string[] = [];
      for (const { root, glob: inRoot } of globsByRoot(glob, roots)) {
        const filter = await fileGlob(inRoot, ripgrepPath, root.path, signal);
        if ('problem' in filter) return failed(searchFailure(filter.problem));
        const outcome = await runRipgrep(
          {
            executable: ripgrepPath,
            flags: ['--files', '--null', ...filter.flags],
            operands: [],
            directory: root.path,
            separator: '\0',
            onItem(item) {
              const file = normalise(item);
              if (filter.allowed?.has(file) === false) return true;
              found.push(roots.length > 1 ? `${root.name}/${file}` : file);
              return found.length <= mostFiles;
            },
          },
          signal,
        );
        if (outcome.problem !== undefined) return failed(searchFailure(outcome.problem));
        if (found.length > mostFiles) break;
      }
      if (found.length === 0) return ok(`No file matches ${glob}.`);
      const isTruncated = found.length > mostFiles;
      const note = isTruncated
        ? `\n\n[The first ${mostFiles} files; there are more. Use a narrower glob.]`
        : '';
      return ok(`${found.slice(0, mostFiles).join('\n')}${note}`, isTruncated);
    },
  });
}
