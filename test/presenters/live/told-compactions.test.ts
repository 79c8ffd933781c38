import { describe, expect, it } from 'vitest';
import { compactionNotice, ToldCompactions } from '../../../src/presenters/live/told-compactions.ts';
import { recordWith } from '../../support/records.ts';

const kept = (total: number, lost: number) => ({ total, kept: total - lost, missing: [] });
const record = (files: number, commands: number) => {
  const made = recordWith('c1', [], []);
  const coverage = { ...made.coverage, files: kept(34, files), commands: kept(26, commands) };
  return { ...made, actualStrategy: 'claude-code', coverage };
};

describe('a compaction of another agent', () => {
  it('is told with what its summary does not name', () => {
    expect(compactionNotice(record(19, 24)).english).toBe(
      'Claude Code compacted: 19 of 34 files, 24 of 26 commands are no longer named.',
    );
  });

  it('is told, too, where nothing is lost', () => {
    expect(compactionNotice(record(0, 0)).english).toBe(
      'Claude Code compacted. All files and commands are still named.',
    );
  });

  it('is told once, also after a reload', async () => {
    const store = new Map<string, unknown>();
    const memento = {
      get: (key: string) => store.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void store.set(key, value)),
    };
    expect(await new ToldCompactions(memento).isNew('/a', record(1, 1))).toBe(true);
    expect(await new ToldCompactions(memento).isNew('/a', record(1, 1))).toBe(false);
    expect(await new ToldCompactions(memento).isNew('/b', record(1, 1))).toBe(true);
    expect(await new ToldCompactions(memento).isNew('/a', { ...record(1, 1), id: 'c2' })).toBe(true);
  });
});
