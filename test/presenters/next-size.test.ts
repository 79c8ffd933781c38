import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';
import { nextSize } from '../../src/presenters/next-size.ts';

const { byKind } = emptyUsage;
const compaction = { usage: () => Promise.resolve({ ...emptyUsage, total: 7 }) };

describe('the size of the next request', () => {
  it('is the measured size if it is known immediately', async () => {
    const nextRequest = { size: () => Promise.resolve({ tokens: 2_979, byKind }) };
    expect(await nextSize({ nextRequest, compaction })).toEqual({ tokens: 2_979, byKind });
  });

  it('is our count of the context if no more requests follow or the size is unknown', async () => {
    const nextRequest = { size: () => Promise.reject(new Error('no folder')) };
    expect(await nextSize({ compaction })).toEqual({ tokens: 7, byKind });
    expect(await nextSize({ nextRequest, compaction })).toEqual({ tokens: 7, byKind });
  });

  it('is our count of the context until a slow server has listed its tools', async () => {
    let tell: (size: { tokens: number; byKind: typeof byKind }) => void = () => {};
    const size = () => new Promise<{ tokens: number; byKind: typeof byKind }>((resolve) => (tell = resolve));
    await new Promise<void>((late) => {
      void nextSize({ nextRequest: { size }, compaction }, late).then((first) => {
        expect(first).toEqual({ tokens: 7, byKind });
        tell({ tokens: 2_979, byKind });
      });
    });
  });
});
