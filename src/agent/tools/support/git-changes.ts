import { withDirectory } from '../../files/real-file.ts';
import { type Root, shownPath, type Workspace } from '../../files/workspace.ts';
import { openRepository, type Repository, safeOptions } from './git-repository.ts';

interface GitChange {
  /** The path as given in `named`, otherwise a path relative to the workspace. */
  readonly path: string;
  readonly state: 'modified' | 'new' | 'deleted';
}

const mostFiles = 200;

/**
 * Lists the files that differ from the last commit; undefined without a usable repository.
 * @param named paths to return as given
 * @throws {CancelledError}
 */
export async function gitChanges(
  workspace: Workspace,
  named: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly GitChange[] | undefined> {
  const roots = await workspace.roots();
  const found = await Promise.all(roots.map((root) => changesIn(root, environment, signal)));
  if (found.every((changes) => changes === undefined)) return undefined;
  const nameOf = new Map<string, string>();
  for (const path of named) {
    const resolution = await workspace.resolve(path);
    if ('place' in resolution) nameOf.set(resolution.place.shown, path);
  }
  return roots.flatMap((root, index) =>
    (found[index] ?? []).slice(0, mostFiles).map(({ path, state }) => {
      const shown = shownPath(root, `${root.path}/${path}`, roots);
      return { path: nameOf.get(shown) ?? shown, state };
    }),
  );
}

async function changesIn(
  root: Root,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<readonly GitChange[] | undefined> {
  return withDirectory(root.path, async (directory) => {
    const repository = await openRepository(directory, environment, [root], signal);
    return 'problem' in repository ? undefined : changesOf(repository, signal);
  });
}

async function changesOf(
  repository: Repository,
  signal: AbortSignal,
): Promise<readonly GitChange[] | undefined> {
  const ask = async (...commandLine: readonly string[]) => {
    const { exitCode, output } = await repository.run([...commandLine, '--', '.'], signal);
    return exitCode === 0 ? output.split('\0').slice(0, -1) : undefined;
  };
  const untracked = ['ls-files', '--others', '--exclude-standard', '-z'] as const;
  const added = await ask(...untracked, ...(repository.hasCommits ? [] : ['--cached']));
  const changed = repository.hasCommits
    ? await ask('diff', ...safeOptions, '--name-status', '--no-renames', '-z', 'HEAD')
    : [];
  if (added === undefined || changed === undefined) return undefined;
  return [
    ...changed.flatMap((letter, index) =>
      index % 2 === 0 ? [{ path: changed[index + 1] ?? '', state: stateOf(letter) }] : [],
    ),
    ...added.map((path) => ({ path, state: 'new' as const })),
  ];
}

/** @param letter status from `--name-status` */
function stateOf(letter: string): GitChange['state'] {
  if (letter === 'A') return 'new';
  return letter === 'D' ? 'deleted' : 'modified';
}
