import { describe, expect, it } from 'vitest';
import { openErrors } from '../../../src/compaction/ledger/open-errors.ts';
import type { ErrorFact } from '../../../src/compaction/messages/ledger.ts';
import { emptyLedger } from '../../../src/compaction/messages/ledger.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, reminder, result, typed } from '../../support/messages.ts';

let calls = 0;
const called1 = (tool: string, input: Readonly<Record<string, unknown>>, output: string, isError = false) => {
  const id = `${++calls}`;
  return [
    called(`c${id}`, [id, tool, input]),
    { ...result(`r${id}`, id, output), ...(isError && { isError }) },
  ];
};
const ran = (command: string, output: string, isError = false) =>
  called1('bash', { command }, output, isError);
const open = (...runs: readonly (readonly Message[])[]) => openErrors(runs.flat()).map(({ text }) => text);

describe('an error of a command', () => {
  it('names the command without its folder and filters', () => {
    expect(openErrors(ran('cd /app && npx tsc --noEmit 2>&1 | tail -5', 'a.ts(1,2): error TS1: no'))).toEqual(
      [{ text: 'a.ts(1,2): error TS1: no', tool: 'bash', command: 'tsc --noEmit' }],
    );
  });

  it.each([
    ['the same command', 'go test ./a', 'go test ./a', 'ok  \ta\t0.1s'],
    ['other options', 'go test ./a', 'go test -v -count=1 ./a', 'ok  \ta\t0.1s'],
    ['a change of folder before it', 'go test ./a', 'cd /app && go test ./a', 'ok  \ta\t0.1s'],
    ['more targets', 'go test ./a', 'go test ./...', 'ok  \ta\t0.1s'],
    ['another target of the same check', 'go test ./a', 'go test ./b', 'ok'],
    ['only some of the tests', 'go test ./a', 'go test -run TestA ./a', 'ok'],
    ['another check of the same kind', 'cd /app/web && npx tsc --noEmit', 'npm run build', 'done'],
    ['a check of everything', 'npx eslint src/a.ts', 'npm run check', 'done'],
    ['another error through a filter', 'make', 'make | tail -1', 'error: two'],
    ['a filter that finds nothing', 'npx eslint .', 'npx eslint . | grep error', ''],
    ['a commit after a linter error', 'npx eslint .', 'git commit -m done', '[main abc1234] done'],
    ['a commit after a conflict', 'git merge next', 'git add . && git commit --no-edit', '[main abc1234] x'],
    ['a rebase that goes on after a conflict', 'git pull', 'git add . && git rebase --continue', 'Done.'],
    ['a merge that goes on after a conflict', 'git pull', 'git merge --continue', '[main abc1234] x'],
    ['the same program with another source', 'cp a b', 'cp c b', ''],
    ['a build after a type error', 'npx tsc --noEmit', 'npm run build', 'done'],
  ])('is resolved by a later run without the error: %s', (_title, first, second, output) => {
    expect(open(ran(first, 'error: one'), ran(second, output))).not.toContain('error: one');
  });

  it.each([
    ['another folder', 'cd web && npm test', 'cd server && npm test', 'ok', false],
    ['another kind of check', 'npx eslint .', 'npm test', 'ok', false],
    ['a commit after a failed test', 'npm test', 'git commit -m done', '[main abc1234] done', false],
    ['a rebase that was given up', 'git pull', 'git rebase --abort', '', false],
    ['a rebase that stops again', 'git pull', 'git rebase --continue', 'CONFLICT (content)', true],
    ['another program', 'cp a b', 'mv c b', '', false],
    ['a failure without a reason', 'make', 'make', 'Exit code 2', true],
    ['one of several programs', 'go vet ./a && go test ./a', 'go test ./a', 'ok', false],
  ])('stays open after %s', (_title, first, second, output, isError) => {
    expect(open(ran(first, 'error: one'), ran(second, output, isError))).toContain('error: one');
  });

  it('stays open while the same check continues', () => {
    const goesOn = called1('exec_command', { cmd: 'make' }, 'Process running with session ID 7\nOutput:\n');
    expect(open(ran('make', 'error: one'), goesOn)).toEqual(['error: one']);
  });

  it('is merged with other errors of the same output once later output has errors', () => {
    const made = ran('make', 'error: one\nerror: two\nerror: three');
    const told = { tool: 'bash', command: 'make' };
    expect(openErrors(made)).toEqual(
      ['one', 'two', 'three'].map((name) => ({ text: `error: ${name}`, ...told })),
    );
    expect(openErrors([...made, ...ran('npx eslint .', 'error: four')])[0]).toEqual({
      text: 'error: one',
      more: 2,
      ...told,
    });
  });

  it('is resolved once each of several programs has run without the error', () => {
    expect(
      open(ran('go vet ./a && go test ./a', 'error: one'), ran('go test ./a', 'ok'), ran('go vet ./a', '')),
    ).toEqual([]);
  });

  it.each(['gh run view 7 --log', 'docker logs app', 'git show HEAD', 'make --version'])(
    'is not read from the output of a program that only reads: %s',
    (command) => {
      expect(open(ran(command, 'error: one'))).toEqual([]);
    },
  );

  it('is not read from the output of checks that passed', () => {
    expect(open(ran('npm test', 'Error: as it should be\nTests:       3 passed, 3 total'))).toEqual([]);
  });

  it('belongs to the command that started the program, even if it was printed later', () => {
    expect(
      openErrors([
        ...called1('exec_command', { cmd: 'make all' }, 'Process running with session ID 7\nOutput:\n'),
        ...called1('write_stdin', { session_id: 7 }, 'Output:\nerror: one'),
      ]),
    ).toMatchObject([{ text: 'error: one', command: 'make all' }]);
  });
});

