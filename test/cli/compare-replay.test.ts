import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toChatMessage } from '../../src/compaction/messages/message.ts';
import { strategyIds } from '../../src/compaction/strategies/index.ts';
import type { Comparison } from '../../src/measures/compare-strategies.ts';
import type { Replay } from '../../src/measures/replay-session.ts';
import { runCommand as cli } from '../support/command-line.ts';
import { called, result, textOfTokens, typed } from '../support/messages.ts';

const history = [
  typed('u', 'find it'),
  ...Array.from({ length: 20 }, (_, step) => [
    called(`a${step}`, [`c${step}`, 'read_file', { path: `src/f${step % 4}.ts` }]),
    result(`r${step}`, `c${step}`, textOfTokens(400)),
  ]).flat(),
].map(toChatMessage);

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'measures-'));
  file = join(folder, 'history.json');
  await writeFile(file, JSON.stringify(history));
});
afterEach(() => rm(folder, { recursive: true }));

describe('compare', () => {
  const compared = async (...args: readonly string[]) => {
    const { out } = await cli('compare', file, '--json', ...args);
    return JSON.parse(out) as { cut: number; strategies: readonly Comparison[] };
  };

  it('has a row for every strategy of the catalogue', async () => {
    const { strategies } = await compared('--window', '8000');
    expect(strategies.map(({ strategy }) => strategy)).toEqual(strategyIds);
  });

  it('compacts the messages before the cut, and measures the facts that later messages need', async () => {
    const { cut, strategies } = await compared('--strategies', 'none,tool-result-hiding', '--cut', '50');
    const [untouched, hidden] = strategies;
    expect(cut).toBe(21);
    expect(untouched).toMatchObject({ status: 'unchanged', ratio: 1 });
    expect(untouched?.needLater.reused.files).toEqual({ kept: 4, total: 4, missing: [] });
    expect(hidden?.tokensAfter).toBeLessThan(hidden?.tokensBefore ?? 0);
  });

  it('prints one aligned line for each strategy', async () => {
    const { code, out } = await cli('compare', file, '--strategies', 'none,tool-result-hiding');
    expect(code).toBe(0);
    expect(out).toMatch(/^strategy +status +tokens/mu);
    expect(out).toMatch(/^tool-result-hiding +applied/mu);
  });

  it.each([
    [['--strategies', 'nonesuch'], 'Unknown strategy "nonesuch"'],
    [['--cut', '101'], '--cut must be at most 100, not 101.'],
    [['--window', 'wide'], '--window must be a whole number'],
  ])('rejects %j', async (args, note) => {
    const { code, notes } = await cli('compare', file, ...args);
    expect(code).toBe(2);
    expect(notes.join('\n')).toContain(note);
  });
});

describe('replay', () => {
  it('compares the cost with a session that never compacts', async () => {
    const args = ['--strategy', 'tool-result-hiding', '--window', '6000', '--cache', 'none'];
    const { code, out } = await cli('replay', file, '--json', ...args);
    const replayed = JSON.parse(out) as Replay;
    expect(code).toBe(0);
    expect(replayed).toMatchObject({ calls: 20, overflows: 0, invalidRequests: 0 });
    expect(replayed.compactions).toBeGreaterThan(0);
    expect(replayed.relativeCost).toBeLessThan(1);
  });

  it('prints a table without --json', async () => {
    const { out } = await cli('replay', file, '--strategy', 'none', '--window', '100000');
    expect(out).toMatch(/^none, window 100,000, cache anthropic$/mu);
    expect(out).toMatch(/^relative to no compaction +1\.000$/mu);
  });

  it.each([
    [['--window', '6000'], '--strategy ID is required.'],
    [['--strategy', 'none'], '--window N is required.'],
    [['--strategy', 'none', '--window', '6000', '--cache', 'free'], '--cache must be one of'],
  ])('rejects %j', async (args, note) => {
    const { code, notes } = await cli('replay', file, ...args);
    expect(code).toBe(2);
    expect(notes.join('\n')).toContain(note);
  });
});
