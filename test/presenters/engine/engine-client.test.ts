import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { EngineClient } from '../../../src/presenters/engine/engine-client.ts';
import { buildEngine, type EngineScripts } from '../../support/engine-script.ts';
import { said, typed } from '../../support/messages.ts';

describe('the engine of a window', () => {
  let scripts: EngineScripts;
  let engine: EngineClient;
  let log: string[];
  beforeAll(async () => void (scripts = await buildEngine()), 60_000);
  afterAll(() => scripts.remove());
  beforeEach(() => void (log = []));
  afterEach(() => engine.dispose());

  const start = (script = scripts.engine) => (engine = new EngineClient(script, (line) => log.push(line)));

  it('counts exactly the same on another thread as on this thread', async () => {
    start();
    const text = 'const 值 = await open("store"); '.repeat(50);
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      const count = await loadEncoding(encoding);
      expect(await engine.meterOf(encoding).countText(text)).toBe(count(text));
    }
  });

  it('returns the counts of many texts in their order', async () => {
    const meter = start().meterOf('o200k_base');
    const count = await loadEncoding('o200k_base');
    const texts = Array.from({ length: 450 }, (_, index) => 'word '.repeat(index));
    expect(await meter.countTexts(texts)).toEqual(texts.map(count));
  });

  it('counts exactly, on this thread, a text that arrives in parts', async () => {
    start();
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      const count = await loadEncoding(encoding);
      const running = await engine.meterOf(encoding).running();
      let text = '';
      for (const part of ['const 值', ' = aw', 'ait op', 'en("st', 'ore"); 🙂\n', '\n  }']) {
        text += part;
        running!.add(part);
        expect(running!.total()).toBe(count(text));
      }
    }
  });

  it('handles several calls at once, and returns the right answer to each', async () => {
    const meter = start().meterOf('o200k_base');
    const [one, two] = await Promise.all([
      meter.measure([typed('m1', 'hello')]),
      meter.measure([said('m2', 'hello '.repeat(1_000))]),
    ]);
    expect(one.total).toBeLessThan(two.total);
  });

  it('has only one meter for each encoding', () => {
    start();
    expect(engine.meterOf('o200k_base')).toBe(engine.meterOf('o200k_base'));
  });

  it('restarts a thread that has died, and repeats the work', async () => {
    const meter = start(await scripts.dyingOnce('once', 0)).meterOf('o200k_base');
    expect(await Promise.all([meter.countText('hello'), meter.countText('hello hello')])).toEqual([1, 2]);
    expect(new Set(log)).toEqual(
      new Set(["The engine's thread ended: SentenceError: The thread that counts and compacts has ended."]),
    );
  });

  it('continues without a thread if the thread dies again, and logs this', async () => {
    const meter = start(scripts.dying).meterOf('o200k_base');
    expect(await meter.countText('hello')).toBe(1);
    expect(log.filter((line) => line === 'The engine goes on without a thread of its own.')).toHaveLength(1);
    expect(await meter.countText('hello hello')).toBe(2);
    expect(log).toHaveLength(3);
  });

  it('continues without a thread if no thread can be started', async () => {
    const meter = start(new URL('missing.mjs', scripts.engine)).meterOf('o200k_base');
    expect(await meter.countText('hello')).toBe(1);
  });

  it('rejects waiting calls when the window closes', async () => {
    const waiting = start().meterOf('o200k_base').countText('x'.repeat(3_000_000));
    await engine.dispose();
    await expect(waiting).rejects.toThrow('ended');
  });
});
