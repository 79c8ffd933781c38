import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { surroundingsHere } from '../agent/files/surroundings.ts';
import { readHookInput } from '../bridge/hooks/hook-input.ts';
import { runHook } from '../bridge/hooks/run-hook.ts';
import { stateFolder } from '../transcripts/session/state-folder.ts';

const standardOutput = 1;

/**
 * Runs one call of an agent's hook over standard input and output. The command always exits successfully,
 * because an agent may reject a prompt or a call if its hook fails.
 * @param event name of the event in the agent's configuration
 */
export async function runHookCommand(event: string | undefined): Promise<void> {
  const folder = stateFolder(surroundingsHere());
  const answer = await runHook(readHookInput(process.stdin), event, folder, readApart);
  // The write is synchronous and without a stream, because the answer is far shorter than a pipe's buffer.
  if (answer !== undefined) writeSync(standardOutput, `${answer}\n`);
}

/** Reads a session in a process that continues after this one has ended. */
function readApart(input: string): void {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'hook', 'Read'], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  });
  // If it cannot start, the next call reads the session itself.
  for (const part of [child, child.stdin]) part.once('error', () => {});
  child.stdin.end(input);
  child.unref();
}
