import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallEnd, callEnds } from '../../../src/compaction/ledger/call-ends.ts';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { interruptedResultText, repairPairs } from '../../../src/compaction/messages/exchange.ts';
import type { CallOutcome, Message } from '../../../src/compaction/messages/message.ts';
import { reportedEnds } from '../../../src/compaction/messages/ledger.ts';
import { called, reminder, result, said, typed } from '../../support/messages.ts';

const run = called('m1', ['a', 'bash', { command: 'rm -rf build' }]);
const edit = called('m1', ['a', 'edit_file', { path: 'src/a.ts' }]);
const read = called('m1', ['a', 'read_file', { path: 'src/a.ts' }]);
const told = (outcome: CallOutcome, text = 'x'): Message => ({ ...result('m2', 'a', text), outcome });
const failing = { ...result('m2', 'a', 'x'), isError: true };

function endOf(...messages: readonly Message[]): CallEnd | undefined {
  return [...callEnds(messages).values()][0]?.end;
}

describe('the end of a call', () => {
  it.each(reportedEnds)('is read from the mark of the result: %s', (end) => {
    expect(endOf(run, told({ end }))).toBe(end);
  });

  it('is read from the marks of earlier versions too', () => {
    expect(endOf(run, { ...told({ isDeclined: true }), isError: true })).toBe('refused');
  });

  it.each([
    ['ran', result('m2', 'a', 'done')],
    ['ran', result('m2', 'a', 'exit code 0')],
    ['failed', result('m2', 'a', 'exit code 2')],
    ['failed', told({ status: 2 })],
    ['failed', failing],
  ])('is "%s" according to the status, text or mark of the result', (end, answer) => {
    expect(endOf(run, answer)).toBe(end);
  });

  it('is not read from an exit status mentioned in a file', () => {
    expect(endOf(read, result('m2', 'a', 'if [ -z "$1" ]; then exit 2; fi'))).toBe('ran');
  });

  it('is "pending" until the next message and "unanswered" afterwards', () => {
    expect(endOf(typed('m0', 'go'), run)).toBe('pending');
    expect(endOf(run, typed('m2', 'stop'))).toBe('unanswered');
    expect(endOf(run, said('m2', 'Let me look first.'))).toBe('unanswered');
    expect(endOf(run, reminder('m2', '[Request interrupted by user for tool use]'))).toBe('unanswered');
    expect(endOf(run, reminder('m2', '<system-reminder>A hook ran.</system-reminder>'))).toBe('pending');
  });

  it('is "ran" despite a missing result if the file format has no results', () => {
    expect(endOf({ ...run, hidesResults: true }, typed('m2', 'thanks'))).toBe('ran');
  });

  it('is "unanswered" if the result is only a placeholder', () => {
    expect(endOf(...repairPairs([run, typed('m2', 'stop')]))).toBe('unanswered');
    expect(endOf(run, { ...result('m2', 'a', interruptedResultText), origin: 'harness' })).toBe('unanswered');
  });

  it('is found for each call, even if ids are repeated and results late', () => {
    const again = called('m4', ['a', 'bash', { command: 'ls' }]);
    const messages = [run, told({ end: 'refused' }), typed('m3', 'look'), again, typed('m5', 'well?')];
    const ends = callEnds([...messages, { ...result('m6', 'a', 'src'), id: 'm6' }]);
    expect([...ends.values()].map(({ end }) => end)).toEqual(['refused', 'ran']);
  });
});

describe('the ledger', () => {
  it.each(['refused', 'notAllowed'] as const)('lists a command that was %s as not run', (end) => {
    const { commands, notRun } = extractLedger([run, told({ end })]);
    expect(commands).toEqual([]);
    expect(notRun).toEqual([{ text: 'rm -rf build', what: 'command', end }]);
  });

  it.each<readonly [commands: readonly object[], answer: Message]>([
    [[{ command: 'npm ci' }], result('m2', 'a', 'done')],
    [[{ command: 'npm ci', status: 0 }], told({ status: 0 })],
    [[], told({ status: 3 })],
    [[], failing],
    [[], told({ end: 'cancelled' })],
    [[], told({ end: 'running' })],
    [[], told({ end: 'skipped' })],
    [[], told({ end: 'unanswered' })],
  ])('lists a command as run only if it succeeded: %j', (commands, answer) => {
    const install = called('m1', ['a', 'bash', { command: 'npm ci' }]);
    expect(extractLedger([install, answer])).toMatchObject({ commands, notRun: [] });
  });

  it('does not list a file as changed if the edit was refused or failed', () => {
    expect(extractLedger([edit, told({ end: 'refused' })])).toMatchObject({
      filesModified: [],
      filesRead: [],
      notRun: [{ text: 'src/a.ts', what: 'edit', end: 'refused' }],
    });
    expect(extractLedger([edit, failing])).toMatchObject({ filesModified: [], notRun: [] });
  });

  it('does not list a file as read if it could not be shown', () => {
    expect(extractLedger([read, failing]).filesRead).toEqual([]);
  });

  it('forgets the refusal of a command once it has run', () => {
    const again = called('m3', ['b', 'bash', { command: 'rm -rf build' }]);
    const messages = [run, told({ end: 'refused' }), again, result('m4', 'b', 'done')];
    expect(extractLedger(messages).notRun).toEqual([]);
  });

  it('neither adds nor resolves an error for a refused call', () => {
    const test = (id: string) => called(id, [id, 'bash', { command: 'npm test' }]);
    const { errors } = extractLedger([
      test('m1'),
      result('m2', 'm1', 'Error: boom\nexit code 1'),
      test('m3'),
      { ...result('m4', 'm3', 'Error: rejected by the user'), outcome: { end: 'refused' } },
    ]);
    expect(errors.map(({ text }) => text)).toEqual(['Error: boom']);
  });

  it('never lists a call as not run if the newest run began', () => {
    const outcome = fc.option(fc.constantFrom(...reportedEnds), { nil: undefined });
    const calls = fc.array(fc.record({ command: fc.constantFrom('npm ci', 'make', 'rm x'), end: outcome }));
    fc.assert(
      fc.property(calls, (list) => {
        const messages = list.flatMap(({ command, end }, index) => [
          called(`c${index}`, [`i${index}`, 'bash', { command }]),
          { ...result(`r${index}`, `i${index}`, 'x'), ...(end !== undefined && { outcome: { end } }) },
        ]);
        for (const { text } of extractLedger(messages).notRun) {
          expect(list.findLast(({ command }) => command === text)?.end).toMatch(
            /^(?:refused|notAllowed|skipped|unanswered)$/u,
          );
        }
      }),
    );
  });
});
