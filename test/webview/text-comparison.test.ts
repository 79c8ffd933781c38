import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../webview/inspector/diff/text-comparison.ts';

describe('two texts', () => {
  it('are compared word by word', () => {
    expect(compareTexts('keep this and lose that', 'keep this and gain that')).toEqual({
      before: [
        { text: 'keep this and ', isChanged: false },
        { text: 'lose', isChanged: true },
        { text: ' that', isChanged: false },
      ],
      after: [
        { text: 'keep this and ', isChanged: false },
        { text: 'gain', isChanged: true },
        { text: ' that', isChanged: false },
      ],
    });
  });

  it('are not compared where they have next to nothing in common', () => {
    expect(compareTexts('a long original text of many words', '[hidden]')).toBeUndefined();
  });

  it('are not compared where they are too long', () => {
    const long = 'word '.repeat(20_000);
    expect(compareTexts(long, `${long}more`)).toBeUndefined();
  });

  it('are not compared where finding what they share would take long', () => {
    const shuffled = (seed: number) =>
      Array.from({ length: 9000 }, (_, index) => `w${(index * seed) % 8999}`).join(' ');
    expect(compareTexts(shuffled(7), shuffled(1234))).toBeUndefined();
  });
});
