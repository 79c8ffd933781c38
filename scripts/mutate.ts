/**
 * Changes the sources of a room one place at a time, and counts how many of these mutants its tests notice. Prints
 * those that no test noticed, and writes `out/mutation/ROOM.json`.
 *
 * Usage: node scripts/mutate.ts [ROOM…]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

/** Files to change, and the tests that have to notice. */
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

await runMain(async () => {
  const folder = join(projectFolder, 'out', 'mutation');
  await mkdir(folder, { recursive: true });
  const chosen = process.argv.slice(2);
  for (const name of chosen.length === 0 ? Object.keys(rooms) : chosen) {
    const room = rooms[name];
    if (room === undefined)
      throw new Error(`There is no room "${name}"; there are ${Object.keys(rooms).join(', ')}.`);
    process.env['MUTATED_TESTS'] = room.tests.join(',');
    const results = await new Stryker({ mutate: [...room.mutate] }).runMutationTest();
    const count = (...statuses: readonly string[]) =>
      results.filter(({ status }) => statuses.includes(status)).length;
    const noticed = count('Killed', 'Timeout');
    const all = noticed + count('Survived', 'NoCoverage');
    console.log(`${name}: ${noticed} of ${all} noticed, ${((100 * noticed) / all).toFixed(1)}%`);
    await writeFile(join(folder, `${name}.json`), JSON.stringify(results, null, 1));
  }
});
