import { createInterface } from 'node:readline';
import { spawnCommand } from '../../../src/agent/command/spawn-command.ts';
import { runSandboxed, sandbox, withoutSandbox } from '../../support/sandboxed-command.ts';

/** A command for the runner, one line of JSON. */
export interface RunnerJob {
  readonly command: string;
  /** The workspace, where it also begins. */
  readonly root: string;
  readonly where: 'sandbox' | 'sandbox with network' | 'outside';
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * A separate program that runs commands like the tool, with its own rights and open files, and keeps their
 * changes. Prints `ready` or the reason for a missing sandbox, and answers each job with its output, as JSON.
 */
const tell = (answer: unknown) => process.stdout.write(`${JSON.stringify(answer)}\n`);
tell(sandbox === undefined ? withoutSandbox : 'ready');
if (sandbox !== undefined) {
  for await (const line of createInterface({ input: process.stdin })) tell(await run(JSON.parse(line)));
  sandbox.dispose();
}

async function run({ command, root, where, environment }: RunnerJob): Promise<string> {
  if (where !== 'outside') {
    const hasNetwork = where === 'sandbox with network';
    return (await runSandboxed(command, { root, environment, hasNetwork, keepsChanges: true })).output;
  }
  const settings = { command, directory: root, environment, timeoutMs: 60_000, onOutput: () => {} };
  return (await spawnCommand(settings, new AbortController().signal)).output;
}
