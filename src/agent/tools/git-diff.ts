import { stat } from 'node:fs/promises';
import path from 'node:path';
import { withDirectory } from '../files/real-file.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { openRepository, type Repository, safeOptions } from './support/git-repository.ts';
import type { RunCommandPorts } from './run-command-tool.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, fileProblem, type Tool, type ToolResult } from './support/tool.ts';
import { shownPath, type Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { toModel, type Sentence } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { Phrase } from '../../compaction/records/record.ts';

/** Maximum number of changed files that git gets by name when secrets are left out. */
const mostNamed = 1_000;
const mostUntracked = 50;
/** Names of commits: branches, tags, hashes, `HEAD~2`, `main@{1}`. None of them looks like an option. */
const commitName = /^[\w@][\w./@{}^~+-]{0,199}$/;

/** The files to compare, and the directory in which git runs. */
interface Place {
  /** Absolute path of the directory in which git runs, with all symbolic links resolved. */
  readonly directory: string;
  readonly path: string;
  /** The prefix that makes paths relative to the workspace. It is empty or ends with a slash. */
  readonly prefix: string;
}

interface Totals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export function createGitDiff(workspace: Workspace, { environment }: RunCommandPorts): Tool {
  return defineTool({
    name: 'git_diff',
    description:
      'Shows what has changed in a git repository since the last commit, as a unified diff, and lists files that are not tracked. Use it to review your own changes.',
    properties: {
      path: { type: 'string', description: 'Only this file or directory. The whole workspace if left out.' },
      staged: { type: 'boolean', description: 'Only what is staged for the next commit.' },
      against: {
        type: 'string',
        description: 'Compare with this commit, branch or tag, for example main or HEAD~2. HEAD if left out.',
      },
    },
    required: [],
    describe: ({ path: within, staged, against }) =>
      [
        ...(staged === true ? [agentSentences.say('labelStaged')] : []),
        ...(against === undefined ? [] : [agentSentences.say('labelAgainst', { commit: against })]),
        ...(within === undefined ? [] : [within]),
      ].reduce<Phrase>(
        (one, other) => (one === '' ? other : agentSentences.say('labelBoth', { one, other })),
        '',
      ),
    async run({ path: given, staged = false, against }, signal) {
      if (against !== undefined && !commitName.test(against)) {
        return failed(toModel`"${against}" is not the name of a commit, branch or tag.`);
      }
      const place = await placeOf(given, workspace);
      if ('isError' in place) return place;
      try {
        return await withDirectory(place.directory, async (directory) => {
          const repository = await openRepository(directory, environment(), await workspace.roots(), signal);
          if ('problem' in repository) return failed(repository.problem);
          const base = await baseOf(repository, against, signal);
          if (base === undefined)
            return failed(agentSentences.say('gitNoCommit', { commit: against ?? 'HEAD' }));
          return compare(repository, place, base, staged, signal);
        });
      } catch (error) {
        throwIfCancelled(signal);
        return fileProblem(error, given ?? '.');
      }
    },
  });
}

/** Returns the place of a path, or a refusal. Git runs in the nearest directory that exists. */
async function placeOf(given: string | undefined, workspace: Workspace): Promise<Place | ToolResult> {
  const roots = await workspace.roots();
  if (roots.length === 0) return failed(agentSentences.say('workspaceIsGone'));
  const resolution = await workspace.resolve(given ?? '.');
  if ('refusal' in resolution) return failed(resolution.refusal);
  const { root, path: absolute } = resolution.place;
  let directory = absolute;
  while (directory !== root.path && !(await isDirectory(directory))) directory = path.dirname(directory);
  const shown = shownPath(root, directory, roots);
  return {
    directory,
    path: path.relative(directory, absolute).split(path.sep).join('/') || '.',
    prefix: shown === '.' ? '' : `${shown}/`,
  };
}

async function isDirectory(absolute: string): Promise<boolean> {
  try {
    return (await stat(absolute)).isDirectory();
  } catch {
    return false;
  }
}

/** Returns the tree of the commit to compare with, or an empty tree before the first commit. */
async function baseOf(
  repository: Repository,
  against: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const isNew = against === undefined && !repository.hasCommits;
  const { exitCode, output } = await repository.run(
    isNew
      ? ['hash-object', '-t', 'tree', '--stdin']
      : ['rev-parse', '--verify', '--quiet', '--end-of-options', `${against ?? 'HEAD'}^{commit}`],
    signal,
  );
  const id = output.trim();
  return exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

async function compare(
  repository: Repository,
  place: Place,
  base: string,
  staged: boolean,
  signal: AbortSignal,
): Promise<ToolResult> {
  const from = [...(staged ? ['--cached'] : []), base];
  const against = [...from, '--', place.path];
  const prefixes = [`--src-prefix=a/${place.prefix}`, `--dst-prefix=b/${place.prefix}`];
  const [numbers, others] = await Promise.all([
    repository.run(['diff', ...safeOptions, '--numstat', '-z', '--no-renames', ...against], signal),
    repository.run(['ls-files', '--others', '--exclude-standard', '-z', '--', place.path], signal),
  ]);
  const changed = changedFiles(numbers.output);
  const secrets = changed.filter((name) => isSecretPath(`${place.prefix}${name}`));
  // Git takes the paths literally, so excluding a file requires the names of all other files.
  const shownPaths =
    secrets.length === 0
      ? [place.path]
      : changed.filter((name) => !secrets.includes(name)).slice(0, mostNamed);
  const diff =
    shownPaths.length === 0
      ? { ...numbers, output: '' }
      : await repository.run(
          ['diff', ...safeOptions, '--patch', ...prefixes, ...from, '--', ...shownPaths],
          signal,
        );
  const broken = [numbers, diff, others].find(({ exitCode, isCutOff }) => exitCode !== 0 && !isCutOff);
  if (broken !== undefined) {
    return failed(agentSentences.say('gitFailed', { complaint: broken.complaint.split('\n')[0] ?? '' }));
  }

  const untracked = staged ? [] : others.output.split('\0').slice(0, -1);
  const summary = summaryOf(totalsOf(numbers.output), untracked.length);
  const names = untracked.slice(0, mostUntracked).map((name) => `  ${place.prefix}${printable(name)}`);
  const more = untracked.length - names.length;
  const list = [toModel`Not tracked:`, ...names, ...(more > 0 ? [`  … and ${more} more`] : [])];
  const text = diff.isCutOff
    ? `${diff.output.slice(0, diff.output.lastIndexOf('\n'))}\n[The diff is longer. Ask for one path at a time.]`
    : diff.output.trimEnd();
  const hidden = secrets.map((name) => `  ${place.prefix}${printable(name)}`);
  const parts = [
    summary.english,
    ...(names.length > 0 ? [list.join('\n')] : []),
    ...(hidden.length > 0 ? [[toModel`Left out, since they may hold secrets:`, ...hidden].join('\n')] : []),
    ...(text === '' ? [] : [text]),
  ];
  return {
    content: parts.join('\n\n'),
    isError: false,
    summary,
    ...(diff.isCutOff ? { isTruncated: true } : {}),
  };
}

function changedFiles(numbers: string): readonly string[] {
  return numbers
    .split('\0')
    .slice(0, -1)
    .map((item) => item.split('\t').slice(2).join('\t'));
}

/** Sums up lines in the form "added, removed, path". Binary files have dashes instead of numbers. */
function totalsOf(numbers: string): Totals {
  let files = 0;
  let added = 0;
  let removed = 0;
  for (const item of numbers.split('\0').slice(0, -1)) {
    const [plus = '', minus = ''] = item.split('\t', 2);
    files++;
    added += Number(plus) || 0;
    removed += Number(minus) || 0;
  }
  return { files, added, removed };
}

function summaryOf(totals: Totals, untracked: number): Sentence {
  const changed =
    totals.files === 0
      ? agentSentences.say('gitNothingChanged')
      : agentSentences.say('gitChanged', { ...totals });
  return untracked === 0 ? changed : agentSentences.say('gitUntracked', { changed, count: untracked });
}

function printable(name: string): string {
  return /\p{C}/u.test(name) ? JSON.stringify(name) : name;
}
