import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { WorkerCounter } from '../../../src/presenters/counting/worker-counter.ts';
import { said, typed } from '../../support/messages.ts';

describe('WorkerCounter', () => {
  let folder: string;
  let counter: WorkerCounter;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'counter-'));
    await build({
      entryPoints: ['src/presenters/counting/counter-worker.ts'],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    counter = new WorkerCounter(pathToFileURL(join(folder, 'counter-worker.mjs')));
  });
  afterAll(async () => {
    await counter.dispose();
    await rm(folder, { recursive: true });
  });

  it('counts on another thread exactly as on this one', async () => {
    const text = 'const 值 = await open("store"); '.repeat(50);
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      const count = await loadEncoding(encoding);
      expect(await counter.meterOf(encoding).countText(text)).toBe(count(text));
    }
  });

  it('answers several questions at once, each with its own answer', async () => {
    const meter = counter.meterOf('o200k_base');
    const [one, two] = await Promise.all([
      meter.measure([typed('m1', 'hello')]),
      meter.measure([said('m2', 'hello '.repeat(1_000))]),
    ]);
    expect(one.total).toBeLessThan(two.total);
  });

  it('has one meter for each encoding, so that nothing is counted twice', () => {
    expect(counter.meterOf('o200k_base')).toBe(counter.meterOf('o200k_base'));
  });

  it('tells those who wait when the thread ends, and starts another for the next', async () => {
    const meter = counter.meterOf('o200k_base');
    const waiting = meter.countText('x'.repeat(3_000_000));
    await counter.dispose();
    await expect(waiting).rejects.toThrow('ended');
    expect(await meter.countText('hello')).toBe(1);
  });
});
