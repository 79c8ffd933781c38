import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  AnswerLimitError,
  beginningOf,
  longestDocument,
  longestEvent,
  mostLines,
  withLimits,
} from '../../../src/agent/network/bounded-body.ts';

const patient = { silence: 60_000, standstill: 60_000, duration: 60_000 };

/** A response with a body of pieces on demand; `undefined` is a pause without end. */
function responseOf(pieces: Iterable<string | undefined>, type = 'text/event-stream'): Response {
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = iterator.next();
        if (next.done === true) controller.close();
        else if (next.value === undefined) return new Promise(() => undefined);
        else controller.enqueue(Buffer.from(next.value));
        return undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': type } });
}

function* forever(piece: string): Generator<string> {
  for (;;) yield piece;
}

async function limitOf(response: Response): Promise<string> {
  try {
    await response.text();
  } catch (error) {
    if (error instanceof AnswerLimitError) return error.limit;
    throw error;
  }
  throw new Error('The body came to its end.');
}

describe('an event stream', () => {
  test.each([
    ['line feeds', 'data: a\n\ndata: b\n\n'],
    ['carriage returns', 'data: a\r\rdata: b\r\r'],
    ['both kinds of line ends', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['comments between', ': hello\ndata: a\n: there\n\n:\n\ndata: b\n\n: the end'],
    ['a single line feed at the end', 'data: a\n\ndata: b\n'],
  ])('with %s gives the same events, however it is split', async (_name, text) => {
    for (let length = 1; length <= text.length; length++) {
      const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? [];
      expect(await withLimits(responseOf(pieces), patient).text()).toBe('data: a\n\ndata: b\n\n');
    }
  });

  test('arrives in whole events', async () => {
    const pieces = ['data: 1\n', '\ndata', ': 2\n\nda', 'ta: 3\n', '\n'];
    const read: string[] = [];
    const { body } = withLimits(responseOf(pieces), patient);
    for await (const piece of body ?? []) read.push(Buffer.from(piece).toString());
    expect(read).toEqual(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']);
  });

  test('may end without a line end after complete data', async () => {
    expect(await withLimits(responseOf(['data: {"a":1}']), patient).text()).toBe('data: {"a":1}\n\n');
    expect(await withLimits(responseOf(['data: [DONE]']), patient).text()).toBe('data: [DONE]\n\n');
  });

  test('counts as dropped if it ends in the middle of data', async () => {
    expect(await limitOf(withLimits(responseOf(['data: 1\n\ndata: {"a"']), patient))).toBe('dropped');
  });

  test('has limits for events, lines and bytes', async () => {
    expect(await limitOf(withLimits(responseOf(forever('x'.repeat(longestEvent / 4))), patient))).toBe(
      'line',
    );
    expect(await limitOf(withLimits(responseOf(forever('data: x\n'.repeat(9_999))), patient))).toBe('line');
    expect(await limitOf(withLimits(responseOf(forever('\n'.repeat(mostLines / 9))), patient))).toBe('lines');
    const document = responseOf(forever('x'.repeat(longestDocument / 9)), 'application/json');
    expect(await limitOf(withLimits(document, patient))).toBe('bytes');
  });

  test('is ended if it falls silent, sends no data, or never stops', async () => {
    const silent = { ...patient, silence: 5 };
    expect(await limitOf(withLimits(responseOf(['data: a\n\n', undefined]), silent))).toBe('silence');
    const still = { ...patient, standstill: 20 };
    expect(await limitOf(withLimits(responseOf(forever(': alive\n\n')), still))).toBe('standstill');
    const long = { ...patient, duration: 20 };
    expect(await limitOf(withLimits(responseOf(forever('data: a\n\n')), long))).toBe('duration');
  });
});

test('the beginning of a body is the part that arrives within the limits of size and time', async () => {
  expect(await beginningOf(responseOf(['ab', 'cd']), 100, 60_000)).toBe('abcd');
  expect(await beginningOf(responseOf(forever('ab')), 5, 60_000)).toBe('abab');
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begun = beginningOf(responseOf(['ab', undefined]), 100, 60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await begun).toBe('ab');
});
