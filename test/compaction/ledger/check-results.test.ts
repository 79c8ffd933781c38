import { describe, expect, it } from 'vitest';
import { checkRuns, type RanScript, withRun } from '../../../src/compaction/ledger/check-results.ts';
import { errorsIn } from '../../../src/compaction/ledger/result-facts.ts';
import type { CheckState } from '../../../src/compaction/messages/where-it-stands.ts';

const runsOf = (script: string, output = '', rest: Partial<RanScript> = {}) =>
  checkRuns({
    script,
    folder: undefined,
    end: 'ran',
    status: undefined,
    output,
    errors: () => errorsIn(output),
    ...rest,
  });
const told = (...given: Parameters<typeof runsOf>) =>
  runsOf(...given).map(({ kind, result, line }) =>
    [kind, result, ...(line === undefined ? [] : [line])].join(' '),
  );

describe('the result of a check', () => {
  it('follows from the exit status if the line ends with the check', () => {
    expect(told('cd a && npm test', 'all good', { status: 0 })).toEqual(['test passed']);
    expect(told('cd a && npm test', 'no', { status: 1, end: 'failed' })).toEqual(['test failed']);
    expect(told('go vet ./... && go test ./...', '', { status: 0 })).toEqual(['lint passed', 'test passed']);
  });

  it('is unknown in a temporary folder', () => {
    expect(told('cd /tmp/trial && npm test', '', { status: 0 })).toEqual([]);
    expect(told('npm test', '', { status: 0, folder: '/tmp/trial' })).toEqual([]);
  });

  it('is unknown if the status belongs to a filter or another command', () => {
    expect(told('npm test | tail -3', 'done', { status: 0 })).toEqual(['test unknown']);
    expect(told('npm test; echo done', 'done', { status: 0 })).toEqual(['test unknown']);
    expect(told('npm ci && npm test', 'done', { status: 1, end: 'failed' })).toEqual(['test unknown']);
  });

  it('follows from a status printed after the check', () => {
    expect(told('npm test; echo "exit: $?"', 'done\nexit: 1', { status: 0 })).toEqual(['test failed']);
  });

  it.each([
    ['npm test 2>&1 | tail -5', 'Tests:       3 passed, 3 total', 'test passed'],
    [
      'npm test 2>&1 | tail -5',
      'Tests:       1 failed, 2 passed, 3 total',
      'test failed Tests: 1 failed, 2 passed, 3 total',
    ],
    ['pytest | tail -1', '=== 2 passed in 0.10s ===', 'test passed'],
    ['go test ./... 2>&1 | tail', 'ok  \ta/b\t0.3s', 'test passed'],
    [
      'go test ./... 2>&1 | tail',
      '--- FAIL: TestA (0.00s)\nok  \ta/b\t0.3s\nFAIL',
      'test failed --- FAIL: TestA (0.00s)',
    ],
    ['golangci-lint run | head -20', '0 issues.', 'lint passed'],
    [
      'tsc --noEmit | head',
      'src/a.ts(3,5): error TS2345: no',
      'typecheck failed src/a.ts(3,5): error TS2345: no',
    ],
    ['go build ./...', '', 'build passed'],
    ['npm run build | tail -3', 'Waiting for the debugger', 'build unknown'],
    ['tsc --noEmit | grep error', '', 'typecheck unknown'],
    ['cat old.log; npm test | tail', 'Tests:       3 passed, 3 total', 'test unknown'],
    ['make lint 2>&1 | tail -3', 'Checked.', 'lint passed'],
    ['make lint 2>&1 | tail -3', 'x\nmake: *** [lint] Error 1', 'lint failed make: *** [lint] Error 1'],
    ['make lint 2>/dev/null | tail -3', 'Checked.', 'lint unknown'],
    ['go build ./... 2>&1 | head -5 && echo done', 'done', 'build passed'],
    ['go build ./... 2>&1 | head -1 && ls', 'a\nb', 'build unknown'],
    ['go test ./... | grep -E "ok|FAIL"', 'ok  \ta/b\t0.3s', 'test passed'],
    ['go test ./... | grep ok', 'ok  \ta/b\t0.3s', 'test unknown'],
    ['mise run lint | grep issue', '[lint:go] 0 issues.', 'lint passed'],
    ['npm run check | tail', '✅ All checks passed', 'check unknown'],
    ['npm test | tail', '✅ 12 tests passed', 'test passed'],
    ['npm run check | tail', 'Checked 22 files in 17ms. No fixes applied.', 'check unknown'],
  ])('is read from %s with the output %j: %s', (script, output, result) => {
    expect(told(script, output)).toEqual([result]);
  });

  it.each([
    [
      'go build ./... | tail && go test ./... | tail -5',
      'ok  \ta/b\t0.3s',
      'ran',
      ['build passed', 'test passed'],
    ],
    [
      'go vet ./... && go test ./...',
      '--- FAIL: TestA (0.00s)\nFAIL',
      'failed',
      ['lint passed', 'test failed --- FAIL: TestA (0.00s)'],
    ],
    [
      'go build && golangci-lint run',
      'a.go:1:2: no (x)\n2 issues:',
      'failed',
      ['build passed', 'lint failed a.go:1:2: no (x)'],
    ],
    [
      'gofmt -w . && golangci-lint run | tail -3; ls',
      '0 issues.\na',
      'ran',
      ['format passed', 'lint passed'],
    ],
    ['npm run build; npm test', 'Tests:       3 passed, 3 total', 'ran', ['build unknown', 'test passed']],
    ['npm run lint && npm run build', '0 issues.', 'ran', ['lint passed', 'build unknown']],
  ] as const)('is found separately for each of several checks: %s', (script, output, end, results) => {
    expect(told(script, output, { end })).toEqual(results);
  });

  it('is missing if the check may not have run', () => {
    expect(told('npm ci || npm test', 'ok', { status: 0 })).toEqual([]);
    expect(told('npm run build && npm test', '', { status: 1, end: 'failed' })).toEqual(['build unknown']);
  });
});

