import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/compaction/messages/message.ts';
import { staleResults } from '../../../../src/compaction/strategies/steps/old-results.ts';
import { called, result, typed } from '../../../support/messages.ts';

const text = 'a text that is long enough not to be the same by chance';

/** A history in which each call, `[tool, arguments, output]`, is an exchange: r0, r1, … are its results. */
function history(
  ...calls: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>, output?: string])[]
): readonly Message[] {
  return [
    typed('m', 'go'),
    ...calls.flatMap(([tool, input, output], index) => [
      called(`c${index}`, ['call', tool, input]),
      result(`r${index}`, 'call', output ?? `${text} ${index}`),
    ]),
  ];
}

describe('staleResults', () => {
  it('finds a read of a file that was read again', () => {
    const view = history(['Read', { path: 'a.ts' }], ['Read', { path: 'b.ts' }], ['Read', { path: 'a.ts' }]);
    expect(staleResults(view)).toEqual([{ id: 'r0', supersededBy: 'r2', reason: 'superseded' }]);
  });

  it('treats a partial read as replaced by a read of the whole file, but not the reverse', () => {
    const part = { path: 'a.ts', offset: 10, limit: 20 };
    const whole = { path: 'a.ts' };
    expect(staleResults(history(['Read', part], ['Read', whole])).map(({ id }) => id)).toEqual(['r0']);
    expect(staleResults(history(['Read', whole], ['Read', part]))).toEqual([]);
    expect(staleResults(history(['Read', part], ['Read', { ...part, offset: 30 }]))).toEqual([]);
    expect(staleResults(history(['Read', part], ['Read', part])).map(({ id }) => id)).toEqual(['r0']);
  });

  it('finds repeated output unless it is too short', () => {
    const view = history(
      ['bash', { command: 'ls' }, text],
      ['bash', { command: 'ls -l' }, 'ok'],
      ['bash', { command: 'ls -a' }, text],
      ['bash', { command: 'true' }, 'ok'],
    );
    expect(staleResults(view)).toEqual([{ id: 'r0', supersededBy: 'r2', reason: 'duplicate' }]);
  });

  it('states that the newest of several reads is the replacement', () => {
    const view = history(['Read', { path: 'a' }], ['Read', { path: 'a' }], ['Read', { path: 'a' }]);
    expect(staleResults(view).map(({ supersededBy }) => supersededBy)).toEqual(['r2', 'r2']);
  });

  it('does not treat a command, a search or an unknown argument as a read', () => {
    const view = history(
      ['bash', { command: 'cat a.ts' }],
      ['bash', { command: 'cat a.ts' }],
      ['grep', { path: 'a.ts', pattern: 'x' }],
      ['grep', { path: 'a.ts', pattern: 'x' }],
      ['Read', { path: 'a.ts', revision: 'HEAD' }],
      ['Read', { path: 'a.ts' }],
    );
    expect(staleResults(view)).toEqual([]);
  });

  it('does not treat an error as a replacement for a result', () => {
    const view = history(['Read', { path: 'a.ts' }], ['Read', { path: 'a.ts' }, 'no such file']);
    const failed = view.map((message) => (message.id === 'r1' ? { ...message, isError: true } : message));
    expect(staleResults(failed)).toEqual([]);
  });
});
