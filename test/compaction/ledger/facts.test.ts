import { describe, expect, it } from 'vitest';
import { errorsIn, factsOf, typedTexts } from '../../../src/compaction/ledger/facts.ts';
import { called, reminder, result, typed } from '../../support/messages.ts';

describe('factsOf', () => {
  it('takes files, commands and things looked for from the arguments of calls', () => {
    const facts = factsOf([
      called('m1', ['a', 'Read', { file_path: 'src/a.ts' }], ['b', 'bash', { command: 'npm test' }]),
      called('m2', ['c', 'shell', { command: ['git', 'status'] }], ['d', 'grep', { pattern: 'openStore' }]),
    ]);
    expect([...facts.files]).toEqual(['src/a.ts']);
    expect([...facts.commands]).toEqual(['npm test', 'git status']);
    expect([...facts.identifiers]).toEqual(['openStore']);
  });

  it('takes error lines from results, and not from what people say', () => {
    const facts = factsOf([typed('m1', 'Error: mine'), result('m2', 'a', 'ok\nTypeError: x is undefined\n')]);
    expect([...facts.errors]).toEqual(['TypeError: x is undefined']);
  });

  it('survives arguments that are not JSON', () => {
    const broken = called('m1', ['a', 'Read']);
    const [call] = broken.tool_calls!;
    const message = {
      ...broken,
      tool_calls: [{ ...call!, function: { name: 'Read', arguments: '{"path":' } }],
    };
    expect([...factsOf([message]).files]).toEqual([]);
  });
});

describe('errorsIn', () => {
  it('finds the first few in a long output, at either end', () => {
    const output = `${'line\n'.repeat(20_000)}src/x.ts(3,1): error: no\n`;
    expect(errorsIn(output)).toEqual(['src/x.ts(3,1): error: no']);
    expect(errorsIn('fatal: a\nfatal: b\nfatal: c\nfatal: d')).toHaveLength(3);
  });

  it('takes no line for an error that only speaks of one', () => {
    expect(errorsIn('handles errors gracefully')).toEqual([]);
  });
});

describe('typedTexts', () => {
  it('leaves out what a program wrote', () => {
    expect(typedTexts([typed('m1', 'hi'), reminder('m2', 'now')])).toEqual(['hi']);
  });
});
