import { findSandbox } from '../../src/agent/command/find-sandbox.ts';
import { spawnCommand, type CommandOutcome } from '../../src/agent/command/spawn-command.ts';
import type { Sandbox } from '../../src/agent/command/sandbox.ts';

const found = await findSandbox();

/** The reason why the tests of the sandbox are skipped, for example that its program is not installed. */
export const withoutSandbox =
  typeof found !== 'string'
    ? ''
    : found.includes('not installed')
      ? 'install bubblewrap to run the tests of the sandbox'
      : `the tests of the sandbox. ${found}`;
if (withoutSandbox !== '') process.stderr.write(`skipped: ${withoutSandbox}\n`);

/** The sandbox of this machine; undefined where it has none that works. */
export const sandbox: Sandbox | undefined = typeof found === 'string' ? undefined : found;

export interface SandboxedRun {
  /** The workspace, where it also begins. */
  readonly root: string;
  readonly hasNetwork?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

/** Runs a command in the sandbox, as the tool does. */
export async function runSandboxed(command: string, run: SandboxedRun): Promise<CommandOutcome> {
  const {
    root,
    hasNetwork = false,
    environment = process.env,
    timeoutMs = 120_000,
    onOutput = () => {},
  } = run;
  const enclosed = { command, directory: root, environment };
  using enclosure = sandbox!.enclose({ ...enclosed, roots: [root], hasNetwork });
  return await spawnCommand(
    { ...enclosed, timeoutMs, onOutput, enclosure },
    run.signal ?? new AbortController().signal,
  );
}