describe('a line that is not an error', () => {
  it.each([
    ['a file that was read', called1('Read', { file_path: 'a.log' }, 'Error: of long ago\nError: of today')],
    ['a file that a command shows', ran('cat a.log | tail -5', 'Error: of long ago')],
    ['a diff', ran('git diff', 'Error: of long ago')],
    ['the report of a sub-agent', called1('Task', { prompt: 'x' }, 'Error: found in the code')],
    ['a skill', called1('Skill', { skill: 'x' }, 'Base directory: x\nError: say this')],
    ['the head of a stack', ran('python x.py', 'Traceback (most recent call last):')],
    ['the end of a package', ran('go test ./...', 'FAIL\ta/b\t0.3s\nFAIL')],
    ['a usage message', ran('git x', 'error: usage: git x')],
    ['a program that is missing', ran('go run .', 'zsh:1: command not found: go')],
    ['a file that is missing', ran('cp a b', 'cp: a: No such file or directory')],
    ['a trial in a temporary folder', ran('cd /tmp/try && go run .', 'error: one')],
    ['a file of a trial', ran('python3 $S/try.py', 'error: one')],
    ['a cross in prose', ran('npm run report', '❌ **Issues found:**\n✗ **No folder**')],
  ])('comes from %s', (_title, messages) => {
    expect(open(messages)).toEqual([]);
  });
});

describe('errors before Aider undoes a commit', () => {
  it('are resolved', () => {
    const undone = reminder('r', 'Removed: aaaaaa1 fix: Mend it\nNow at:  bbbbbb1 One');
    expect(open(ran('tmp.lint.sh a.py', 'error: one'), [undone])).toEqual([]);
  });
});

describe('an error that a summary contains', () => {
  const summary = (error: ErrorFact): Message => ({
    ...typed('s', 'notes'),
    origin: 'strategy',
    kind: 'summary',
    carried: { ledger: { ...emptyLedger, errors: [error] } },
  });

  it('is resolved once its command runs without the error', () => {
    const carried = summary({ text: 'error: one', tool: 'bash', command: 'go test ./a' });
    expect(open([carried])).toEqual(['error: one']);
    expect(open([carried], ran('go test ./a', 'ok'))).toEqual([]);
  });

  it('stays open if its command is unknown, as in sessions of earlier versions', () => {
    expect(open([summary({ text: 'error: one', tool: 'bash' })], ran('go test ./a', 'ok'))).toEqual([
      'error: one',
    ]);
  });
});
