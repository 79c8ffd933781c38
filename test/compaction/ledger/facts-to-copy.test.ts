import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { factsToCopy } from '../../../src/compaction/ledger/facts-to-copy.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const history = [
  called('m1', ['a', 'edit_file', { path: 'store.ts' }], ['b', 'grep', { pattern: 'id' }]),
  called('m2', ['c', 'bash', { command: 'npm test' }]),
  result('m3', 'c', 'exit code 1'),
];
const summary = (text: string): Message => ({ ...typed('s', text), origin: 'strategy', kind: 'summary' });

describe('the facts to copy', () => {
  it('are those that no staying message holds as a whole', () => {
    const staying = [summary('Read src/old-store.ts, ran npm test -- --watch, saw userId.')];
    expect(factsToCopy(extractLedger(history), staying)).toMatchObject({
      filesModified: ['store.ts'],
      identifiers: ['id'],
      commands: [{ command: 'npm test', status: 1 }],
    });
  });

  it('count a mention in passing as none, and a summary as one', () => {
    const ledger = extractLedger(history);
    expect(factsToCopy(ledger, [said('m4', 'store.ts is done.')]).filesModified).toEqual(['store.ts']);
    expect(factsToCopy(ledger, [summary('store.ts is done.')]).filesModified).toEqual([]);
  });

  it('keep the exit status of a command whose name alone stays', () => {
    const ledger = extractLedger(history);
    expect(factsToCopy(ledger, [summary('`npm test` was run')]).commands).toEqual([
      { command: 'npm test', status: 1 },
    ]);
    expect(factsToCopy(ledger, [summary('- npm test (exit 1)')]).commands).toEqual([]);
  });

  it('leave out what a staying call holds with its result', () => {
    expect(factsToCopy(extractLedger(history), history.slice(1)).commands).toEqual([]);
  });
});
