import { describe, expect, it } from 'vitest';
import { withCodeInPlace } from '../../../src/agent/edits/place-code.ts';

const file = ['class Lock {', '  take() {', '    return 1;', '  }', '', '  free() {}', '}', ''].join('\n');

describe('a block of code', () => {
  it('replaces the lines from its first to its last, with the indentation of the file', () => {
    expect(withCodeInPlace(file, 'take() {\n  return 2;\n}')).toBe(file.replace('return 1', 'return 2'));
  });

  it('becomes the whole text of an empty file', () => {
    expect(withCodeInPlace('\n', 'const a = 1;')).toBe('const a = 1;\n');
  });

  it('keeps the line ends of the file', () => {
    const windows = file.replaceAll('\n', '\r\n');
    expect(withCodeInPlace(windows, 'take() {\n  return 2;\n}\n')).toBe(
      windows.replace('return 1', 'return 2'),
    );
  });

  it.each([
    ['begins with a missing line', 'give() {\n}'],
    ['begins with a line that occurs twice', '\n', 'a\nb\na\nb'],
    ['ends with a line that does not follow', 'free() {}\n  }'],
    ['is a single line', 'take() {'],
    ['is empty', ' \n'],
  ])('has no place if it %s', (_what, block, text = file) => {
    expect(withCodeInPlace(text, block === '\n' ? 'a\nb' : block)).toBeUndefined();
  });
});
