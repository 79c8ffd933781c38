import Mocha from 'mocha';
import { formatReport, type IntegrationReport } from '../../scripts/test/integration-report.ts';

/** Reports the outcome of each test in a line on the console. */
export class ConsoleReporter extends Mocha.reporters.Base {
  constructor(runner: Mocha.Runner) {
    super(runner);
    runner.on('pass', (test) => report(test, 'passed'));
    runner.on('pending', (test) => report(test, 'skipped'));
    runner.on('fail', (test, error: Error) => report(test, 'failed', error.stack ?? error.message));
  }
}

function report(test: Mocha.Test, state: IntegrationReport['state'], error?: string): void {
  const durationMs = test.duration ?? 0;
  console.log(
    formatReport({ title: test.titlePath(), state, durationMs, ...(error === undefined ? {} : { error }) }),
  );
}
