import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { messageOf } from '../../src/compaction/records/reason.ts';
import { soak } from '../support/soak.ts';
import { fault } from './support/fault.ts';
import { diskWriters } from './support/full-disk-writers.ts';
import { isOneSentence } from './support/one-sentence.ts';
import { SmallDisk } from './support/small-disk.ts';

/** Bytes of the disk, and of one of its blocks. */
const size = 4_000_000;
const block = 4_096;

describe('the extension survives a full disk', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  for (const [index, [what, make]] of Object.entries(diskWriters).entries()) {
    fault(`a full disk: ${what}`, async (count) => {
      await using disk = await SmallDisk.mount(join(folder, String(index)), size);
      if (disk === undefined) {
        count.skip('a small file system can be mounted by root only');
        return;
      }
      const { write, check, close } = await make(disk.path);
      const kept: number[] = [];
      let refused = 0;
      const attempt = async (number: number): Promise<boolean> => {
        count.tried();
        try {
          await write(number);
          kept.push(number);
          return true;
        } catch (error) {
          refused++;
          const text = messageOf(error);
          if (!isOneSentence(text)) count.harmed(`told badly: ${text}`);
          return false;
        }
      };
      let number = 0;
      // From no room to enough for all, block by block, for texts of all sizes: each write fails at some
      // time.
      for (let round = 0; round < soak(20, 100); round++) {
        const left = round % 10;
        const isOutOfNames = round % 4 === 3;
        const where = `with room for ${left} ${isOutOfNames ? 'files' : 'blocks'}`;
        if (isOutOfNames) await disk.fillNames(Math.floor(left / 3));
        else await disk.fill(left * block);
        await attempt(number++);
        for (const harm of await check(kept)) count.harmed(`${where}: ${harm}`);
        await disk.empty();
        if (!(await attempt(number++))) count.harmed(`${where}, then more: still refused`);
        for (const harm of await check(kept)) count.harmed(`${where}, then more: ${harm}`);
      }
      await close?.();
      count.note(`${refused} refused`);
      if (refused === 0) count.harmed('the disk was never full');
    });
  }
});
