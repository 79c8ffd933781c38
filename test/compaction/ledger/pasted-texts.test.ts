import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstWritten, shortPasted } from '../../../src/compaction/ledger/pasted-texts.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const sentence = 'The port of the staging server is 8080 from now on.';

describe('a text that the assistant or a tool wrote', () => {
  it('is found in the first such message, not in messages of the user', () => {
    const messages = [
      typed('m1', sentence),
      called('m2', ['c1', 'read']),
      result('m3', 'c1', `# Notes\n\n${sentence}\n`),
      said('m4', sentence),
    ];
    expect([...firstWritten([sentence], messages)]).toEqual([[sentence, 2]]);
  });

  it('is not found if one character differs', () => {
    expect(firstWritten([sentence], [said('m1', sentence.replace('8080', '8081'))]).size).toBe(0);
  });

  it('is found at every place, as a search of each message finds it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '好'), minLength: shortPasted, maxLength: 60 });
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.tuple(text, fc.nat(90), fc.nat(60))), (written, parts) => {
        const texts = parts.map(([own, start, length]) => {
          const whole = [own, ...written].join('\n');
          return whole.slice(start, start + shortPasted + length).padEnd(shortPasted, 'a');
        });
        const messages = written.map((content, index) => said(`m${index}`, `${content}\n${content}`));
        const found = firstWritten(texts, messages);
        for (const one of texts) {
          const index = messages.findIndex(({ content }) => (content as string).includes(one));
          expect(found.get(one) ?? -1).toBe(index);
        }
      }),
    );
  });
});
