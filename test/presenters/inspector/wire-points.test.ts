import { describe, expect, it } from 'vitest';
import { wirePoints } from '../../../src/presenters/inspector/wire-points.ts';
import type { Exchange } from '../../../src/transcripts/reading/transcript-format.ts';

const replied: Exchange = {
  createdAt: '2026-11-27T10:00:00.000Z',
  messageId: 'm3',
  outcome: 'complete',
  status: 200,
  firstByte: 400,
  duration: 3_200,
};
const { messageId: _, ...unanswered } = replied;
const refused: Exchange = { ...unanswered, status: 429, error: 'Slow down.' };

describe('recorded exchanges in a timeline', () => {
  it('belong to the requests that their replies answer', () => {
    const { byReply, failures } = wirePoints([{ ...replied, retry: 1, isUnchanged: true }], ['m1', 'm3']);
    expect([...byReply]).toEqual([
      ['m3', { firstByte: 400, duration: 3_200, retry: 1, isUnchanged: true, failure: undefined }],
    ]);
    expect(failures).toEqual([]);
  });

  it('are gathered before the next answered request if they have no reply', () => {
    const unreachable: Exchange = { ...unanswered, outcome: 'unreachable' };
    const exchanges = [refused, { ...refused, status: 529 }, replied, unreachable];
    expect(wirePoints(exchanges, ['m1', 'm3']).failures).toEqual([
      { type: 'failure', atCall: 1, count: 2, outcome: 'complete', status: 529, error: 'Slow down.' },
      { type: 'failure', atCall: 2, count: 1, outcome: 'unreachable', status: 200, error: undefined },
    ]);
  });

  it('say how a reply ended that is not whole', () => {
    const { byReply } = wirePoints([{ ...replied, outcome: 'cut-off' }], ['m3']);
    expect(byReply.get('m3')?.failure).toMatchObject({ outcome: 'cut-off' });
  });

  it('are left out if they succeeded without a message', () => {
    expect(wirePoints([unanswered], ['m3'])).toEqual({ byReply: new Map(), failures: [] });
  });

  it('show invisible characters of an error, and the beginning of a long one', () => {
    const { failures } = wirePoints([{ ...refused, error: `\u202e${'no '.repeat(200)}` }], []);
    const [{ error = '' } = {}] = failures.flatMap((mark) => (mark.type === 'failure' ? [mark] : []));
    expect(error).not.toContain('\u202e');
    expect(error.length).toBeLessThanOrEqual(200);
  });
});
