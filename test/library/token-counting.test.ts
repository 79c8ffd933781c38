import { expect, it } from 'vitest';
import { countTokens, textCounter } from '../../src/library/token-counting.ts';
import { textOfTokens } from '../support/messages.ts';

it('countTokens returns exact counts in both encodings', async () => {
  expect(await countTokens(textOfTokens(7))).toBe(7);
  expect(await countTokens(textOfTokens(7), 'cl100k_base')).toBe(7);
  expect(await textCounter().count(['', textOfTokens(3)])).toEqual([0, 3]);
});

it('countTokens rejects values other than strings, and unknown encodings', async () => {
  await expect(countTokens(['a'] as never)).rejects.toThrow('The text to count must be a string');
  await expect(countTokens('a', 'gpt2' as never)).rejects.toThrow('Unknown encoding gpt2');
  expect(() => textCounter('gpt2' as never)).toThrow('Unknown encoding gpt2');
});
