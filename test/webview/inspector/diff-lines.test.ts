import { describe, expect, it } from 'vitest';
import { noDiffData, receiveDiff } from '../../../webview/inspector/diff/diff-data.ts';
import { diffLines, keysTo, neededBy, nextChange } from '../../../webview/inspector/diff/diff-lines.ts';
import { allSummarySources, diffRows } from '../support/inspector-fixtures.ts';

const data = { ...noDiffData, rows: diffRows };
const linesWith = (...open: readonly string[]) => diffLines(data, {}, (key) => open.includes(key));

describe('the lines of a diff', () => {
  it('are one for each change, for each block of kept messages, and for each listed source', () => {
    expect(linesWith().map(({ type }) => type)).toEqual([
      'fold',
      'head',
      ...['message', 'message', 'message', 'more'],
      'fold',
      ...['pair', 'pair', 'pair', 'pair'],
      'head',
      'fold',
    ]);
  });

  it('list all sources of an open row once they have arrived', () => {
    const answered = receiveDiff(data, {
      type: 'sources',
      recordId: 'r3',
      index: 1,
      sources: allSummarySources,
    });
    const lines = diffLines(answered, { fate: 'summarise' }, (key) => key === 'more:1');
    expect(lines.filter(({ type }) => type === 'message')).toHaveLength(18);
    expect(lines.filter(({ isLast }) => isLast === true)).toEqual([lines.at(-1)]);
  });

  it('need the sources of open rows and the texts of open messages', () => {
    expect(neededBy(linesWith('more:1', 'row:2', 'row:5'), false)).toEqual({ rows: [1, 2], texts: ['m76'] });
  });

  it('are only those of messages with lost facts, if the filter says so', () => {
    const sources = allSummarySources.map((one) => ({ ...one, isLost: one.id === 'n9' }));
    const rows = diffRows.map((row) => ({ ...row, lostCount: row.index === 1 ? 1 : 0 }));
    const lines = diffLines(
      { ...noDiffData, rows, sources: new Map([[1, sources]]) },
      { isLost: true },
      () => false,
    );
    expect(lines.map(({ key }) => key)).toEqual(['output:1', 'row:1:n9']);
    expect(neededBy(lines, true).rows).toEqual([1]);
  });
});

describe('the next change', () => {
  it.each([
    [undefined, 1, { line: 1, place: 0 }],
    [undefined, -1, { line: 11, place: 5 }],
    [1, 1, { line: 7, place: 1 }],
    [2, -1, { line: 1, place: 0 }],
    [7, 1, { line: 1, place: 0 }],
  ] as const)('from row %s by %s is %j', (current, by, expected) => {
    expect(nextChange(linesWith(), current, by)).toEqual(expected);
  });
});

describe('the keys to a message', () => {
  it.each([
    [0, 'm2', 'both', ['row:0', 'row:0:m2']],
    [1, 'm4', 'before', ['row:1:m4']],
    [1, 'n9', 'before', ['more:1', 'row:1:n9']],
    [1, 's1', 'after', ['output:1']],
    [5, 'm76', 'before', ['row:5']],
  ] as const)('in row %s, %s on the side %s, are %j', (index, messageId, side, keys) => {
    expect(keysTo(diffRows[index]!, { messageId, side })).toEqual(keys);
  });
});

describe('the data of a diff', () => {
  it('keeps rows that arrive again unchanged, and the sources of those', () => {
    const known = { ...data, sources: new Map([[1, allSummarySources]]) };
    const again = receiveDiff(known, { type: 'diff', recordId: 'r3', rows: structuredClone(diffRows) });
    expect(again.rows?.every((row, index) => row === diffRows[index])).toBe(true);
    expect(again.sources.get(1)).toBe(allSummarySources);
  });

  it('forgets the sources of rows that changed', () => {
    const known = { ...data, sources: new Map([[1, allSummarySources]]) };
    const rows = diffRows.map((row) => ({ ...row, hiddenCount: 1 }));
    expect(receiveDiff(known, { type: 'diff', recordId: 'r3', rows }).sources.size).toBe(0);
  });
});
