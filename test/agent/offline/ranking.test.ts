import { describe, expect, it } from 'vitest';
import { rankPassages } from '../../../src/agent/offline/ranking.ts';
import { questionTermsOf } from '../../../src/agent/offline/offline-terms.ts';
import type { FoundLine } from '../../../src/agent/offline/offline-turn.ts';

function rank(question: string, ...hits: readonly [path: string, line: number, text: string][]) {
  const { files, terms } = questionTermsOf(question);
  const found: readonly FoundLine[] = hits.map(([path, line, text]) => ({ path, line, text }));
  return rankPassages(found, terms, files);
}

const first = (...parameters: Parameters<typeof rank>) => rank(...parameters)[0]?.best;

describe('the first of the ranked passages', () => {
  it('is a definition before uses', () => {
    const best = first(
      'Where is FileLock?',
      ['a.ts', 9, 'const lock = new FileLock();'],
      ['b.ts', 1, 'export class FileLock {'],
      ['c.ts', 5, 'FileLock, FileLock, FileLock'],
    );
    expect(best?.path).toBe('b.ts');
  });

  it('is prose before a mention in code', () => {
    const best = first(
      'What is a lease?',
      ['a.ts', 9, '  return lease;'],
      ['notes.md', 3, 'A lease ends when its holder is gone.'],
    );
    expect(best?.path).toBe('notes.md');
  });

  it('is the one with most of the terms', () => {
    const best = first(
      'When does the lease expire?',
      ['a.ts', 1, 'lease = 1'],
      ['b.ts', 1, 'expire = 1'],
      ['c.ts', 1, 'lease can expire'],
    );
    expect(best?.path).toBe('c.ts');
  });

  it('is not an import', () => {
    const best = first(
      'FileLock',
      ['a.ts', 1, "import { FileLock } from './file-lock.ts';"],
      ['b.ts', 9, 'const lock = new FileLock();'],
    );
    expect(best?.path).toBe('b.ts');
  });

  it('is a test only if tests are requested', () => {
    const hits = [
      ['test/lock.test.ts', 1, 'release(lease);'],
      ['src/lock.ts', 1, 'release(lease);'],
    ] as const;
    const of = (question: string) =>
      first(question, ...hits.map((hit): [string, number, string] => [...hit]))?.path;
    expect(of('lease release')).toBe('src/lock.ts');
    expect(of('which tests release the lease?')).toBe('test/lock.test.ts');
  });

  it('is in the file that the question names', () => {
    const best = first(
      'What does util.ts know of lease?',
      ['a.ts', 1, 'export const lease = 1;'],
      ['src/util.ts', 40, 'lease'],
    );
    expect(best?.path).toBe('src/util.ts');
  });

  it('is not a lock file of a package manager', () => {
    const best = first(
      'What is resolved?',
      ['package-lock.json', 7, '"resolved": "x"'],
      ['src/a.ts', 7, 'resolved'],
    );
    expect(best?.path).toBe('src/a.ts');
  });
});

describe('the ranked passages', () => {
  it('merge neighbouring hits', () => {
    const passages = rank('lease', ['a.ts', 3, 'lease'], ['a.ts', 5, 'lease'], ['a.ts', 60, 'lease']);
    expect(passages.map(({ first: from, last }) => [from, last])).toEqual([
      [3, 5],
      [60, 60],
    ]);
  });

  it('include at most two from one file', () => {
    const hits = [10, 50, 90, 130].map((line): [string, number, string] => ['a.ts', line, 'lease']);
    expect(rank('lease', ...hits)).toHaveLength(2);
  });
});
