/**
 * Protocol by which tests in the extension host report results: one console line each. Both a browser's
 * workbench and a desktop VS Code pass on nothing else.
 */
export interface IntegrationReport {
  /** Titles of the suites and of the test, outermost first. */
  readonly title: readonly string[];
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  /** Message and stack. */
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
