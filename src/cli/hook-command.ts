import { writeSync } from 'node:fs';
import { surroundingsHere } from '../agent/files/surroundings.ts';
import { readHookInput } from '../bridge/hooks/hook-input.ts';
import { runHook } from '../bridge/hooks/run-hook.ts';
import { stateFolder } from '../bridge/state-folder.ts';
import type { CountTokens } from '../compaction/tokens/token-counter.ts';

const standardOutput = 1;

/**
 * Runs one call of an agent's hook over standard input and output. It always ends well, because an agent takes a
 * failure of a hook for an objection.
 *
 * @param event the event, as the configuration of the agent names it
 * @param loadCounter is called if something has to be counted
 */
export async function runHookCommand(
  event: string | undefined,
  loadCounter: () => Promise<CountTokens>,
): Promise<void> {
  const folder = stateFolder(surroundingsHere());
  const answer = await runHook(readHookInput(process.stdin), event, folder, async () => {
    const count = await loadCounter();
    return (texts) => Promise.resolve(texts.map(count));
  });
  // A stream would have to be set up first; the answer is far shorter than what a pipe holds.
  if (answer !== undefined) writeSync(standardOutput, `${answer}\n`);
}
