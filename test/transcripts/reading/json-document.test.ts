import { describe, expect, it } from 'vitest';
import { expectEvent, readEventLines } from '../../../src/transcripts/reading/json-document.ts';

const read = (text: string) => {
  const lines = readEventLines(text);
  expectEvent(lines, ({ kind }) => kind === 'song', 'songs, one a line');
  const { events, problems } = lines;
  return { events, problems };
};

describe('readEventLines', () => {
  it('reads the object on each line, and ignores blank lines', () => {
    expect(read('{"kind":"song"}\n\n{"kind":"noise"}\r\n')).toEqual({
      events: [
        { line: 1, fields: { kind: 'song' } },
        { line: 3, fields: { kind: 'noise' } },
      ],
      problems: [],
    });
  });

  it('reports lines without an object, and reads the rest', () => {
    const { events, problems } = read('{"kind":\n3\n{"kind":"song"}');
    expect(problems).toEqual([
      'Line 1 was skipped: it is not valid JSON.',
      'Line 2 was skipped: it is not an object.',
    ]);
    expect(events).toHaveLength(1);
  });

  it.each([
    ['', 1],
    ['\n\n{"kind":"noise"}', 3],
    ['no JSON at all', 1],
  ])('refuses %j, which has no valid line', (text, line) => {
    expect(() => read(text)).toThrow(`Line ${line}: expected songs, one a line.`);
  });

  it('reads a hundred thousand lines in one pass', () => {
    expect(read('{"kind":"song"}\n'.repeat(100_000)).events).toHaveLength(100_000);
  });
});
