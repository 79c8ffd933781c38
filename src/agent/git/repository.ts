import { realpath } from 'node:fs/promises';
import type { HeldDirectory } from '../files/held-directory.ts';
import { isInside } from '../inside-folder.ts';
import { findProgram } from './find-program.ts';
import { runGit, type GitOutcome } from './run-git.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository that can be asked, from one directory in it. */
export interface Repository {
  /** True if it has a commit yet. */
  readonly hasCommits: boolean;
  /** Runs git in the directory. @throws {DOMException} `AbortError` */
  run(commandLine: readonly string[], signal: AbortSignal): Promise<GitOutcome>;
}

/**
 * Opens the repository that a directory is in. What its own configuration would run when files are compared is taken
 * out of service first.
 *
 * @returns a sentence for the model where it cannot be asked
 * @throws {DOMException} `AbortError` where the signal was aborted
 */
export async function openRepository(
  directory: HeldDirectory,
  environment: Environment,
  signal: AbortSignal,
): Promise<Repository | { readonly problem: string }> {
  const executable = await findProgram('git', environment['PATH'] ?? environment['Path'] ?? '');
  if (executable === undefined) return { problem: 'git is not installed, or not in the PATH.' };
  const run = (commandLine: readonly string[], stop: AbortSignal, disabled: readonly string[] = []) =>
    runGit(
      { executable, directory: directory.entrance, arguments: commandLine, environment, disabled },
      stop,
    );

  const top = await run(['rev-parse', '--show-toplevel'], signal);
  if (top.exitCode !== 0) return { problem: whyNot(top.complaint) };
  // A repository can name any folder as the one its files are in, also one that is none of the workspace's business.
  const topLevel = await realpath(top.output.replace(/\r?\n$/, '')).catch(() => '');
  if (topLevel === '' || !isInside(directory.path, topLevel)) {
    return { problem: 'The files of this git repository are somewhere else, outside the workspace.' };
  }
  const disabled = await ownFilters((commandLine) => run(commandLine, signal));
  const head = await run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal);
  return {
    hasCommits: head.exitCode === 0,
    run: (commandLine, stop) => run(commandLine, stop, disabled),
  };
}

/**
 * Filters that the repository's own configuration has: git runs them on files that it compares. Those that a person
 * has set up for all repositories may run.
 */
async function ownFilters(
  run: (commandLine: readonly string[]) => Promise<GitOutcome>,
): Promise<readonly string[]> {
  const { output } = await run(['config', '--null', '--show-scope', '--get-regexp', '^filter\\.']);
  const fields = output.split('\0');
  return fields.flatMap((scope, index) => {
    const [key] = (fields[index + 1] ?? '').split('\n', 1);
    const isOwn = index % 2 === 0 && (scope === 'local' || scope === 'worktree');
    return isOwn && key !== undefined && key !== '' ? [key] : [];
  });
}

function whyNot(complaint: string): string {
  if (/not a git repository/i.test(complaint)) return 'This folder is not in a git repository.';
  if (/dubious ownership/i.test(complaint)) {
    return 'git does not trust this repository, because it belongs to somebody else. A person can change that with git config --global --add safe.directory.';
  }
  return `git cannot read this repository: ${complaint.split('\n')[0] ?? ''}`;
}
