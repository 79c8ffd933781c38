import { describe, expect, it } from 'vitest';
import { keptFacts } from '../../../scripts/bench-peers/kept.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const history = [
  typed('u', 'Why does the build fail?'),
  called('a', ['1', 'read', { path: 'src/first.ts' }]),
  result('r1', '1', 'content'),
  called('b', ['2', 'shell', { command: 'npm run build' }]),
  result('r2', '2', 'Building\nError: cannot find name\nError: cannot find name'),
  typed('v', 'And the tests?'),
];
const later = [called('c', ['3', 'read', { path: 'src/first.ts' }])];

describe('what a view kept', () => {
  it('is everything where nothing was changed', () => {
    expect(keptFacts(history, later, history)).toMatchObject({
      neededFiles: { kept: 1, total: 1 },
      neededCommands: { kept: 0, total: 0 },
      files: { kept: 1, total: 1 },
      commands: { kept: 1, total: 1 },
      errorLines: { kept: 1, total: 1 },
      typedMessages: { kept: 2, total: 2 },
      newestMessage: { kept: 1, total: 1 },
      refusals: [],
    });
  });

  it('is counted wherever it stands, in a summary, too', () => {
    const view = [
      typed('s', 'Summary: read src/first.ts; Error: cannot find name'),
      typed('v', 'And the tests?'),
    ];
    expect(keptFacts(history, later, view)).toMatchObject({
      neededFiles: { kept: 1 },
      commands: { kept: 0, total: 1 },
      errorLines: { kept: 1, total: 1 },
      typedMessages: { kept: 1, total: 2 },
      newestMessage: { kept: 1, total: 1 },
    });
  });
});

describe('a view is refused', () => {
  const refusalsOf = (view: typeof history) => keptFacts(history, later, view).refusals;

  it('where a result has lost its call, named once however often', () => {
    expect(refusalsOf([typed('u', 'Go'), result('x', '1', ''), result('y', '2', '')])).toEqual([
      'orphan result',
    ]);
  });

  it('where it begins with the assistant and the session did not', () => {
    expect(refusalsOf([said('a', 'Done'), typed('v', 'And the tests?')])).toEqual([
      'begins with the assistant',
    ]);
    const saidFirst = [said('a', 'Hello'), ...history];
    expect(keptFacts(saidFirst, later, saidFirst).refusals).toEqual([]);
  });

  it('where nothing is left', () => {
    expect(refusalsOf([])).toEqual(['nothing left']);
  });
});
