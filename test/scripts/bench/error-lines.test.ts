import { describe, expect, it } from 'vitest';
import { cutsBehindErrors, errorLinesOf, keptErrorLines } from '../../../scripts/bench/error-lines.ts';
import { called, result, said } from '../../support/messages.ts';

const ran = (id: string, command: string, output: string) => [
  called(`c${id}`, [id, 'bash', { command }]),
  result(`r${id}`, id, output),
];

describe('the error lines of a session', () => {
  it.each([
    'src/a.ts(3,5): error TS2345: no such type',
    'TypeError: x is undefined',
    'fatal: not a git repository',
    '--- FAIL: TestStore (0.00s)',
    'bash: foo: command not found',
  ])('are the errors that programs report: %s', (line) => {
    expect(errorLinesOf(ran('a', 'x', `ok\n${line}\n`)).map(({ text }) => text)).toEqual([line]);
  });

  it.each(['  12: throw new Error("no")', 'if err != nil {', 'The word error: in the middle', 'errors: 0'])(
    'exclude %s',
    (line) => {
      expect(errorLinesOf(ran('a', 'cat', line))).toEqual([]);
    },
  );

  it.each([
    ['the same call', 'go test ./a', true],
    ['another target', 'go test ./b', true],
    ['a filter', 'cd /app && go test -v ./a | tail -5', true],
    ['another program', 'make', false],
    ['another subcommand', 'go vet ./a', false],
  ])('are resolved only if a repeated call does not print them again: %s', (_title, again, isResolved) => {
    const session = [...ran('a', 'go test ./a', 'error: one'), ...ran('b', again, 'error: two')];
    expect(errorLinesOf(session)).toEqual([
      { text: 'error: one', isResolved },
      { text: 'error: two', isResolved: false },
    ]);
  });

  it('are resolved by a commit', () => {
    const session = [...ran('a', 'make', 'error: one'), ...ran('b', 'git commit -m x', '[main abc1234] x')];
    expect(errorLinesOf(session)).toEqual([{ text: 'error: one', isResolved: true }]);
  });

  it('include only the first line of each output', () => {
    const session = ran('a', 'make', 'error: one\nerror: two');
    expect(errorLinesOf(session).map(({ text }) => text)).toEqual(['error: one']);
    expect(keptErrorLines(session, [said('m', 'left: error: one')])).toMatchObject({ kept: 1, total: 1 });
    expect(keptErrorLines(session, [said('m', 'all is well')])).toMatchObject({ kept: 0, total: 1 });
  });

  it('have positions after their outputs at which they are measured', () => {
    const session = [
      ...ran('a', 'make', 'error: one'),
      ...Array.from({ length: 4 }, (_, index) => ran(`l${index}`, 'ls', 'a')).flat(),
      ...ran('b', 'make', 'error: two'),
    ];
    expect(cutsBehindErrors(session, 5).map((share) => share * session.length)).toEqual([7, 12]);
    expect(cutsBehindErrors(session, 1)).toHaveLength(1);
    expect(cutsBehindErrors(session.slice(2, 6), 5)).toEqual([]);
  });
});
