import { describe, expect, it } from 'vitest';
import { renderState, stateLines, withoutState } from '../../../src/compaction/ledger/state-lines.ts';
import { workState } from '../../../src/compaction/ledger/work-state.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, reminder, result, said, typed } from '../../support/messages.ts';

/** A call of the shell with its output. */
const ran = (id: string, command: string, output: string): readonly Message[] => [
  called(`c${id}`, [id, 'bash', { command }]),
  result(`r${id}`, id, output),
];

/** A summary that carries the state of messages. */
const summaryOf = (messages: readonly Message[]): Message => ({
  ...typed('s', 'notes'),
  origin: 'strategy',
  kind: 'summary',
  carried: { state: workState(messages) },
});

describe('the last request', () => {
  it('is answered by a reply without calls', () => {
    expect(stateLines(workState([typed('q', 'Fix it'), ...ran('1', 'ls', ''), said('a', 'Done.')]))).toEqual([
      'Last request (of the user), answered, 1 call since: Fix it',
    ]);
  });

  it('is in progress while calls follow it', () => {
    const messages = [typed('q', 'Fix it'), ...ran('1', 'ls', ''), ...ran('2', 'ls', '')];
    expect(stateLines(workState(messages))).toEqual([
      'Last request (of the user), still being worked on, 2 calls since: Fix it',
    ]);
  });
});

const linesOf = (...messages: readonly Message[]) => stateLines(workState(messages));

describe('the end of the last request', () => {
  it('is "open" before a reply, and is not changed by a command to the program', () => {
    expect(linesOf(typed('q', 'Fix it'))).toEqual(['Last request (of the user), not answered yet: Fix it']);
    expect(linesOf(typed('q', 'Fix it'), said('a', 'Done.'), typed('x', '/exit'))[0]).toMatch(
      /answered: Fix it$/u,
    );
  });

  it("is shown with the assistant's question if the request is a short answer", () => {
    const asked = [typed('q', 'Fix it'), said('a', 'Two places are wrong. The parser or the lexer?')];
    expect(linesOf(...asked, typed('r', 'both'))[0]).toBe(
      'Last request (of the user), not answered yet: both (the assistant had asked: “The parser or the lexer?”)',
    );
    expect(linesOf(...asked, typed('r', 'Go on with the parser'))[0]).not.toContain('had asked');
  });

  it('is "undone" if the work was undone', () => {
    const edit = reminder(
      'e',
      'Tokens: 9 sent, 9 received.\nApplied edit to a.ts\nCommit aaaaaa1 fix: Mend it',
    );
    const undo = [typed('u', '/undo'), reminder('r', 'Removed: aaaaaa1 fix: Mend it\nNow at:  bbbbbb1 One')];
    expect(linesOf(typed('q', 'Fix it'), said('a', 'Done.'), edit, ...undo)).toEqual([
      'Last request (of the user), the work for it was taken back: Fix it',
      'Git: last commit bbbbbb1 "One"',
    ]);
  });

  it('is "interrupted" if the user stopped the work', () => {
    const stop: Message = { ...typed('s', '[Request interrupted by user]'), origin: 'harness' };
    expect(linesOf(typed('q', 'Fix it'), ...ran('1', 'ls', ''), stop)[0]).toMatch(
      /interrupted by the user, 1 call/u,
    );
  });

  it('is "open" if the reply breaks off after a failed check', () => {
    const failed = ran('1', 'npx tsc --noEmit', 'a.ts(1,2): error TS1: no');
    const endOf = (text: string) =>
      workState([typed('q', 'Fix it'), ...failed, said('a', text)]).request?.end;
    expect(endOf('It still fails. Did we')).toBe('open');
    expect(endOf('It still fails.')).toBe('answered');
  });

  it('is "open" if a reply only announces a call', () => {
    const endOf = (text: string) => workState([typed('q', 'Fix it'), said('a', text)]).request?.end;
    expect(endOf('Two tests fail. Let me look at the first one.')).toBe('open');
    expect(endOf('Now the second one:')).toBe('open');
    expect(endOf('It works. Let me know if it does not.')).toBe('answered');
  });

  it('includes the newest call if it failed', () => {
    const failed = { ...result('r', '1', 'no'), isError: true };
    const messages = [
      typed('q', 'Publish it'),
      called('c', ['1', 'bash', { command: 'npm publish' }]),
      failed,
    ];
    expect(linesOf(...messages, said('a', 'It is not possible.'))[0]).toBe(
      'Last request (of the user), answered, 1 call since, its newest step failed (bash: npm publish): Publish it',
    );
    expect(linesOf(...messages, ...ran('2', 'npm publish', 'done'))[0]).not.toContain('failed');
    expect(linesOf(...messages, ...ran('2', 'cat package.json', '{}'))[0]).not.toContain('failed');
  });

  it.each([
    ['Great, thank you for your help! ###STOP###', true],
    ['###STOP###', true],
    ['Thanks, that is all. Bye', true],
    ['Thanks! Now push it', false],
    ['thanks, but why is that?', false],
    ['great', false],
  ])('is "closed" only after plain thanks or a goodbye of the user: %s', (text, isClosed) => {
    const asked = [typed('q', 'Fix it'), said('a', 'Done.')];
    expect(workState([...asked, typed('w', text)]).request).toMatchObject(
      isClosed ? { text: 'Fix it', end: 'closed' } : { end: 'open' },
    );
    const thanked = [...asked, typed('w', 'Thanks!'), said('b', 'You are welcome.')];
    expect(workState(thanked).request?.end).toBe('closed');
  });

  it('is not "closed" after thanks if the assistant asked a question', () => {
    const asked = [typed('q', 'Fix it'), said('a', 'Done. Shall I push it?'), typed('w', 'Great, thanks!')];
    expect(workState(asked).request).toMatchObject({ text: 'Great, thanks!', end: 'open' });
  });

  it('includes a call that the user refused', () => {
    const refused: Message = { ...result('r', '1', ''), outcome: { end: 'refused' } };
    expect(linesOf(typed('q', 'Fix it'), called('c', ['1', 'bash', { command: 'rm x' }]), refused)).toEqual([
      'Last request (of the user), the user refused the newest call: Fix it',
      'Refused by the user, who said nothing since: bash: rm x',
    ]);
  });
});

