import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../src/compaction/files/outline.ts';

const typescript = [
  "import { open } from 'node:fs';",
  '',
  'export const limit = 3;',
  'export interface Store {',
  '  readonly size: number;',
  '}',
  'export class Lock {',
  '  private held = false;',
  '  async take(name: string): Promise<void> {',
  '    if (this.held) {',
  '      throw new Error();',
  '    }',
  '  }',
  '}',
];

describe('the outline of a file', () => {
  it('contains the lines of declarations, with their numbers', () => {
    expect(outlineOf(typescript, 1_000)).toEqual({
      text: [
        '3\texport const limit = 3;',
        '4\texport interface Store {',
        '7\texport class Lock {',
        '9\t  async take(name: string): Promise<void> {',
      ].join('\n'),
      shown: 4,
    });
  });

  it('omits nested lines first if there is not enough room', () => {
    expect(outlineOf(typescript, 80).text).toBe(
      '3\texport const limit = 3;\n4\texport interface Store {\n7\texport class Lock {',
    );
  });

  it.each([
    ['Python', 'def load(path):'],
    ['Go', 'func (s *Store) Load() error {'],
    ['Rust', 'pub(crate) fn load() -> Result<()> {'],
    ['SQL', 'CREATE TABLE users ('],
    ['Markdown', '## Loading'],
    ['YAML', 'jobs:'],
    ['TOML', '[package]'],
  ])('recognises declarations of %s', (_language, line) => {
    const lines = ['x', line, 'x', line, 'x', line];
    expect(outlineOf(lines, 1_000).text).toBe([2, 4, 6].map((number) => `${number}\t${line}`).join('\n'));
  });

  it('contains the first lines of the file if it has no declarations', () => {
    const lines = Array.from({ length: 90 }, (_, index) => `${index}, a value`);
    expect(outlineOf(lines, 30)).toEqual({ text: '1\t0, a value\n2\t1, a value', shown: 2 });
  });

  it('has shortened long lines, and is empty if no line fits', () => {
    expect(outlineOf([`# ${'x'.repeat(500)}`], 1_000).text).toHaveLength(163);
    expect(outlineOf(['# heading'], 5)).toEqual({ text: '', shown: 0 });
  });
});
