import { describe, expect, it } from 'vitest';
import { fitsGlob } from '../../../src/agent/approvals/path-glob.ts';

describe('fitsGlob', () => {
  it.each([
    ['a.ts', '**'],
    ['src/deep/a.ts', '**'],
    ['src/a.ts', 'src/**'],
    ['src/deep/er/a.ts', 'src/**'],
    ['src/a.ts', 'src/*.ts'],
    ['a.ts', '**/*.ts'],
    ['src/deep/a.ts', '**/*.ts'],
    ['src/deep/a.test.ts', 'src/**/*.test.ts'],
    ['src/a.ts', 'src/?.ts'],
    ['a(1).ts', 'a(1).ts'],
  ])('%s fits %s', (path, glob) => {
    expect(fitsGlob(path, glob)).toBe(true);
  });

  it.each([
    ['src/deep/a.ts', 'src/*.ts'],
    ['srcs/a.ts', 'src/**'],
    ['a.tsx', '*.ts'],
    ['xa.ts', 'a.ts'],
    ['aXts', 'a.ts'],
    ['../a.ts', '**'],
    ['src/../../a.ts', '**'],
    ['src/./a.ts', '**'],
    ['/etc/passwd', '**'],
    ['src\\..\\..\\a', '**'],
    ['', '**'],
  ])('%s does not fit %s', (path, glob) => {
    expect(fitsGlob(path, glob)).toBe(false);
  });

  it('takes no time over many stars', () => {
    const path = Array.from({ length: 200 }, () => 'a').join('/');
    expect(fitsGlob(path, `${'**/a/'.repeat(100)}b`)).toBe(false);
  });
});