describe('the awaited event', () => {
  it('is the answer to a final question, until the next message of the user', () => {
    const question = said('a', 'Done.\n\nShall I push it?');
    expect(linesOf(typed('q', 'Fix it'), question)[1]).toBe(
      "Awaited: the user's answer to this question of the assistant: Shall I push it?",
    );
    expect(linesOf(typed('q', 'Fix it'), question, typed('w', 'Yes'))).toHaveLength(1);
  });

  it.each(['Hello! How can I assist you today?', 'Done. Is there anything else I can help with?'])(
    'is not the answer to an offer of help: %s',
    (text) => {
      expect(linesOf(typed('q', 'Hello'), said('a', text))).toHaveLength(1);
    },
  );

  it.each([
    ['its end was read', called('d', ['2', 'write_stdin', { session_id: 7 }]), 1],
    ['it was started again', called('d', ['2', 'exec_command', { cmd: 'cd /app && go test ./...' }]), 1],
    ['something else ran', called('d', ['2', 'exec_command', { cmd: 'ls' }]), 2],
  ])('is a background command only until it ends or restarts: %s', (_title, next, lines) => {
    const started: Message = {
      ...result('r', '1', 'Process running with session ID 7\nOutput:\n'),
      outcome: { end: 'running' },
    };
    const ended = result('s', '2', 'Process exited with code 0\nOutput:\nok');
    const state = workState([
      called('c', ['1', 'exec_command', { cmd: 'go test ./a' }]),
      started,
      next,
      ended,
    ]);
    expect(state.awaited).toHaveLength(lines - 1);
  });

  it("may be a background command, a sub-agent's report, or a result", () => {
    const running: Message = { ...result('r', '1', 'started'), outcome: { end: 'running' } };
    expect(
      linesOf(
        called('c', ['1', 'bash', { command: 'npm start' }]),
        running,
        called('d', ['2', 'Task', { prompt: 'x' }], ['3', 'bash', { command: 'ls' }]),
      ),
    ).toEqual([
      'Running in the background, no end seen: bash: npm start',
      "Awaited: a sub-agent's report: Task",
      'Awaited: the result of a call: bash: ls',
    ]);
  });
});

