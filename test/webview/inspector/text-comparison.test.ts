import { describe, expect, it } from 'vitest';
import { compareTexts } from '../../../webview/inspector/diff/text-comparison.ts';

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

  it('are not compared if they have almost nothing in common', () => {
    expect(compareTexts('a long original text of many words', '[hidden]')).toBeUndefined();
  });

  it('are not compared if they are too long', () => {
    const long = 'word '.repeat(20_000);
    expect(compareTexts(long, `${long}more`)).toBeUndefined();
  });

  it('are not compared if more than a thousand words differ', () => {
    const changed = (words: number) =>
      Array.from({ length: 4000 }, (_, index) => (index < words ? `new${index}` : `w${index}`)).join(' ');
    expect(compareTexts(changed(0), changed(400))).toBeDefined();
    expect(compareTexts(changed(0), changed(600))).toBeUndefined();
  });
});
