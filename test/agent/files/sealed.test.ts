import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealed, unsealed } from '../../../src/agent/files/sealed.ts';

const earlier = /^\{"rules":/u;
const values = fc.dictionary(
  fc.string({ minLength: 1 }),
  fc.json().map((text): unknown => JSON.parse(text)),
  {
    minKeys: 1,
    noNullPrototype: true,
  },
);

describe('a sealed text', () => {
  it('returns the sealed object', () => {
    fc.assert(
      fc.property(values, (value) => {
        const { seal, ...held } = unsealed(sealed(value), earlier)!;
        expect(seal).toMatch(/^[\w-]{22}$/u);
        expect(JSON.stringify(held)).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it('is rejected if a bit is flipped or the end is cut off', () => {
    fc.assert(
      fc.property(values, fc.nat(), fc.nat(7), fc.boolean(), (value, choice, bit, isCut) => {
        const bytes = Buffer.from(sealed(value));
        const at = choice % bytes.length;
        bytes[at]! ^= 1 << bit;
        const damaged = isCut ? bytes.subarray(0, at) : bytes;
        expect(unsealed(damaged.toString('utf8'), earlier)).toBeUndefined();
      }),
    );
  });

  it('may lack the seal in files of earlier versions', () => {
    expect(unsealed('{"rules":[1]}', earlier)).toEqual({ rules: [1] });
    expect(unsealed('{"others":[1]}', earlier)).toBeUndefined();
  });
});
