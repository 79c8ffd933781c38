import { describe, expect, it } from 'vitest';
import { percentText } from '../../src/language/percent.ts';

describe('a percentage', () => {
  it.each(['en', 'zh-CN'] as const)('is written without a space in %s', (language) => {
    expect(percentText(0.456, language)).toBe('46%');
  });

  it('shows the requested decimals, even if they are 0', () => {
    expect(percentText(0.4631, 'en', { decimals: 1 })).toBe('46.3%');
    expect(percentText(1, 'en', { decimals: 1 })).toBe('100.0%');
  });

  it('shows 100% of a part only for an exact whole', () => {
    expect(percentText(0.9999, 'en', { decimals: 1 })).toBe('100.0%');
    expect(percentText(0.9999, 'en', { decimals: 1, roundsDown: true })).toBe('99.9%');
  });

  it('exceeds 100%, with separators', () => {
    expect(percentText(12.34, 'en')).toBe('1,234%');
  });
});
