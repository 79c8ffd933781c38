import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { createTokenCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { CountFile } from '../../../src/presenters/storage/count-file.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { recordFor } from '../hiding-record.ts';
import { sessionOf } from '../host/long-history.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';

/** Sizes of sessions, in tokens. */
const sizes = [10_000, 100_000, 1_000_000] as const;
/** Share of a cold count that what follows from one message may cost. */
const largestShare = 0.001;
/** Messages that are appended in one run: one alone is over before the clock has moved. */
const appended = 50;

/** Keeping views and totals up to date, against counting a session for the first time. */
export const part: BenchPart = {
  title: 'Incremental updates',
  async measure() {
    const count = await loadEncoding('o200k_base');
    const measures: Measure[] = [];
    for (const size of sizes) measures.push(...(await measuresOf(size, count)));
    return [...measures, ...(await reopening(sizes[2], count))];
  },
};

/** Opening a session with the counts that are kept beside it, and without. */
async function reopening(size: number, count: (text: string) => number): Promise<readonly Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'counts-'));
  try {
    let counted = 0;
    const meterOf = () =>
      new UsageMeter(
        {
          count: (texts) => {
            counted += texts.length;
            return Promise.resolve(texts.map(count));
          },
        },
        { countsReasoning: false, vocabulary: 'o200k_base' },
      );
    const messages = sessionOf(size, count);
    const path = join(folder, 'session.counts');
    const first = meterOf();
    await first.measureEach(messages);
    await new CountFile(path).save(first, messages);
    const open = async (from: string) => {
      counted = 0;
      const meter = meterOf();
      // Other objects, as they are after a restart.
      const read = messages.map((message) => ({ ...message }));
      await new CountFile(from).teach(meter, read);
      await meter.measureEach(read);
      return counted;
    };
    const times = await medianTimes({
      without: { run: () => open(join(folder, 'none.counts')) },
      kept: { run: () => open(path) },
    });
    return [
      {
        name: '1M tokens: texts counted when it is opened, without counts',
        value: await open(join(folder, 'none.counts')),
        unit: 'count',
      },
      {
        name: '1M tokens: texts counted when it is opened, with counts',
        value: await open(path),
        unit: 'count',
        target: { atMost: 0 },
      },
      { name: '1M tokens: time of that, against counting', value: times.kept / times.without, unit: 'share' },
      { name: '1M tokens: size of the counts', value: (await stat(path)).size, unit: 'bytes' },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measuresOf(size: number, count: (text: string) => number): Promise<readonly Measure[]> {
  const meterOf = () =>
    new UsageMeter({ count: (texts) => Promise.resolve(texts.map(count)) }, { countsReasoning: false });
  let fresh = createTokenCounter(o200k);
  const coldMeter = () =>
    new UsageMeter({ count: (texts) => Promise.resolve(texts.map(fresh)) }, { countsReasoning: false });
  const messages = sessionOf(size, count);
  const start = transcriptOf(messages.map((message) => ({ type: 'message', message })));
  const meter = meterOf();
  await meter.measure(start.view);
  const next = Array.from({ length: appended }, (_, index): Message => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${index}: the lock of the store is released before the session is read again.`,
    id: `next${index}`,
    origin: index % 2 === 0 ? 'person' : 'model',
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  await meter.measureEach(next);
  const record = recordFor(start.view);
  let grown: Transcript = start;
  const times = await medianTimes({
    cold: {
      prepare: () => {
        fresh = createTokenCounter(o200k);
      },
      run: () => coldMeter().measure(start.view),
    },
    append: {
      prepare: () => {
        grown = start;
      },
      run: () => {
        for (const message of next) grown = append(grown, { type: 'message', message });
      },
    },
    total: {
      run: async () => {
        grown = start;
        for (const message of next) {
          grown = append(grown, { type: 'message', message });
          await meter.measure(grown.view);
        }
      },
    },
    compaction: { run: () => append(start, { type: 'compaction', record }) },
  });
  const name = size >= 1_000_000 ? `${size / 1_000_000}M tokens` : `${size / 1_000}k tokens`;
  const target = size === 1_000_000 ? { target: { atMost: largestShare } } : {};
  return [
    {
      name: `${name}: append a message`,
      value: times.append / appended / times.cold,
      unit: 'share',
      ...target,
    },
    {
      name: `${name}: append a message, and the total by kind`,
      value: times.total / appended / times.cold,
      unit: 'share',
      ...target,
    },
    { name: `${name}: view after a compaction`, value: times.compaction / times.cold, unit: 'share' },
  ];
}
