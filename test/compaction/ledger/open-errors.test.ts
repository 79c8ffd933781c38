import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { called, result } from '../../support/messages.ts';

let next = 0;
function ran(command: string, output: string): readonly Message[] {
  next++;
  return [called(`c${next}`, [`i${next}`, 'bash', { command }]), result(`r${next}`, `i${next}`, output)];
}
const errorsOf = (...runs: readonly (readonly Message[])[]) =>
  extractLedger(runs.flat()).errors.map(({ text }) => text);

describe('an error line', () => {
  it('is open until the same command runs without it', () => {
    expect(errorsOf(ran('make', 'error: one'), ran('ls', 'x'))).toEqual(['error: one']);
    expect(errorsOf(ran('make', 'error: one'), ran('make', 'done'))).toEqual([]);
  });

  it('stays open where it comes back, and others of the run are resolved', () => {
    expect(errorsOf(ran('make', 'error: one\nerror: two'), ran('make', 'error: two'))).toEqual([
      'error: two',
    ]);
  });

  it('stays open where the next run failed without saying how', () => {
    expect(errorsOf(ran('make', 'error: one'), ran('make', 'Exit code 2'))).toEqual(['error: one']);
  });

  it('of a tool is resolved by the same tool on the same file', () => {
    const read = (id: string, path: string, output: string) => [
      called(`c${id}`, [id, 'read_file', { path }]),
      result(`r${id}`, id, output),
    ];
    const failed = read('a', 'src/a.ts', 'Error: EBUSY: resource busy');
    expect(errorsOf(failed, read('b', 'src/b.ts', 'text'))).toEqual(['Error: EBUSY: resource busy']);
    expect(errorsOf(failed, read('c', 'src/a.ts', 'text'))).toEqual([]);
  });
});
