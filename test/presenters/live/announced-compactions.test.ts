import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Coverage } from '../../../src/compaction/records/record.ts';
import { wordingFor } from '../../../src/language/translated/wording.ts';
import {
  compactionNotice,
  hasLost,
  AnnouncedCompactions,
} from '../../../src/presenters/live/announced-compactions.ts';
import { typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const kept = (total: number, lost: number) => ({ total, kept: total - lost, missing: [] });
const record = (files: number, commands: number, others: Partial<Coverage> = {}, isCutOff = false) => {
  const made = recordWith('c1', [], isCutOff ? [] : [typed('c1.1', 'notes')]);
  const coverage = { ...made.coverage, files: kept(34, files), commands: kept(26, commands), ...others };
  return { ...made, actualStrategy: 'claude-code', coverage };
};

describe('a compaction of another agent', () => {
  it.each([
    [record(3, 0), 'Claude Code compacted. Its summary no longer mentions 3 of 34 files.'],
    [
      record(19, 24),
      'Claude Code compacted. Its summary no longer mentions 19 of 34 files and 24 of 26 commands.',
    ],
    [
      record(1, 1, {
        files: kept(1, 1),
        userMessages: kept(5, 2),
        errors: kept(1, 1),
        identifiers: kept(4, 2),
      }),
      'Claude Code compacted. Its summary no longer mentions 1 of 1 file, 1 of 26 commands, 2 of your 5 messages, 1 of 1 error and 2 of 4 search terms.',
    ],
    [
      record(0, 0, { files: kept(0, 0), commands: kept(0, 0), userMessages: kept(1, 1) }),
      'Claude Code compacted. Its summary no longer mentions your message.',
    ],
    [
      record(3, 0, {}, true),
      'Claude Code dropped older messages. The rest no longer mentions 3 of 34 files.',
    ],
  ])('is announced with every kind of lost fact: %#', (made, notice) => {
    expect(compactionNotice(made).english).toBe(notice);
    expect(hasLost(made)).toBe(true);
  });

  it('is announced even if nothing is lost', () => {
    expect(hasLost(record(0, 0))).toBe(false);
    expect(compactionNotice(record(0, 0)).english).toBe(
      'Claude Code compacted. Its summary still mentions every file, command and message.',
    );
  });

  it('is announced with the name of its sub-agent', () => {
    expect(compactionNotice(record(19, 0), true).english).toBe(
      'A sub-agent of Claude Code compacted. Its summary no longer mentions 19 of 34 files.',
    );
  });

  it('is reported in Chinese', async () => {
    const chinese = await wordingFor('zh-cn');
    expect(chinese.text(compactionNotice(record(3, 0)))).toBe(
      'Claude Code 已压缩。其摘要不再提及 34 个文件中的 3 个。',
    );
    expect(chinese.text(compactionNotice(record(3, 2)))).toBe(
      'Claude Code 已压缩。其摘要不再提及 34 个文件中的 3 个和 26 条命令中的 2 条。',
    );
  });

  describe('seen by several windows', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'told-'));
    });
    afterEach(() => rm(folder, { recursive: true }));
    /** Announcements of one window. */
    const window = () => new AnnouncedCompactions(join(folder, 'told'));

    it('is announced once, even after a reload', async () => {
      expect(await window().isNew('/a', record(1, 1))).toBe(true);
      expect(await window().isNew('/a', record(1, 1))).toBe(false);
      expect(await window().isNew('/b', record(1, 1))).toBe(true);
      expect(await window().isNew('/a', { ...record(1, 1), id: 'c2' })).toBe(true);
    });

    it('is announced by only one window if several see it at the same time', async () => {
      const told = await Promise.all(Array.from({ length: 6 }, () => window().isNew('/a', record(1, 1))));
      expect(told.filter((isNew) => isNew)).toHaveLength(1);
    });

    it('is recognised through any link to its file', async () => {
      await writeFile(join(folder, 'session'), '');
      await symlink(join(folder, 'session'), join(folder, 'link'));
      expect(await window().isNew(join(folder, 'session'), record(1, 1))).toBe(true);
      expect(await window().isNew(join(folder, 'link'), record(1, 1))).toBe(false);
    });
  });
});
