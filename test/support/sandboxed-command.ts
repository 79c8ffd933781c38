import type { ApprovalDecision, ApprovalRequest } from '../../src/agent/approvals/approval-request.ts';
import { findSandbox } from '../../src/agent/command/find-sandbox.ts';
import { spawnCommand, type CommandOutcome } from '../../src/agent/command/spawn-command.ts';
import { applyReviewed, type ReviewOutcome } from '../../src/agent/command/apply-reviewed.ts';
import { Workspace } from '../../src/agent/files/workspace.ts';
import type { Sandbox } from '../../src/agent/command/sandbox.ts';

const found = await findSandbox();

/** The reason why the tests of the sandbox are skipped; empty if the sandbox works. */
export const withoutSandbox =
  typeof found !== 'string'
    ? ''
    : found.includes('not installed')
      ? 'install bubblewrap to run the tests of the sandbox'
      : `the tests of the sandbox. ${found}`;
if (withoutSandbox !== '') process.stderr.write(`skipped: ${withoutSandbox}\n`);

/** The sandbox of this machine; undefined if none works. */
export const sandbox: Sandbox | undefined = typeof found === 'string' ? undefined : found;

export interface SandboxedRun {
  /** The workspace, in which the command also starts. */
  readonly root: string;
  readonly hasNetwork?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
  /** True if the user keeps changes that can make programs run outside the sandbox. */
  readonly keepsChanges?: boolean;
}

export interface SandboxedOutcome extends CommandOutcome, ReviewOutcome {
  /** Questions to the user about changes. */
  readonly questions: readonly ApprovalRequest[];
}

/** Runs a command in the sandbox and applies its changes, as the tool does. */
export async function runSandboxed(command: string, run: SandboxedRun): Promise<SandboxedOutcome> {
  const {
    root,
    hasNetwork = false,
    environment = process.env,
    timeoutMs = 120_000,
    onOutput = () => {},
  } = run;
  const enclosed = { command, directory: root, environment };
  using enclosure = sandbox!.enclose({ ...enclosed, roots: [root], hasNetwork });
  const signal = run.signal ?? new AbortController().signal;
  const outcome = await spawnCommand({ ...enclosed, timeoutMs, onOutput, enclosure }, signal);
  const questions: ApprovalRequest[] = [];
  const ask = (request: ApprovalRequest): Promise<ApprovalDecision> => {
    questions.push(request);
    return Promise.resolve(
      run.keepsChanges === true ? { isAllowed: true, scope: 'once' } : { isAllowed: false, feedback: '' },
    );
  };
  const taken = await applyReviewed(await enclosure.changes(), new Workspace([root]), { signal, ask });
  return { ...outcome, ...taken, questions };
}
