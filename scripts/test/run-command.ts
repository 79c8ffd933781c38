import type { StdioOptions } from 'node:child_process';
import spawn from 'cross-spawn';

/** Result of a command. */
export interface CommandResult {
  /** Exit code; 1 if a signal ended the command. */
  readonly code: number;
  /** The whole output, with standard output and error interleaved. Empty if the output was shown instead. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  /** True to let the command write to the output of this process. Otherwise, its output is collected. */
  readonly show?: boolean;
  /** Environment variables in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs a command until it ends. The command gets no standard input, so that it fails instead of waiting for an
 * answer. Arguments arrive unchanged, even at the .cmd files of npm packages on Windows.
 *
 * @throws if the command cannot be started
 */
export function runCommand(
  command: string,
  commandArguments: readonly string[],
  { cwd = process.cwd(), show = false, environment }: CommandOptions = {},
): Promise<CommandResult> {
  const stdio: StdioOptions = show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'];
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, {
      cwd,
      stdio,
      // Logs are read without a terminal, which would show colour codes as text.
      env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...environment },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
