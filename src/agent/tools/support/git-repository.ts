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

/** Nothing that a repository's attributes or settings can name is run, and submodules are not looked into. */
export const safeOptions = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--relative',
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository that can be asked, from one directory in it. */
export interface Repository {
  /** True if it has a commit yet. */
  readonly hasCommits: boolean;
  /** Runs git in the directory. @throws {CancelledError} */
  run(commandLine: readonly string[], signal: AbortSignal): Promise<GitOutcome>;
}

/**
 * Opens the repository that a directory is in. What its own configuration would run when files are compared is taken
 * out of service first.
 *
 * @param roots of the workspace: no git in them is started
 * @returns the problem if it cannot be asked
 * @throws {CancelledError} if the signal was aborted
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

function whyNot(complaint: string): Sentence {
  if (/not a git repository/i.test(complaint)) return agentSentences.say('gitNoRepository');
  if (/dubious ownership/i.test(complaint)) return agentSentences.say('gitUntrusted');
  return agentSentences.say('gitCannotRead', { complaint: complaint.split('\n')[0] ?? '' });
}

interface GitRun {
  /** Absolute path of git. */
  readonly executable: string;
  /** The directory it runs in, as a path programs can enter. */
  readonly directory: string;
  readonly arguments: readonly string[];
  /** That of this process, of which git gets a part. What it says about git does not count. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Drivers of a repository that are taken out of service, by the names of their settings. */
  readonly disabled?: readonly string[];
}

interface GitOutcome {
  /** Null if it was ended because it wrote too much or took too long. */
  readonly exitCode: number | null;
  /** May end anywhere if it is cut off. */
  readonly output: string;
  readonly complaint: string;
  readonly isCutOff: boolean;
}

/** Characters of output that are read. */
const mostOutput = 1_000_000;
/** Seconds that it may take. A pipe that is named like a file of git's own is waited for. */
const mostSeconds = 30;
/** Characters kept of what git complains about. */
const longestComplaint = 4_000;

/**
 * A repository's own configuration must not run anything: no hooks, no file system monitor, no pager,
 * and it does not fetch what is missing. A repository that lies inside another one's files does not count.
 */
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
  // No transport at all, whatever a repository allows itself.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
} as const;

/**
 * Runs git, without a shell, to look something up.
 *
 * @throws {CancelledError} if the signal was aborted; the process has ended by then
 * @throws if git cannot be started
 */
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
    // A filter that git has started may keep them open.
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

/** Settings can have any name, which only the environment has room for. */
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