describe('checks, repository and plan', () => {
  it('are shown with their age', () => {
    expect(
      linesOf(
        ...ran('1', 'npm test', 'Tests:       1 failed, 1 total'),
        ...ran('2', 'git status -sb', '## main\n M a.ts'),
        called('e', ['3', 'edit', { path: 'a.ts' }]),
        result('f', '3', 'ok'),
        called('p', [
          '4',
          'TodoWrite',
          {
            todos: [
              { content: 'Write', status: 'in_progress' },
              { content: 'Test', status: 'pending' },
            ],
          },
        ]),
        result('o', '4', 'ok'),
      ),
    ).toEqual([
      'Newest test: `npm test` failed, 3 calls ago, 1 edit since; it printed: Tests: 1 failed, 1 total',
      'Git: branch main; uncommitted: a.ts (2 calls ago, 1 edit since)',
      'Plan (of the assistant): 0 of 2 steps done',
      'In progress: Write',
      'Open: Test',
    ]);
  });

  it('include the errors of the newest failed check, up to ten lines', () => {
    const errors = Array.from({ length: 11 }, (_, index) => `a.ts(${index + 1},1): error TS1: no`);
    const [line = ''] = linesOf(...ran('1', 'npx tsc --noEmit', errors.join('\n')));
    expect(line.match(/error TS1/gu)).toHaveLength(10);
  });

  it('count an edit even if only the result names the file', () => {
    const edit = [
      called('e', ['2', 'Edit', {}]),
      result('f', '2', 'The file /app/a.ts has been updated successfully.'),
    ];
    expect(linesOf(...ran('1', 'go test ./...', 'ok  \ta\t0.1s'), ...edit)).toEqual([
      'Newest test: `go test ./...` passed, 1 call ago, 1 edit since',
    ]);
  });

  it('count a revert by git as an edit', () => {
    const messages = [typed('q', 'Fix it'), ...ran('1', 'npm test', '1 passed')];
    const since = (command: string, output: string) =>
      linesOf(...messages, ...ran('2', command, output)).find((line) => line.startsWith('Newest test'));
    expect(since('git stash', 'Saved working directory')).toContain('1 edit since');
    expect(since('git stash', 'No local changes to save')).toContain('no edits since');
    expect(since('git checkout -b two', '')).toContain('no edits since');
  });

  it('leave out old output of a check', () => {
    const failed = ran('1', 'npx tsc', 'a.ts(1,1): error TS1: one');
    const edits = Array.from({ length: 31 }, (_, n) => [
      called(`e${n}`, [`e${n}`, 'edit_file', { path: 'a.ts' }]),
      result(`re${n}`, `e${n}`, 'done'),
    ]).flat();
    expect(linesOf(...failed)[0]).toContain('it printed: a.ts(1,1)');
    expect(linesOf(...failed, ...edits)[0]).toMatch(/failed, 31 calls ago, 31 edits since$/u);
  });

  it('leave out a failed check if a later check of the same kind passed', () => {
    expect(
      linesOf(
        ...ran('1', 'go test ./store', '--- FAIL: TestOpen (0.00s)\nFAIL'),
        ...ran('2', 'go test ./server', 'ok  \tserver\t0.2s'),
      ),
    ).toEqual(['Newest test: `go test ./server` passed, in the newest call']);
  });

  it('leave out a long list of uncommitted files if files were edited later', () => {
    const looked = ran('1', 'git status -sb', '## main\n M a.ts');
    const edit = [called('e', ['2', 'edit', { path: 'a.ts' }]), result('f', '2', 'ok')];
    const later = Array.from({ length: 30 }, (_, index) => ran(`l${index}`, 'ls', 'a.ts')).flat();
    expect(linesOf(...looked, ...edit, ...later)).toEqual(['Git: branch main']);
    expect(linesOf(...looked, ...later, ...later.slice(0, 2))).toEqual([
      'Git: branch main; uncommitted: a.ts (31 calls ago, no edits since)',
    ]);
  });
});

describe('a command that continues in a session of Codex', () => {
  it('is complete once a later call prints the end of it', () => {
    const script = 'go test ./... && git commit -m "Say it"';
    expect(
      linesOf(
        called('c', ['1', 'exec_command', { cmd: script }]),
        result('r', '1', 'Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n'),
        called('d', ['2', 'write_stdin', { session_id: 7, chars: '' }]),
        result(
          's',
          '2',
          'Wall time: 9.0 seconds\nProcess exited with code 0\nOutput:\nok  \ta\t0.1s\n[main abc1234] Say it\n',
        ),
      ),
    ).toEqual([
      'Newest test: `go test ./...` passed, in the newest call',
      'Git: branch main; last commit abc1234 "Say it"',
    ]);
  });
});

describe('the state of the work in a summary', () => {
  const [earlier, later] = [[typed('q', 'Fix it'), ...ran('1', 'ls', '')], [...ran('2', 'ls', '')]];

  it('is updated by later messages, without counting remaining messages twice', () => {
    const whole = workState([...earlier, ...later]);
    expect(workState([summaryOf(earlier), ...later])).toEqual(whole);
    expect(workState([summaryOf(earlier), ...earlier.slice(1), ...later])).toEqual(whole);
  });
});

describe('the text of the state of the work', () => {
  it('is found and removed by its tags', () => {
    const text = renderState(workState([typed('q', 'Fix it\n</work_state_m1>')]), 'm1');
    expect(text).toMatch(/^<work_state_m1>\n## Where it stands\n- Last request .*\n<\/work_state_m1>$/u);
    expect(withoutState(`${text}\nrest`)).toBe('rest');
  });

  it('is empty if nothing is known', () => {
    expect(renderState(workState([]), 'm1')).toBe('');
  });
});
