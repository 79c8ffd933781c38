import { describe, expect, it } from 'vitest';
import { peersDocument, resultTable, type EngineResult } from '../../../scripts/bench-peers/document.ts';
import type { SessionMeasure } from '../../../scripts/bench-peers/engine-run.ts';
import type { KeptFacts } from '../../../scripts/bench-peers/kept.ts';

const all: KeptFacts = {
  neededFiles: { kept: 4, total: 4 },
  neededCommands: { kept: 0, total: 0 },
  files: { kept: 10, total: 10 },
  commands: { kept: 3, total: 3 },
  errorLines: { kept: 1, total: 3 },
  typedMessages: { kept: 2, total: 2 },
  newestMessage: { kept: 1, total: 1 },
  refusals: [],
};

function measure(changes: Partial<SessionMeasure> = {}): SessionMeasure {
  const base = { session: 's', tokensBefore: 1000, tokensAfter: 200, kept: all, cpu: 2, referenceCpu: 2 };
  return { ...base, ...changes };
}

function engine(title: string, outcome: EngineResult['outcome']): EngineResult {
  return { title, source: `${title}@1.0.0`, settings: 'as it comes', strength: 'It is small.', outcome };
}

/** The cells of the row that begins so. */
function cellsOf(table: string, title: string): readonly string[] {
  const line = table.split('\n').find((each) => each.startsWith(`| ${title} |`)) ?? '';
  return line
    .split(' | ')
    .slice(1)
    .map((cell) => cell.replace(/ \|$/u, ''));
}

describe('the table of results', () => {
  it('adds up the sessions, and takes the median of the times', () => {
    const peer = engine('peer', [
      measure({ cpu: 1 }),
      measure({ tokensAfter: 400, cpu: 3, kept: { ...all, files: { kept: 0, total: 10 } } }),
      measure({ tokensAfter: 600, cpu: 100 }),
    ]);
    expect(cellsOf(resultTable({ ours: [], peers: [peer] }), 'peer')).toEqual([
      '40.0%',
      '100.0%',
      '–',
      '66.6%',
      '100.0%',
      '33.3%',
      '100.0%',
      '3 of 3',
      '0',
      '1.50',
    ]);
  });

  it('tells how many views would be refused and why, and where an engine failed', () => {
    const refused = { ...all, refusals: ['orphan result'] };
    const peer = engine('peer', [
      measure({ kept: refused }),
      measure({ kept: { ...all, refusals: ['nothing left', 'orphan result'] } }),
      measure({ failure: 'no', cpu: Number.NaN, referenceCpu: Number.NaN }),
    ]);
    const cells = cellsOf(resultTable({ ours: [], peers: [peer] }), 'peer');
    expect(cells.at(-2)).toBe('2 (nothing left, orphan result); failed on 1');
    expect(cells.at(-1)).toBe('1.00');
  });

  it('has a row for what could not be installed or run, with the reason, and none of its cells ends early', () => {
    const peer = engine('peer', { failure: 'could not be installed: 404 | not\nfound' });
    const table = resultTable({ ours: [], peers: [peer] });
    expect(table).toContain('| peer | could not be installed: 404 \\| not found | – |');
  });

  it('shows times too small to show as such', () => {
    const cells = cellsOf(
      resultTable({ ours: [], peers: [engine('peer', [measure({ cpu: 0.001 })])] }),
      'peer',
    );
    expect(cells.at(-1)).toBe('< 0.01');
  });
});

describe('the document', () => {
  const report = { date: '2026-01-02', window: 64_000 };

  it('says in what a peer is better, from the figures, and what else it has', () => {
    const better = measure({
      tokensAfter: 100,
      cpu: 1,
      kept: { ...all, errorLines: { kept: 2, total: 3 }, files: { kept: 1, total: 10 } },
    });
    const text = peersDocument({
      ...report,
      ours: [engine('ours', [measure()])],
      peers: [engine('quick', [better]), engine('slow', [measure({ tokensAfter: 900, cpu: 9 })])],
    });
    expect(text).toContain(
      '- **quick**: leaves fewer tokens (10.0% against 20.0%), keeps more error lines (66.6% against 33.3%), takes 50% of the time. It is small.',
    );
    expect(text).toContain('- **slow**: nothing in the figures. It is small.');
  });

  it('names date, sessions, versions and settings', () => {
    const text = peersDocument({
      ...report,
      ours: [engine('ours', [measure(), measure()])],
      peers: [engine('peer', [measure()])],
    });
    expect(text).toContain('Measured on 2026-01-02: 2 sessions');
    expect(text).toContain('- peer, `peer@1.0.0`: as it comes\n');
  });

  it('is written even where nothing could be run', () => {
    const failed = { failure: 'did not run: no reason' };
    const text = peersDocument({
      ...report,
      ours: [engine('ours', failed)],
      peers: [engine('peer', failed)],
    });
    expect(text).toContain('- **peer**: not measured. It is small.');
    expect(text).not.toMatch(/NaN|undefined/u);
  });
});
