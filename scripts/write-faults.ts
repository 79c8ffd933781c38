/**
 * Writes the table of the last run of the fault tests to test/faults/README.md, with a column for the last soak. Run
 * it after `npm run test:faults` and after `npm run soak`. If there is no table of a soak, its column stays
 * unchanged.
 *
 * Usage: node scripts/write-faults.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectFolder, resultsFolder } from './project.ts';
import { runMain } from './run-main.ts';

const path = join(projectFolder, 'test', 'faults', 'README.md');
const begin = '<!-- faults -->';
const end = '<!-- /faults -->';
/** Number of cells in a row: group, fault, attempts, harm, outcome, remark. The page adds the attempts of a soak. */
const ownCells = 6;

async function main(): Promise<void> {
  const table = await readFile(join(resultsFolder, 'faults.md'), 'utf8');
  const text = await readFile(path, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${path} has no ${begin} … ${end}.`);
  const soaked = await readFile(join(resultsFolder, 'faults-soak.md'), 'utf8').catch(() => undefined);
  const inSoak = soaked === undefined ? lastCells(text.slice(from + begin.length, to)) : triedIn(soaked);
  const whole = `${text.slice(0, from)}${begin}\n\n${withColumn(table, inSoak)}\n${text.slice(to)}`;
  await writeFile(path, await format(whole, { ...(await resolveConfig(path)), filepath: path }));
}

/** The rows of a table, each with its key: group and fault. */
function rowsOf(table: string): readonly (readonly [string, readonly string[]])[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const cells = line.split(/(?<!\\)\|/u).map((cell) => cell.trim());
    return [cells.slice(1, 3).join(' | '), cells.slice(1, -1)];
  });
}

function lastCells(table: string): ReadonlyMap<string, string> {
  return new Map(rowsOf(table).map(([key, cells]) => [key, cells[ownCells] ?? '']));
}

/** Key of a row → attempts of a soak. */
function triedIn(table: string): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(table).map(([key, [, , tries = '', harm = '', outcome]]) => [
      key,
      outcome === 'survived' ? tries : `${tries}, ${harm} did harm`,
    ]),
  );
}

function withColumn(table: string, column: ReadonlyMap<string, string>): string {
  const rows = rowsOf(table).map(([key, cells]) => `| ${[...cells, column.get(key) ?? ''].join(' | ')} |\n`);
  const [head, line] = table.split('\n');
  return `${head} in a soak |\n${line} --: |\n${rows.join('')}`;
}

await runMain(main);
