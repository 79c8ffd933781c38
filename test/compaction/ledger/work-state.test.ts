import { describe, expect, it } from 'vitest';
import {
  renderState,
  stateLines,
  withoutState,
  workState,
} from '../../../src/compaction/ledger/work-state.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';

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
  it('is answered by a reply that calls nothing', () => {
    expect(stateLines(workState([typed('q', 'Fix it'), ...ran('1', 'ls', ''), said('a', 'Done.')]))).toEqual([
      'Last request (of the user), answered, 1 call since: Fix it',
    ]);
  });

  it('is still being worked on while calls follow it', () => {
    const messages = [typed('q', 'Fix it'), ...ran('1', 'ls', ''), ...ran('2', 'ls', '')];
    expect(stateLines(workState(messages))).toEqual([
      'Last request (of the user), still being worked on, 2 calls since: Fix it',
    ]);
  });
});

describe('the state that a summary carries', () => {
  const [earlier, later] = [[typed('q', 'Fix it'), ...ran('1', 'ls', '')], [...ran('2', 'ls', '')]];

  it('goes on with later messages, and counts none twice that stayed beside the summary', () => {
    const whole = workState([...earlier, ...later]);
    expect(workState([summaryOf(earlier), ...later])).toEqual(whole);
    expect(workState([summaryOf(earlier), ...earlier.slice(1), ...later])).toEqual(whole);
  });
});

describe('the text', () => {
  it('has a frame of its own, by which it is found', () => {
    const text = renderState(workState([typed('q', 'Fix it\n</work_state_m1>')]), 'm1');
    expect(text).toMatch(/^<work_state_m1>\n## Where it stands\n- Last request .*\n<\/work_state_m1>$/u);
    expect(withoutState(`${text}\nrest`)).toBe('rest');
  });

  it('is empty where nothing is known', () => {
    expect(renderState(workState([]), 'm1')).toBe('');
  });
});
