/**
 * Puts the table that the last run of the fault tests left into docs/security.md. Run it after `npm run test:faults`.
 *
 * Usage: node scripts/write-faults.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectFolder, resultsFolder } from './project.ts';
import { runMain } from './run-main.ts';

const path = join(projectFolder, 'docs', 'security.md');
const begin = '<!-- faults -->';
const end = '<!-- /faults -->';

async function main(): Promise<void> {
  const table = await readFile(join(resultsFolder, 'faults.md'), 'utf8');
  const text = await readFile(path, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} … ${end}.`);
  const whole = `${text.slice(0, from)}${begin}\n\n${table}\n${text.slice(to)}`;
  await writeFile(path, await format(whole, { ...(await resolveConfig(path)), filepath: path }));
}

await runMain(main);
