import fc from 'fast-check';

/** Texts of few different lines, so that they repeat, with all kinds of line ends. */
export const textOfLines: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('', 'a', 'b', '\tc', '-- a', '++ b', '@@ d', ' e', '\\ f'),
        fc.constantFrom('\n', '\r\n'),
      ),
      { maxLength: 12 },
    ),
    fc.constantFrom('', 'a', 'end'),
  )
  .map(([lines, last]) => lines.map((line) => line.join('')).join('') + last);
