/**
 * The form in which tests in the extension host report results: one line on the console for each. Neither the
 * workbench in a browser nor a desktop VS Code passes on anything else.
 */
export interface IntegrationReport {
  /** Titles of the suites and the test, outermost first. */
  readonly title: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Message and stack of the error. */
  readonly error?: string;
}

const marker = 'integration-test ';

export function formatReport(report: IntegrationReport): string {
  return marker + JSON.stringify(report);
}

/** @returns undefined if the line is not a report */
export function parseReport(line: string): IntegrationReport | undefined {
  return line.startsWith(marker) ? (JSON.parse(line.slice(marker.length)) as IntegrationReport) : undefined;
}
