import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { commandEnvironment } from '../../command/command-environment.ts';
import { findProgram } from '../../files/find-program.ts';
import type { HeldDirectory } from '../../files/real-file.ts';
import { isInside, type Root } from '../../files/workspace.ts';
import { agentSentences } from '../../../language/english/agent-english.ts';
import type { Sentence } from '../../../language/sentence.ts';
import { headOf } from '../../../compaction/text/clip.ts';
import { throwIfCancelled } from '../../../compaction/signals/cancellation.ts';

/** Options that keep git from running a repository's programs and from entering submodules. */
export const safeOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--relative',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** A usable repository, seen from a directory in it. */
export interface Repository {
  readonly hasCommits: boolean;
  /** Runs git in the directory. @throws {CancelledError} */
  run(commandLine: readonly string[], signal: AbortSignal): Promise<GitOutcome>;
}

/**
 * Opens the repository around a directory, and disables the programs in its configuration.
 * @param roots folders from which git is never started
 * @returns the problem if the repository is unusable @throws {CancelledError}
 */
export async function openRepository(
  directory: HeldDirectory,
  environment: Environment,
  roots: readonly Root[],
  signal: AbortSignal,
): Promise<Repository | { readonly problem: Sentence }> {
  const searchPath = environment['PATH'] ?? environment['Path'] ?? '';
  const folders = roots.map(({ path }) => path);
  const executable = findProgram('git', searchPath, folders);
  if (executable === undefined) return { problem: agentSentences.say('gitIsMissing') };
  const run = (commandLine: readonly string[], stop: AbortSignal, disabled: readonly string[] = []) =>
    runGit(
      { executable, directory: directory.entrance, arguments: commandLine, environment, disabled },
      stop,
    );

  const top = await run(['rev-parse', '--show-toplevel'], signal);
  if (top.exitCode !== 0) return { problem: whyNot(top.complaint) };
  // A repository can name any folder as its work tree, including one outside the workspace.
  const topLevel = await realpath(top.output.replace(/\r?\n$/, '')).catch(() => '');
  if (topLevel === '' || !isInside(directory.path, topLevel)) {
    return { problem: agentSentences.say('gitOutside') };
  }
  const disabled = await ownFilters((commandLine) => run(commandLine, signal));
  const head = await run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal);
  return {
    hasCommits: head.exitCode === 0,
    run: (commandLine, stop) => run(commandLine, stop, disabled),
  };
}

/** Finds filters in the repository's own configuration, which git would run. Filters of the user may run. */
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

function whyNot(complaint: string): Sentence {
  if (/not a git repository/i.test(complaint)) return agentSentences.say('gitNoRepository');
  if (/dubious ownership/i.test(complaint)) return agentSentences.say('gitUntrusted');
  return agentSentences.say('gitCannotRead', { complaint: complaint.split('\n')[0] ?? '' });
}

interface GitRun {
  readonly executable: string;
  /** The working directory, as a path that another program can open. */
  readonly directory: string;
  readonly arguments: readonly string[];
  /** Environment of this process. Git gets only a part of it, without variables about git. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Drivers of the repository to disable, by the names of their settings. */
  readonly disabled?: readonly string[];
}

interface GitOutcome {
  /** Null if git was killed because it produced too much output or took too long. */
  readonly exitCode: number | null;
  /** If this output was cut off, it may end anywhere. */
  readonly output: string;
  readonly complaint: string;
  readonly isCutOff: boolean;
}

const mostOutput = 1_000_000;
/** Maximum seconds of a run, because git would wait for ever if one of its files is a pipe. */
const mostSeconds = 30;
const longestComplaint = 4_000;

/** Settings that disable hooks, monitors, pagers, fetching of objects, and repositories inside repositories. */
const safeSettings = [
  'core.fsmonitor=false',
  `core.hooksPath=${process.platform === 'win32' ? 'NUL' : '/dev/null'}`,
  'core.pager=cat',
  'core.quotePath=false',
  'diff.external=',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
];

const safeEnvironment = {
  // Forbids all transports, even if a repository allows them.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
} as const;

/** Runs a git command that only reads. @throws {CancelledError} after its end @throws if git cannot start */
async function runGit(run: GitRun, signal: AbortSignal): Promise<GitOutcome> {
  throwIfCancelled(signal);
  const settings = safeSettings.flatMap((setting) => ['-c', setting]);
  const child = spawn(run.executable, ['--no-pager', '--literal-pathspecs', ...settings, ...run.arguments], {
    cwd: run.directory,
    env: environmentOf(run),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const kill = () => {
    child.kill('SIGKILL');
    // A filter that git started may keep the streams open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  signal.addEventListener('abort', kill, { once: true });
  const late = AbortSignal.timeout(mostSeconds * 1000);
  late.addEventListener('abort', kill, { once: true });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > mostOutput) kill();
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (complaint.length < longestComplaint) complaint += text;
  });
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    throwIfCancelled(signal);
    if (late.aborted) complaint = `it was ended because it took longer than ${mostSeconds} s`;
    return {
      exitCode,
      output: headOf(output, mostOutput),
      complaint: headOf(complaint, longestComplaint).trim(),
      isCutOff: !late.aborted && output.length > mostOutput,
    };
  } finally {
    late.removeEventListener('abort', kill);
    signal.removeEventListener('abort', kill);
  }
}

/** Disables settings through the environment, because `-c` does not accept every name. */
function environmentOf({ environment, disabled = [] }: GitRun): NodeJS.ProcessEnv {
  const overrides = disabled.flatMap((key, index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, ''],
  ]);
  return {
    ...commandEnvironment(environment),
    ...safeEnvironment,
    GIT_CONFIG_COUNT: String(disabled.length),
    ...(Object.fromEntries(overrides) as Readonly<Record<string, string>>),
  };
}
