/**
 * Measures speed and size. Each part runs in a separate process and compares programs side by side, so its values are
 * ratios that can be reproduced on another machine. Prints a table for each part and writes `out/bench/PART.json`.
 *
 * Usage: node scripts/bench.ts [PART…] [--write]; `--write` also puts the values into the table of
 * docs/performance.md.
 */
import { fork } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { measuresTable } from './bench/measures-table.ts';
import type { Measure } from './bench/part.ts';
import { withNewValues } from './bench/performance-page.ts';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

interface PartResult {
  readonly title: string;
  readonly measures: readonly Measure[];
}

const partsFolder = join(projectFolder, 'scripts', 'bench', 'parts');
const resultsFolder = join(projectFolder, 'out', 'bench');
const page = join(projectFolder, 'docs', 'performance.md');

await runMain(async () => {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  await mkdir(resultsFolder, { recursive: true });
  for (const id of await chosenParts(positionals)) {
    const result = await measured(id);
    if (result === undefined) continue;
    const table = measuresTable(result.measures);
    console.log(`\n## ${result.title}\n\n${table}`);
    await writeFile(join(resultsFolder, `${id}.json`), `${JSON.stringify(result, null, 2)}\n`);
    if (values.write) await writePage(withNewValues(await readFile(page, 'utf8'), id, result.measures));
  }
});

async function chosenParts(names: readonly string[]): Promise<readonly string[]> {
  const files = await readdir(partsFolder);
  const parts = files.filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -'.ts'.length));
  const unknown = names.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; there are ${parts.join(', ')}.`);
  return names.length === 0 ? parts.toSorted() : names;
}

/** @returns undefined if the part failed; then its error was shown, and the exit code is 1 */
function measured(id: string): Promise<PartResult | undefined> {
  return new Promise((resolve) => {
    let result: PartResult | undefined;
    const child = fork(join(projectFolder, 'scripts', 'bench', 'run-part.ts'), [id], {
      execArgv: ['--expose-gc'],
    });
    child.on('message', (message) => (result = message as PartResult));
    child.on('close', () => {
      if (result === undefined) {
        console.error(`Part "${id}" failed.`);
        process.exitCode = 1;
      }
      resolve(result);
    });
  });
}

async function writePage(text: string): Promise<void> {
  await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
}
