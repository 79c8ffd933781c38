/**
 * Puts the table that the last run of the fault tests left into docs/security.md, with a column for the last soak. Run
 * it after `npm run test:faults` and `npm run soak`.
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
  const [tried, soaked] = await Promise.all(
    ['faults.md', 'faults-soak.md'].map((name) => readFile(join(resultsFolder, name), 'utf8')),
  );
  const table = withSoak(tried ?? '', soaked ?? '');
  const text = await readFile(path, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} … ${end}.`);
  const whole = `${text.slice(0, from)}${begin}\n\n${table}\n${text.slice(to)}`;
  await writeFile(path, await format(whole, { ...(await resolveConfig(path)), filepath: path }));
}

/** Adds a column with the attempts of a soak to a table of faults. */
function withSoak(table: string, soak: string): string {
  const cellsOf = (line: string) => line.slice('| '.length, -' |'.length).split(' | ');
  const inSoak = new Map(
    soak.split('\n').map((line) => {
      const [group, fault, tries, harm, outcome] = cellsOf(line);
      const isSurvived = outcome === 'survived';
      return [`${group} | ${fault}`, isSurvived ? tries : `${tries}, ${harm} did harm: ${outcome}`];
    }),
  );
  return table
    .split('\n')
    .map((line, index) => {
      if (line === '') return line;
      const [group, fault] = cellsOf(line);
      const cell = ['in a soak', '--:'][index] ?? inSoak.get(`${group} | ${fault}`) ?? '';
      return `${line} ${cell} |`;
    })
    .join('\n');
}

await runMain(main);
