import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { CompactionWatch, type NewCompactions } from '../../../src/presenters/live/compaction-watch.ts';
import { readerOf } from '../../../src/presenters/live/session-reader.ts';
import { sourceOf } from '../../../src/presenters/live/session-source.ts';
import { MarkedLines } from '../../../src/presenters/live/marked-lines.ts';
import { claudeCodeSession, summary } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';
import { until } from '../../support/eventually.ts';
import { appendByAnotherProcess } from '../../support/growing-file.ts';

const lines = claudeCodeSession.split(/(?<=\n)/u);
const summaryAt = lines.findIndex((line) => line.includes(summary));
const before = lines.slice(0, summaryAt).join('');
const since = lines.slice(summaryAt).join('');

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compaction-watch-'));
  path = join(folder, 'session.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the lines that are appended to a session', () => {
  const mark = lines[summaryAt]!;

  it('have a mark where the agent compacts, told with what was there before its line', async () => {
    await writeFile(path, before);
    const file = new MarkedLines(path);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, `${lines[0]!}${mark}`);
    expect(await file.look()).toBe(Buffer.byteLength(before));
    await appendFile(path, lines[0]!);
    expect(await file.look()).toBeUndefined();
  });

  it('are told once they are whole, wherever they are cut', async () => {
    await writeFile(path, before);
    const bytes = Buffer.from(mark);
    for (let cut = 1; cut < bytes.length; cut += 7) {
      await writeFile(path, before);
      const file = new MarkedLines(path);
      await file.look();
      await appendFile(path, bytes.subarray(0, cut));
      expect(await file.look()).toBeUndefined();
      await appendFile(path, bytes.subarray(cut));
      expect(await file.look()).toBe(Buffer.byteLength(before));
    }
  });

  it('are told together where one is not whole yet', async () => {
    await writeFile(path, before);
    const file = new MarkedLines(path);
    await file.look();
    await appendFile(path, `${lines[0]!}${mark}${mark.slice(0, -2)}`);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, mark.slice(-2));
    expect(await file.look()).toBe(Buffer.byteLength(before));
  });

  it('have none in what somebody said, nor in what was there at first', async () => {
    await writeFile(path, `${before}${mark}`);
    const file = new MarkedLines(path);
    await file.look();
    await appendFile(path, `${JSON.stringify({ text: '{"isCompactSummary":true}' })}\n`);
    expect(await file.look()).toBeUndefined();
  });

  it('begin again where the file is cut or replaced', async () => {
    await writeFile(path, `${before}${mark}`);
    const file = new MarkedLines(path);
    await file.look();
    await truncate(path, 10);
    expect(await file.look()).toBeUndefined();
    await writeFile(`${path}.new`, `${before}${mark}${mark}`);
    await rename(`${path}.new`, path);
    expect(await file.look()).toBeUndefined();
    await appendFile(path, mark);
    expect(await file.look()).toBe(Buffer.byteLength(`${before}${mark}${mark}`));
  });

  it('may be as long as they like', async () => {
    await writeFile(path, before);
    const file = new MarkedLines(path);
    await file.look();
    const long = Buffer.alloc(20_000_000, 'x');
    for (let pieces = 0; pieces < 5; pieces++) {
      await appendFile(path, long);
      expect(await file.look()).toBeUndefined();
    }
    await appendFile(path, `\n${mark}`);
    expect(await file.look()).toBe(Buffer.byteLength(before));
  });
});

describe('a session that goes on and is not open', () => {
  let meter: UsageMeter;
  let told: NewCompactions[];
  let failures: unknown[];
  let watch: CompactionWatch;
  beforeAll(async () => {
    meter = await createMeter();
  });
  beforeEach(() => {
    told = [];
    failures = [];
    watch = new CompactionWatch({
      meterOf: () => meter,
      readerOf: (place) => Promise.resolve(readerOf(sourceOf(place))),
      budget: () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 }),
      factsOf: (model) => factsOfModel(model),
      told: (made) => told.push(made),
      failed: (error) => failures.push(error),
    });
    return () => watch.dispose();
  });
  const isWatched = () => new Promise((resolve) => setTimeout(resolve, 100));

  it('tells of the compaction that another process appends, once, with what it lost', async () => {
    await writeFile(path, before);
    watch.add(path);
    await isWatched();
    await appendByAnotherProcess(path, since, 3);
    await until(() => expect(told).toHaveLength(1));
    const [made] = told;
    expect(made!.compactions.map(({ coverage }) => coverage.files)).toMatchObject([{ total: 2, kept: 1 }]);
    await appendByAnotherProcess(path, lines.at(-1)!, 3);
    await isWatched();
    expect(told).toHaveLength(1);
    expect(failures).toEqual([]);
  });
});
