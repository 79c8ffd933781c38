import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteStrings, hashOf } from '../../../src/compaction/tokens/byte-strings.ts';

const find = (strings: ByteStrings, bytes: Uint8Array) =>
  strings.find(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
const add = (strings: ByteStrings, bytes: Uint8Array) => {
  strings.add(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length));
};

describe('ByteStrings', () => {
  it('finds exactly the added strings', () => {
    const someBytes = fc.uint8Array({ maxLength: 6, max: 3 });
    fc.assert(
      fc.property(fc.array(someBytes), fc.array(someBytes), (added, asked) => {
        const strings = ByteStrings.withRoomFor(added.length, 6 * added.length);
        const numbers = new Map<string, number>();
        for (const bytes of added) {
          if (numbers.has(String(bytes))) continue;
          numbers.set(String(bytes), strings.size);
          add(strings, bytes);
        }
        for (const bytes of [...added, ...asked]) {
          expect(find(strings, bytes)).toBe(numbers.get(String(bytes)) ?? -1);
        }
      }),
    );
  });

  it('reads a string from the middle of a buffer', () => {
    const buffer = Uint8Array.of(9, 1, 2, 3, 9);
    const strings = ByteStrings.withRoomFor(1, 3);
    strings.add(buffer, 1, 4, hashOf(buffer, 1, 4));
    expect(find(strings, Uint8Array.of(1, 2, 3))).toBe(0);
  });

  it('joins two of its strings into one new string', () => {
    const strings = ByteStrings.withRoomFor(3, 10);
    add(strings, Uint8Array.of(1, 2));
    add(strings, Uint8Array.of(3));
    expect(strings.addJoined(0, 1)).toBe(5);
    expect(find(strings, Uint8Array.of(1, 2, 3))).toBe(2);
    expect(strings.lengthOf(2)).toBe(3);
    expect([...strings.bytes.subarray(3, 6)]).toEqual([1, 2, 3]);
  });

  it('distinguishes strings with the same hash', () => {
    const strings = ByteStrings.withRoomFor(2, 2);
    const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)];
    strings.add(one, 0, 1, 7);
    expect(strings.find(two, 0, 1, 7)).toBe(-1);
    strings.add(two, 0, 1, 7);
    expect([strings.find(one, 0, 1, 7), strings.find(two, 0, 1, 7)]).toEqual([0, 1]);
  });

  it('reports when it is full of strings or of bytes', () => {
    const strings = ByteStrings.withRoomFor(2, 5);
    expect(strings.hasRoomFor(6)).toBe(false);
    add(strings, Uint8Array.of(1, 2, 3, 4));
    expect([strings.hasRoomFor(1), strings.hasRoomFor(2)]).toEqual([true, false]);
    add(strings, Uint8Array.of(5));
    expect(strings.hasRoomFor(0)).toBe(false);
  });

  it('is empty after clearing', () => {
    const strings = ByteStrings.withRoomFor(1, 1);
    add(strings, Uint8Array.of(1));
    strings.clear();
    expect([strings.size, find(strings, Uint8Array.of(1))]).toEqual([0, -1]);
    add(strings, Uint8Array.of(2));
    expect(find(strings, Uint8Array.of(2))).toBe(0);
  });
});
