import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchesOf } from '../../../src/extension/chat/text-batches.ts';

/** Bytes of a text in a message, without the quotes around it. */
function bytesOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

describe('the batches of a text', () => {
  it('are the text, whatever is in it', () => {
    const pieces = fc.constantFrom('word ', '"', '\\', '\n', '\u0001', 'é', '文', '🙂', '\ud83d', '\ude42');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 3_000 }), (parts) => {
        const text = parts.join('');
        const batches = batchesOf(text);
        expect(batches.join('')).toBe(text);
        for (const batch of batches) {
          expect(bytesOf(batch)).toBeGreaterThan(0);
          expect(bytesOf(batch)).toBeLessThanOrEqual(1_600);
        }
      }),
    );
  });

  it('are one where the text is short, none where there is none', () => {
    expect(batchesOf('a few words')).toEqual(['a few words']);
    expect(batchesOf('')).toEqual([]);
  });

  it('are few', () => {
    expect(batchesOf('x'.repeat(16_000))).toHaveLength(10);
  });

  it('keep the halves of a character together', () => {
    for (const batch of batchesOf(`a${'🙂'.repeat(1_000)}`)) expect(batch).not.toMatch(/\p{Surrogate}/u);
  });
});
