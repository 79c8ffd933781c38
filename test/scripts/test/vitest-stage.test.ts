import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../scripts/project.ts';
import { readReport, stageOf, type VitestReport } from '../../../scripts/test/vitest-stage.ts';

function reportOf(status: string, message: string, ...states: readonly string[]): VitestReport {
  const assertionResults = states.map((state, index) => ({ fullName: `test ${index}`, status: state }));
  return {
    testResults: [
      {
        name: join(projectFolder, 'test', 'a.test.ts'),
        status,
        message,
        startTime: 0,
        endTime: 1,
        assertionResults,
      },
    ],
  };
}

describe('reading a report of vitest', () => {
  it('counts the tests that passed, and names the tests that failed', () => {
    expect(readReport(reportOf('failed', '', 'passed', 'failed', 'passed'))).toEqual({
      passed: 2,
      failed: 1,
      skipped: 0,
      failures: [`${join('test', 'a.test.ts')}: test 1`],
    });
  });

  it('counts tests that did not run as skipped, whatever vitest calls them', () => {
    expect(readReport(reportOf('passed', '', 'pending', 'skipped', 'todo', 'passed'))).toMatchObject({
      passed: 1,
      skipped: 3,
    });
  });

  it('counts a file that cannot be loaded as one failed test, with the reason in one line', () => {
    expect(readReport(reportOf('failed', 'Cannot find module\nin a long story'))).toMatchObject({
      failed: 1,
      failures: [`${join('test', 'a.test.ts')}: Cannot find module`],
    });
  });
});

describe('the stage of a test file', () => {
  it.each([
    ['test/faults/fuzz.test.ts', 'faults'],
    ['test/webview/links.test.ts', 'webview'],
    ['test/end-to-end/chats.test.ts', 'end-to-end'],
    ['test/agent/contract/turn.test.ts', 'unit'],
  ])('of %s is %s', (file, stage) => {
    expect(stageOf(join(projectFolder, file))).toBe(stage);
  });
});
