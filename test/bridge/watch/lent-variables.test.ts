import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HeldElsewhereError } from '../../../src/agent/locks/session-lock.ts';
import { LentVariables, type VariableSetting } from '../../../src/bridge/watch/lent-variables.ts';

const proxy = { name: 'ANTHROPIC_BASE_URL', value: 'http://127.0.0.1:4000/token' };
const key = { name: 'ANTHROPIC_API_KEY', value: 'sk-mine' };

const never = new AbortController().signal;

describe('lent variables', () => {
  let folder: string;
  let receipt: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lent-'));
    receipt = join(folder, 'watched', 'agent.json');
    file = join(folder, 'settings.json');
    return () => rm(folder, { recursive: true });
  });

  /** A setting in a file. */
  const setting: VariableSetting = {
    read: () => (JSON.parse(readFileSync(file, 'utf8')) as { readonly variables?: unknown }).variables,
    write: (variables) => writeFile(file, JSON.stringify({ variables })),
  };
  const lent = (to = setting, hasWindow = true) =>
    new LentVariables(receipt, to, () => Promise.resolve(hasWindow));
  const lend = async (hasWindow = true) => {
    const one = lent(setting, hasWindow);
    await one.hold();
    await one.lend([proxy]);
    return one;
  };
  const filesLeft = () => readdir(dirname(receipt));

  it('are in the setting until they are taken back', async () => {
    await setting.write([key]);
    const one = await lend();
    expect(setting.read()).toEqual([key, proxy]);
    await one.takeBack();
    expect(setting.read()).toEqual([key]);
    expect(await filesLeft()).toEqual([]);
  });

  it('leave no setting behind where there was none', async () => {
    await setting.write(undefined);
    await (await lend()).takeBack();
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  it('leave the setting alone if the user has removed them', async () => {
    await setting.write([key]);
    const one = await lend();
    await setting.write([]);
    await one.takeBack();
    expect(setting.read()).toEqual([]);
  });

  it('are lent by one process at a time, and stay when another starts', async () => {
    await setting.write([]);
    const one = await lend();
    await expect(lent().hold()).rejects.toThrow(HeldElsewhereError);
    const waiting = lent().takeBackLeft(never);
    expect(setting.read()).toEqual([proxy]);
    await one.takeBack();
    await waiting;
    await (await lend()).takeBack();
  });

  it('can be taken back later if the setting cannot be written now', async () => {
    await setting.write([key]);
    let isWritable = true;
    const one = lent({
      ...setting,
      write: (value) => (isWritable ? setting.write(value) : Promise.reject(new Error('no disk'))),
    });
    await one.hold();
    await one.lend([proxy]);
    isWritable = false;
    await expect(one.takeBack()).rejects.toThrow('no disk');
    isWritable = true;
    await one.takeBack();
    expect(setting.read()).toEqual([key]);
  });

  /** Lends in a process that dies right before or after it changes the setting, or that runs until it is killed. */
  const lender = (at: 'before' | 'after' | 'never') => {
    const program = `
      import { readFileSync, writeFileSync } from 'node:fs';
      import { LentVariables } from ${JSON.stringify(join(import.meta.dirname, '../../../src/bridge/watch/lent-variables.ts'))};
      const file = ${JSON.stringify(file)};
      const die = (when) => when === ${JSON.stringify(at)} && process.kill(process.pid, 'SIGKILL');
      const lent = new LentVariables(${JSON.stringify(receipt)}, {
        read: () => JSON.parse(readFileSync(file, 'utf8')).variables,
        write: async (variables) => {
          die('before');
          writeFileSync(file, JSON.stringify({ variables }));
          die('after');
        },
      }, async () => true);
      await lent.hold();
      await lent.lend([${JSON.stringify(proxy)}]);
      console.log('lent');
      setInterval(() => {}, 60_000);`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const crash = async (at: 'before' | 'after') => {
    const [, signal] = (await once(lender(at), 'exit')) as readonly unknown[];
    expect(signal).toBe('SIGKILL');
  };

  it.each(['before', 'after'] as const)('are taken back after a crash %s the change', async (at) => {
    await setting.write([key]);
    await crash(at);
    expect(setting.read()).toEqual(at === 'before' ? [key] : [key, proxy]);
    await lent().takeBackLeft(never);
    expect(setting.read()).toEqual([key]);
    expect(await filesLeft()).toEqual([]);
  });

  it('are taken back by a process that waited for the crash', async () => {
    await setting.write([key]);
    const child = lender('never');
    await once(child.stdout, 'data');
    const waiting = lent().takeBackLeft(never);
    expect(setting.read()).toEqual([key, proxy]);
    child.kill('SIGKILL');
    await waiting;
    expect(setting.read()).toEqual([key]);
  });

  it('are taken back from a process that has lost its window, which then leaves them alone', async () => {
    await setting.write([key]);
    const one = await lend(false);
    await lent().takeBackLeft(never);
    expect(setting.read()).toEqual([key]);
    const next = await lend();
    await one.takeBack();
    expect(setting.read()).toEqual([key, proxy]);
    await next.takeBack();
  });

  it('are left alone by a process that stops waiting', async () => {
    await setting.write([]);
    const one = await lend();
    await lent().takeBackLeft(AbortSignal.abort());
    expect(setting.read()).toEqual([proxy]);
    await one.takeBack();
  });

  it('are taken back before they are lent again after a crash', async () => {
    await setting.write([key]);
    await crash('after');
    const one = await lend();
    expect(setting.read()).toEqual([key, proxy]);
    await one.takeBack();
    expect(setting.read()).toEqual([key]);
  });
});
