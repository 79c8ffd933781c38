import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { resultsFolder } from '../../../scripts/project.ts';
import { soak } from '../../support/soak.ts';
import { faultTable, type PlacedRow } from './fault-table.ts';

/** Prints the table of faults after a run, and leaves it in `out/test-results/faults.md`; `faults-soak.md` in a soak. */
export class FaultTableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const table = faultTable(modules.flatMap(rowsOf));
    mkdirSync(resultsFolder, { recursive: true });
    writeFileSync(join(resultsFolder, soak('faults.md', 'faults-soak.md')), table);
    process.stdout.write(`\n${table}`);
  }
}

function rowsOf(module: TestModule): readonly PlacedRow[] {
  const group = basename(module.moduleId, '.test.ts');
  return [...module.children.allTests()].flatMap((test) => {
    const row = test.meta().fault;
    if (row === undefined) return [];
    const { state } = test.result();
    const outcome = state === 'passed' ? 'survived' : state === 'skipped' ? 'skipped' : 'failed';
    return [{ ...row, group, what: test.name, outcome } as const];
  });
}

// Vitest loads a reporter by its default export.
// eslint-disable-next-line no-restricted-exports
export default FaultTableReporter;
