import { describe, expect, it } from 'vitest';
import { percentText } from '../../src/language/percent.ts';

describe('a percentage', () => {
  it.each(['en', 'zh-CN'] as const)('is written without a space in %s', (language) => {
    expect(percentText(0.456, language)).toBe('46%');
  });

  it('has the requested number of decimals, even if they are zeros', () => {
    expect(percentText(0.4631, 'en', { decimals: 1 })).toBe('46.3%');
    expect(percentText(1, 'en', { decimals: 1 })).toBe('100.0%');
  });

  it('is rounded to 100% unless it is rounded down', () => {
    expect(percentText(0.9999, 'en', { decimals: 1 })).toBe('100.0%');
    expect(percentText(0.9999, 'en', { decimals: 1, roundsDown: true })).toBe('99.9%');
  });

  it('can exceed 100%, with separators between thousands', () => {
    expect(percentText(12.34, 'en')).toBe('1,234%');
  });
});
