import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { guardTree, stopTree } from '../../../scripts/test/process-tree.ts';

/**
 * A process that has started another one, which shares its output: `close` comes when both have ended.
 *
 * @param reaction of the first one to a request to end
 */
async function family(reaction = ''): Promise<ChildProcess> {
  const wait = 'console.log("ready"); setInterval(() => {}, 1000);';
  const program = `
    ${reaction}
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(wait)}], { stdio: 'inherit' });
    setInterval(() => {}, 1000);
  `;
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['-e', program], { stdio: [...stdio], detached: true });
  await once(child.stdout, 'data');
  return child;
}

describe('a guarded process', () => {
  it('is stopped with all processes that it started', async () => {
    const child = await family();
    const gone = once(child, 'close');
    void guardTree(child);
    await stopTree(child);
    expect(await gone).toEqual([null, 'SIGTERM']);
  });

  it('is killed if it does not react', async () => {
    const child = await family(`process.on('SIGTERM', () => {});`);
    const gone = once(child, 'close');
    void guardTree(child);
    await stopTree(child);
    expect(await gone).toEqual([null, 'SIGKILL']);
  });

  it('leaves no process when it crashes, and reports the crash', async () => {
    const child = await family();
    const gone = once(child, 'close');
    const crash = guardTree(child);
    child.kill('SIGKILL');
    await crash;
    expect(await gone).toEqual([null, 'SIGKILL']);
  });
});
