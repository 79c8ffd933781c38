/**
 * Changes the sources of a room in one place at a time, and counts how many of these mutants the tests notice. Prints
 * the unnoticed mutants, and writes `out/mutation/ROOM.json`.
 *
 * Usage: node scripts/mutate.ts [ROOM…]
 */
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';
import { runCommand } from './test/run-command.ts';

/** Files to change, and the tests that should notice the changes. */
interface Room {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

const rooms: Readonly<Record<string, Room>> = {
  acceptance: {
    mutate: ['src/compaction/records/acceptance.ts'],
    tests: ['test/compaction/records/acceptance.test.ts'],
  },
  records: {
    mutate: ['src/compaction/records/*.ts', '!src/compaction/records/acceptance.ts'],
    tests: ['test/compaction/records/*.test.ts'],
  },
  view: { mutate: ['src/compaction/transcript/*.ts'], tests: ['test/compaction/transcript/*.test.ts'] },
  hooks: { mutate: ['src/bridge/hooks/*.ts'], tests: ['test/bridge/hooks/*.test.ts'] },
  approvals: { mutate: ['src/agent/approvals/*.ts'], tests: ['test/agent/approvals/*.test.ts'] },
};

/** The fields of Stryker's report that we use. */
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

await runMain(async () => {
  const folder = join(projectFolder, 'out', 'mutation');
  const chosen = process.argv.slice(2);
  for (const name of chosen.length === 0 ? Object.keys(rooms) : chosen) {
    const room = rooms[name];
    if (room === undefined)
      throw new Error(`There is no room "${name}"; there are ${Object.keys(rooms).join(', ')}.`);
    const { code } = await runCommand('npx', ['stryker', 'run', '--mutate', room.mutate.join(',')], {
      cwd: projectFolder,
      environment: { MUTATED_TESTS: room.tests.join(',') },
      show: true,
    });
    if (code !== 0) throw new Error(`Stryker ended with ${code}.`);
    const report = join(folder, `${name}.json`);
    await rename(join(folder, 'report.json'), report);
    console.log(`${name}: ${scoreOf(JSON.parse(await readFile(report, 'utf8')) as Report)}`);
  }
});

function scoreOf({ files }: Report): string {
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const count = (...statuses: readonly string[]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const all = noticed + count('Survived', 'NoCoverage');
  return `${noticed} of ${all} noticed, ${((100 * noticed) / all).toFixed(1)}%`;
}
