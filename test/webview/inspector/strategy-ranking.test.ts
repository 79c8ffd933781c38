import { describe, expect, it } from 'vitest';
import type { WhatIfRow } from '../../../src/protocol/inspector-what-if.ts';
import { keptShare, ranked, recommended } from '../../../webview/inspector/what-if/strategy-ranking.ts';
import { whatIfRow, whatIfRows } from '../support/what-if-fixtures.ts';

/** @param files kept of 100, the only facts */
function row(
  strategy: string,
  files: number,
  tokensAfter: number,
  changes: Partial<WhatIfRow> = {},
): WhatIfRow {
  const none = { kept: 0, total: 0 };
  return {
    ...whatIfRow,
    strategy,
    tokensAfter,
    coverage: {
      files: { kept: files, total: 100 },
      commands: none,
      errors: none,
      identifiers: { kept: 0, total: 1_000 },
      userMessages: none,
      rules: none,
    },
    ...changes,
  };
}

const namesOf = (rows: readonly WhatIfRow[]) => rows.map(({ strategy }) => strategy);

describe('the share of facts that a strategy keeps', () => {
  it('counts facts of all kinds but identifiers', () => {
    expect(keptShare(row('one', 50, 1_000))).toBe(0.5);
  });

  it('is everything if there are no facts', () => {
    expect(keptShare({ ...whatIfRow, coverage: row('one', 0, 0).coverage })).toBe(0);
    const { commands } = row('one', 0, 0).coverage;
    expect(keptShare({ ...whatIfRow, coverage: { ...row('one', 0, 0).coverage, files: commands } })).toBe(1);
  });
});

describe('the recommended strategy', () => {
  it('is the smallest that keeps nearly all facts', () => {
    const rows = [row('all', 100, 9_000), row('nearly', 95, 5_000), row('half', 50, 1_000)];
    expect(recommended(rows)).toEqual({ row: rows[1], reason: 'nearly' });
    expect(namesOf(ranked(rows))).toEqual(['nearly', 'all', 'half']);
  });

  it('says so if nothing is lost', () => {
    expect(recommended([row('one', 100, 9_000), row('two', 100, 5_000)])).toMatchObject({
      row: { strategy: 'two' },
      reason: 'full',
    });
  });

  it('keeps the most where all lose many', () => {
    const rows = [row('small', 20, 1_000), row('large', 60, 9_000)];
    expect(recommended(rows)).toMatchObject({ row: { strategy: 'large' }, reason: 'most' });
  });

  it('pays back the cache it rewrites, if any does', () => {
    const rows = [row('never', 100, 1_000, { breakEvenCalls: null }), row('later', 90, 5_000)];
    expect(recommended(rows)?.row.strategy).toBe('later');
  });

  it('asks a model the least, among equals', () => {
    const rows = [row('six', 100, 1_000, { modelCalls: 6 }), row('none', 100, 1_000, { modelCalls: 0 })];
    expect(recommended(rows)?.row.strategy).toBe('none');
  });

  it('is never a strategy that changes nothing', () => {
    expect(recommended(whatIfRows.filter(({ status }) => status !== 'applied'))).toBeUndefined();
    expect(recommended([row('only', 10, 1_000), row('none', 100, 0, { status: 'failed' })])).toMatchObject({
      row: { strategy: 'only' },
      reason: 'only',
    });
  });
});
