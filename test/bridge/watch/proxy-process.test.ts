import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProxyProcess } from '../../../src/bridge/watch/proxy-process.ts';
import { eventually } from '../../support/eventually.ts';

const address = 'http://127.0.0.1:4000/secret-token';

describe('the process of a proxy', () => {
  let folder: string;
  let lines: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'proxy-process-'));
    lines = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Starts a program with the contract of `context-budget proxy`. */
  const start = async (source: string, strategy?: string) => {
    const program = join(folder, 'proxy.mjs');
    await writeFile(program, source);
    return startProxyProcess({
      ...{ program, agent: { title: 'Codex' }, upstream: 'https://api.openai.com/v1', folder },
      strategy,
      log: (line) => void lines.push(line),
    });
  };
  const untilClosed = `process.stdin.on('close', () => process.exit()).resume();`;

  it.each([
    ['upstream', undefined, ''],
    ['upstream and the strategy', 'ladder', ' --compact ladder'],
  ])('is told the %s, and names its address', async (_, strategy, compaction) => {
    const source = `console.error(process.argv.slice(2).join(' ')); console.log('${address}'); ${untilClosed}`;
    const proxy = await start(source, strategy);
    expect(proxy.baseUrl).toBe(address);
    await eventually(() => Promise.resolve(lines)).toEqual([
      `proxy --upstream https://api.openai.com/v1 --with-parent${compaction}`,
    ]);
    proxy.stop();
  });

  it('names the first conversation that it records', async () => {
    const proxy = await start(`console.log('${address}');
      for (const path of ['/wire/first.jsonl', '/wire/second.jsonl']) setTimeout(() => console.log(path));
      ${untilClosed}`);
    await expect(proxy.recorded).resolves.toBe('/wire/first.jsonl');
    proxy.stop();
  });

  it('tells when it ends by itself', async () => {
    const proxy = await start(`console.log('${address}'); process.stdin.once('data', () => process.exit(1));
      setTimeout(() => process.exit(1));`);
    await expect(proxy.died).resolves.toBeUndefined();
  });

  it('hides its token in the log', async () => {
    const proxy = await start(
      `console.log('${address}'); setTimeout(() => console.error('404 for ${address}/v1')); ${untilClosed}`,
    );
    await eventually(() => Promise.resolve(lines)).toHaveLength(1);
    expect(lines[0]).not.toContain('secret-token');
    proxy.stop();
  });

  it('is refused with its own words if it does not start', async () => {
    await expect(start(`console.error('No such provider.'); process.exit(2);`)).rejects.toThrow(
      'Codex is not watched, because its proxy did not start. No such provider.',
    );
  });

  it('is refused if its address is not on this computer', async () => {
    await expect(start(`console.log('http://example.com/token'); ${untilClosed}`)).rejects.toThrow(
      'its proxy did not start',
    );
  });
});
