import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { loadTables } from '../../../src/compaction/tokens/token-counter.ts';
import type { PartCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { ReplyCount } from '../../../src/presenters/chat/reply-count.ts';
import { said } from '../../support/messages.ts';

const text = 'The lock is released 之后, and `restoreSession()` reads it again.';
const parts = text.match(/.{1,4}/gsu)!;

describe('the count of a streamed reply', () => {
  let counter: ExactCounter;
  let load: () => Promise<PartCounter | undefined>;
  let counted: number;
  let reply: ReplyCount;
  const meter = () =>
    new UsageMeter(
      {
        count: (texts) => {
          counted += texts.length;
          return Promise.resolve(texts.map(counter.count));
        },
        running: () => load(),
      },
      { countsReasoning: false },
    );
  const loaded = () => new Promise((resolve) => setImmediate(resolve));

  beforeAll(async () => {
    counter = new ExactCounter(await loadTables('o200k_base'));
  });
  beforeEach(() => {
    counted = 0;
    load = () => Promise.resolve(counter.running());
    reply = new ReplyCount(meter);
  });

  it('grows to the count of the whole message, and counts no text twice', async () => {
    reply.expect();
    await loaded();
    const totals = parts.map((part) => {
      reply.add('m1', part);
      return reply.tokens;
    });
    expect(totals).toEqual(totals.toSorted((one, other) => one - other));
    expect(counted).toBe(0);
    expect(totals.at(-1)).toBe((await meter().measure([said('m1', text)])).total);
  });

  it('includes text that arrived while the counter was loading, once the next part arrives', async () => {
    for (const part of parts.slice(0, -1)) reply.add('m1', part);
    expect(reply.tokens).toBe(0);
    await loaded();
    reply.add('m1', parts.at(-1)!);
    expect(reply.tokens).toBe((await meter().measure([said('m1', text)])).total);
  });

  it('is empty from when the message is complete', async () => {
    reply.add('m1', text);
    await loaded();
    reply.said('m1');
    reply.add('m1', text);
    await loaded();
    reply.add('m1', text);
    expect(reply.tokens).toBe(0);
  });

  it('starts again with another reply, even if the earlier reply has no message', async () => {
    reply.add('m1', text);
    await loaded();
    reply.end();
    reply.add('m2', 'Hello');
    await loaded();
    reply.add('m2', ' there');
    expect(reply.tokens).toBe((await meter().measure([said('m2', 'Hello there')])).total);
  });

  it('continues while another message arrives', async () => {
    reply.add('m2', 'Hello');
    await loaded();
    reply.said('m1');
    reply.add('m2', ' there');
    expect(reply.tokens).toBe((await meter().measure([said('m2', 'Hello there')])).total);
  });

  it.each([
    ['the encoding has no counter of parts', () => Promise.resolve(undefined)],
    ['it cannot be loaded', () => Promise.reject(new Error('The thread ended.'))],
  ])('is empty if %s', async (_what, answer: () => Promise<undefined>) => {
    load = answer;
    reply.add('m1', text);
    await loaded();
    reply.add('m1', text);
    expect(reply.tokens).toBe(0);
  });
});
