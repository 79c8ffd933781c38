import { appendFile, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AskedChanges, proxyOf } from '../../../src/agent/governed/asked-changes.ts';
import { sealed } from '../../../src/agent/files/sealed.ts';
import { newOwner } from '../../../src/agent/locks/session-lock.ts';
import { until } from '../../support/eventually.ts';

let folder: string;
let recording: string;
let box: string;
let changes: AskedChanges;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'asked-changes-'));
  recording = join(folder, 'a.jsonl');
  box = join(folder, 'a.changes');
  changes = new AskedChanges(recording);
});
afterEach(async () => {
  await changes.end();
  await rm(folder, { recursive: true });
});

const stopped = 'The proxy of this conversation has stopped';

describe('changes that are asked for', () => {
  it('reach the proxy once, in order', async () => {
    await changes.begin(() => {});
    await proxyOf(recording).ask({ undo: 'c1' });
    await proxyOf(recording).ask({ restore: 'm2' });
    expect(await changes.take()).toEqual([{ undo: 'c1' }, { restore: 'm2' }]);
    expect(await changes.take()).toEqual([]);
  });

  it('are reported to the proxy', async () => {
    let reports = 0;
    await changes.begin(() => reports++);
    const before = reports;
    await proxyOf(recording).ask({ undo: 'c1' });
    await until(() => expect(reports).toBeGreaterThan(before));
  });

  it('need a proxy, and create no file without one', async () => {
    await expect(proxyOf(recording).ask({ undo: 'c1' })).rejects.toThrow(stopped);
    await changes.begin(() => {});
    await changes.end();
    await expect(proxyOf(recording).ask({ undo: 'c1' })).rejects.toThrow(stopped);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are not taken by a proxy whose process has ended', async () => {
    // No system gives a process this id.
    await writeFile(box, `${sealed({ ...newOwner(''), process: 2 ** 30 })}\n`);
    expect(await proxyOf(recording).isRunning()).toBe(false);
  });

  it('are skipped if they are something else', async () => {
    await changes.begin(() => {});
    const odd = [
      'no JSON',
      '[]',
      '{"undo":7}',
      '{"undo":"../c1"}',
      '{"undo":"c1","restore":"m1"}',
      '{"delete":"c1"}',
    ];
    await appendFile(box, [...odd, '{"undo":"c2"}', '{"undo":"unfin'].join('\n'));
    expect(await changes.take()).toEqual([{ undo: 'c2' }]);
    await appendFile(box, 'ished"}\n');
    expect(await changes.take()).toEqual([{ undo: 'unfinished' }]);
  });

  it('are read after a line that never ends', async () => {
    await changes.begin(() => {});
    await appendFile(box, `${'x'.repeat(100_000)}\n`);
    await proxyOf(recording).ask({ undo: 'c1' });
    const taken = [];
    for (let time = 0; time < 8; time++) taken.push(...(await changes.take()));
    expect(taken).toEqual([{ undo: 'c1' }]);
  });

  it.skipIf(process.platform === 'win32')('are not written through a link', async () => {
    await changes.begin(() => {});
    const other = join(folder, 'other');
    await rename(box, other);
    await symlink(other, box);
    const text = await readFile(other, 'utf8');
    await expect(proxyOf(recording).ask({ undo: 'c1' })).rejects.toThrow(stopped);
    expect(await readFile(other, 'utf8')).toBe(text);
  });
});
