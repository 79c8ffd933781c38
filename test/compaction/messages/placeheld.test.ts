import { describe, expect, it } from 'vitest';
import { placeheld } from '../../../src/compaction/messages/placeheld.ts';
import { result } from '../../support/messages.ts';

describe('a message with a placeholder', () => {
  it('keeps all fields of the message except the content', () => {
    expect(placeheld(result('m1', 'a', 'ok'), 'hide', 'hidden', 7)).toEqual({
      ...result('m1', 'a', 'hidden'),
      truncation: { fate: 'hide', originalTokens: 7 },
    });
  });

  it('omits a longer original text, because the transcript contains it', () => {
    expect(
      placeheld({ ...result('m1', 'a', 'ok'), original: 'ok, ok' }, 'hide', 'hidden', 7),
    ).not.toHaveProperty('original');
  });

  it('is the same object for the same placeholder', () => {
    const message = result('m1', 'a', 'ok');
    const first = placeheld(message, 'offload', 'one', 7);
    placeheld(message, 'offload', 'another', 7);
    expect(placeheld(message, 'offload', 'one', 7)).toBe(first);
  });

  it.each([
    ['fate', 'hide', 'one', 7],
    ['placeholder', 'offload', 'another', 7],
    ['size', 'offload', 'one', 8],
  ] as const)('is another object for another %s', (_what, fate, placeholder, tokens) => {
    const message = result('m1', 'a', 'ok');
    const first = placeheld(message, 'offload', 'one', 7);
    expect(placeheld(message, fate, placeholder, tokens)).not.toBe(first);
  });

  it('is another object for another message with the same content', () => {
    expect(placeheld(result('m1', 'a', 'ok'), 'hide', 'one', 7)).not.toEqual(
      placeheld(result('m2', 'b', 'ok'), 'hide', 'one', 7),
    );
  });
});
