import { describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/compaction/tokens/usage.ts';
import { nextSize } from '../../src/presenters/next-size.ts';

const { byKind } = emptyUsage;
const compaction = { usage: () => Promise.resolve({ ...emptyUsage, total: 7 }) };

describe('the size of the next request', () => {
  it('is that of the request, where it is known at once', async () => {
    const nextRequest = { size: () => Promise.resolve({ tokens: 2_979, byKind }) };
    expect(await nextSize({ nextRequest, compaction })).toEqual({ tokens: 2_979, byKind });
  });

  it('is what was counted where nothing is sent any more, or nobody can tell', async () => {
    const nextRequest = { size: () => Promise.reject(new Error('no folder')) };
    expect(await nextSize({ compaction })).toEqual({ tokens: 7, byKind });
    expect(await nextSize({ nextRequest, compaction })).toEqual({ tokens: 7, byKind });
  });

  it('is what was counted until a slow server has told its tools', async () => {
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
