import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

  it('is told by its name where a sub-agent made it', () => {
    expect(compactionNotice(record(19, 24), true).english).toBe(
      'A sub-agent of Claude Code compacted: 19 of 34 files, 24 of 26 commands are no longer named.',
    );
    expect(compactionNotice(record(0, 0), true).english).toBe(
      'A sub-agent of Claude Code compacted. All files and commands are still named.',
    );
  });

  describe('in several windows', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'told-'));
    });
    afterEach(() => rm(folder, { recursive: true }));
    /** As each window has it. */
    const window = () => new ToldCompactions(join(folder, 'told'));

    it('is told once, also after a reload', async () => {
      expect(await window().isNew('/a', record(1, 1))).toBe(true);
      expect(await window().isNew('/a', record(1, 1))).toBe(false);
      expect(await window().isNew('/b', record(1, 1))).toBe(true);
      expect(await window().isNew('/a', { ...record(1, 1), id: 'c2' })).toBe(true);
    });

    it('is told by one of those that see it at the same moment', async () => {
      const told = await Promise.all(Array.from({ length: 6 }, () => window().isNew('/a', record(1, 1))));
      expect(told.filter((isNew) => isNew)).toHaveLength(1);
    });

    it('is the same one by whatever link its file is reached', async () => {
      await writeFile(join(folder, 'session'), '');
      await symlink(join(folder, 'session'), join(folder, 'link'));
      expect(await window().isNew(join(folder, 'session'), record(1, 1))).toBe(true);
      expect(await window().isNew(join(folder, 'link'), record(1, 1))).toBe(false);
    });
  });
});
