import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { WatchPlace } from './watched-agent.ts';

/**
 * Returns the environment of an agent with the variables of the first `.env` file that it would load. Variables of
 * the environment win.
 * @param settings name of the agent's settings folder
 * @param home folder that contains the user's settings folder
 */
export async function withVariablesOfFiles(
  { environment, folder }: WatchPlace,
  settings: string,
  home: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const folders = [...(folder === undefined ? [] : [folder]), home];
  for (const path of folders.flatMap((one) => [join(one, settings, '.env'), join(one, '.env')])) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return { ...parseEnv(text), ...environment };
  }
  return environment;
}