it('the result of a check follows from a commit whose hook ran the check', () => {
  const output = '> shop@1.0.0 check\n> biome check\n\n[main abc1234] x';
  expect(told('git commit -m x', output)).toEqual(['check passed']);
  expect(told('git commit --no-verify -m x', output)).toEqual([]);
  expect(told('git commit -m x', '> shop@1.0.0 check\n> biome check\nx', { end: 'failed' })).toEqual([]);
});

it('checkRuns keeps additional error lines', () => {
  const output = 'a.ts(1,2): error TS1: no\na.ts(3,4): error TS2: no';
  expect(runsOf('tsc --noEmit', output)).toMatchObject([
    { line: 'a.ts(1,2): error TS1: no', more: ['a.ts(3,4): error TS2: no'] },
  ]);
});

describe('the checks of a session', () => {
  const at = { calls: 1, edits: 0 };
  const state = (command: string, result: CheckState['result']): CheckState => ({
    kind: 'test',
    command,
    result,
    at,
  });

  it('are only the newest check of each kind', () => {
    const runs = [state('go test ./a', 'failed'), state('go test ./b', 'passed')];
    const kept = runs.reduce<readonly CheckState[]>(withRun, []);
    expect(kept.map(({ command }) => command)).toEqual(['go test ./b']);
  });

  it.each([
    ['a check of everything', 'npx tsc --noEmit', 'typecheck', 'npm run check', 'check', true],
    ['a check of everything except tests', 'npm test', 'test', 'npm run check', 'check', false],
    ['a build, which needs the types', 'npx tsc --noEmit', 'typecheck', 'npm run build', 'build', true],
  ] as const)(
    'keep a failed check or not, as expected, after %s that passed',
    (_title, first, kind, then, other, isOver) => {
      const failed: CheckState = { kind, command: first, result: 'failed', at };
      const passed: CheckState = { kind: other, command: then, result: 'passed', at };
      expect(withRun([failed], passed)).toEqual(isOver ? [passed] : [failed, passed]);
    },
  );
});
