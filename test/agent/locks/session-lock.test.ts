import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, open, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { staleAfter } from '../../../src/agent/locks/shared-file.ts';
import { HeldElsewhereError, newOwner, SessionLock } from '../../../src/agent/locks/session-lock.ts';

describe('SessionLock', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
    path = join(folder, 'session.jsonl');
    return () => rm(folder, { recursive: true });
  });

  /** Leaves the lock of a process that ended without releasing it. */
  const leaveDead = async (age = 0) => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const lock = new SessionLock(path);
    await lock.hold();
    await writeFile(`${path}.owner`, JSON.stringify({ ...newOwner('gone'), process: child.pid }));
    const then = new Date(Date.now() - age);
    await utimes(`${path}.lock`, then, then);
    return lock;
  };

  it('has one owner at a time, and names the owner', async () => {
    const first = new SessionLock(path, 'project');
    const second = new SessionLock(path);
    await first.hold();
    await first.verify();
    await expect(second.hold()).rejects.toThrow(HeldElsewhereError);
    expect(await second.holder()).toMatchObject({ window: 'project', process: process.pid });
    await expect(second.verify()).rejects.toThrow('This chat is open in another window');
    await first.release();
    await second.hold();
    await second.verify();
    await second.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is acquired by only one of many concurrent attempts', async () => {
    const locks = Array.from({ length: 8 }, () => new SessionLock(path));
    const outcomes = await Promise.allSettled(locks.map((lock) => lock.hold()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(locks.map((lock) => lock.release()));
  });

  it('is free once its owner’s process has ended', async () => {
    await leaveDead();
    const next = new SessionLock(path);
    expect(await next.holder()).toBeUndefined();
    await next.hold();
    await next.verify();
    await next.release();
  });

  it('is free if its owner gives no sign of life, even on another machine', async () => {
    const old = new SessionLock(path);
    await old.hold();
    await writeFile(`${path}.owner`, JSON.stringify({ ...newOwner('far away'), host: 'another machine' }));
    const next = new SessionLock(path);
    await expect(next.hold()).rejects.toThrow(HeldElsewhereError);
    const then = new Date(Date.now() - staleAfter - 1_000);
    await utimes(`${path}.lock`, then, then);
    await next.hold();
    await expect(old.verify(), 'one that only slept').rejects.toThrow(HeldElsewhereError);
    expect(old.isHeld).toBe(false);
    await expect(old.hold(), 'what it knows is old').rejects.toThrow(HeldElsewhereError);
    await next.release();
  });

  it('ignores lines that a suspended owner writes later', async () => {
    await writeFile(path, 'said\n');
    const sleeper = await open(path, 'a');
    await leaveDead();
    const next = new SessionLock(path);
    await next.hold();
    await sleeper.appendFile('too late\n');
    await appendFile(path, 'said since\n');
    await sleeper.close();
    expect(await readFile(path, 'utf8')).toBe('said\nsaid since\n');
    await next.release();
  });

  it('goes to a requester once the owner releases it', async () => {
    const owner = new SessionLock(path);
    await owner.hold();
    const asked: string[] = [];
    owner.listen({
      asked: () => {
        asked.push('asked');
        void owner.release();
      },
      lost: () => asked.push('lost'),
    });
    const next = new SessionLock(path);
    await next.takeOver(20_000);
    await next.verify();
    expect(asked).toContain('asked');
    expect(asked).not.toContain('lost');
    await next.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays with an owner who refuses a conditional request, and ends the request', async () => {
    const owner = new SessionLock(path);
    await owner.hold();
    const asked: string[] = [];
    owner.listen({
      asked: (condition) => {
        asked.push(condition);
        void owner.refuse();
      },
      lost: () => asked.push('lost'),
    });
    await expect(new SessionLock(path).takeOver(3_600_000, 'abandoned')).rejects.toThrow(HeldElsewhereError);
    expect(new Set(asked)).toEqual(new Set(['abandoned']));
    await owner.verify();
    await owner.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('accepts no conditional request while an unconditional one waits', async () => {
    const owner = new SessionLock(path);
    await owner.hold();
    const asked: string[] = [];
    const isAsked = new Promise<void>((resolve) => {
      owner.listen({
        asked: (condition) => {
          asked.push(condition);
          resolve();
        },
        lost: () => asked.push('lost'),
      });
    });
    const over = new AbortController();
    const next = new SessionLock(path);
    const taking = next.takeOver(3_600_000, 'always', over.signal);
    await isAsked;
    await expect(new SessionLock(path).takeOver(3_600_000, 'abandoned')).rejects.toThrow(HeldElsewhereError);
    await owner.refuse();
    expect(await owner.isAskedFor()).toBe(true);
    over.abort();
    await expect(taking).rejects.toThrow(HeldElsewhereError);
    expect(new Set(asked)).toEqual(new Set(['always']));
    await owner.release();
  });

  it('stays with an owner who does not release it', async () => {
    const owner = new SessionLock(path);
    await owner.hold();
    await expect(new SessionLock(path).takeOver(300)).rejects.toThrow(HeldElsewhereError);
    await owner.verify();
    await owner.release();
  });

  it.each([
    ['is damaged', () => writeFile(`${path}.owner`, '{"tok')],
    ['is deleted', () => rm(`${path}.owner`)],
    ['has become a folder', () => rm(`${path}.owner`).then(() => mkdir(`${path}.owner`))],
  ])("can be acquired again by its owner if the owner's note %s", async (_what, harm) => {
    const owner = new SessionLock(path);
    await owner.hold();
    await harm();
    await owner.hold();
    await owner.verify();
    await expect(new SessionLock(path).hold()).rejects.toThrow(HeldElsewhereError);
    await owner.release();
  });

  it.each([
    ['has become a file', () => writeFile(`${path}.lock`, '')],
    ['is not empty', () => mkdir(`${path}.lock`).then(() => writeFile(`${path}.lock/x`, ''))],
  ])('is free if the folder of an old lock %s', async (_what, leave) => {
    await leave();
    await utimes(`${path}.lock`, 1, 1);
    const next = new SessionLock(path);
    await next.hold();
    await next.verify();
    await next.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is free if it was left before the clock was set back', async () => {
    await mkdir(`${path}.lock`);
    const tomorrow = Date.now() / 1_000 + 86_400;
    await utimes(`${path}.lock`, tomorrow, tomorrow);
    const next = new SessionLock(path);
    await next.hold();
    await next.verify();
    await next.release();
  });

  it('stays with a live owner when the clock is set back', async () => {
    const owner = new SessionLock(path);
    await owner.hold();
    const tomorrow = Date.now() / 1_000 + 86_400;
    await utimes(`${path}.lock`, tomorrow, tomorrow);
    const next = new SessionLock(path).hold();
    // Updates the lock, as its owner does every two seconds.
    await utimes(`${path}.lock`, Date.now() / 1_000, Date.now() / 1_000);
    await expect(next).rejects.toThrow(HeldElsewhereError);
    await owner.release();
  });

  it('cannot be acquired if nothing can be written', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(new SessionLock(join(folder, 'file', 'session.jsonl')).hold()).rejects.toThrow(
      /ENOTDIR|EEXIST/,
    );
  });
});
