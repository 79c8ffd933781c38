import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import Mocha from 'mocha';
import { formatReport } from '../../scripts/test/integration-report.ts';
import { timeLimit } from '../../scripts/machine-speed.ts';
import { ConsoleReporter } from './console-reporter.ts';

/**
 * Runs every test file in this folder. Any VS Code calls it in its extension host.
 *
 * @throws if a test failed or a file cannot be loaded
 */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: timeLimit(60_000), reporter: ConsoleReporter });
  for (const name of (await readdir(import.meta.dirname, { recursive: true })).sort()) {
    if (name.endsWith('.test.mjs')) mocha.addFile(join(import.meta.dirname, name));
  }
  await mocha.loadFilesAsync().catch((error: unknown) => {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.log(formatReport({ title: ['test files'], state: 'failed', durationMs: 0, error: reason }));
    throw error;
  });
  const failed = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failed > 0) throw new Error(`${failed} of the tests failed.`);
}
