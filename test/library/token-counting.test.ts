import { expect, it } from 'vitest';
import { countTokens, textCounter } from '../../src/library/token-counting.ts';
import { textOfTokens } from '../support/messages.ts';

it('counts exactly, in either encoding', async () => {
  expect(await countTokens(textOfTokens(7))).toBe(7);
  expect(await countTokens(textOfTokens(7), 'cl100k_base')).toBe(7);
  expect(await textCounter().count(['', textOfTokens(3)])).toEqual([0, 3]);
});
