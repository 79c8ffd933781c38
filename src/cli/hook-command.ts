import { homedir, platform } from 'node:os';
import { text } from 'node:stream/consumers';
import { runHook } from '../bridge/hooks/run-hook.ts';
import { stateFolder } from '../bridge/state-folder.ts';
import { loadEncoding } from '../compaction/tokens/token-counter.ts';

/**
 * Runs one call of an agent's hook over standard input and output. It always ends well, because an agent takes a
 * failure of a hook for an objection.
 *
 * @param event the event, as the configuration of the agent names it
 */
export async function runHookCommand(event: string | undefined): Promise<void> {
  const folder = stateFolder({ home: homedir(), platform: platform(), environment: process.env });
  const answer = await runHook(await text(process.stdin), event, folder, async () => {
    const count = await loadEncoding('o200k_base');
    return (texts) => Promise.resolve(texts.map(count));
  });
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
}
