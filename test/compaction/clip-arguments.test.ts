import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipArguments } from '../../src/compaction/clip-arguments.ts';

describe('clipArguments', () => {
  it('clips the long texts, wherever they are, and keeps the rest', () => {
    const clipped = clipArguments(
      JSON.stringify({ path: 'a.ts', edits: [{ text: 'x'.repeat(500), line: 3 }] }),
      100,
    );
    expect(JSON.parse(clipped!)).toMatchObject({ path: 'a.ts', edits: [{ line: 3 }] });
    expect(clipped).toMatch(/"x+\\n\[… \d+ characters left out …\]\\nx+"/);
  });

  it('leaves a key whole that is to be kept', () => {
    const json = JSON.stringify({ command: 'y'.repeat(500), text: 'x'.repeat(500) });
    const clipped = clipArguments(json, 100, (key) => key === 'command');
    expect(JSON.parse(clipped!)).toMatchObject({ command: 'y'.repeat(500) });
  });

  it('has nothing to say of arguments that are no JSON, or short', () => {
    expect(clipArguments(`{"text":"${'x'.repeat(500)}`, 100)).toBeUndefined();
    expect(clipArguments('{"a":1}', 100)).toBeUndefined();
  });

  it('always gives JSON back, with the same keys, and nothing left to clip', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.oneof(fc.string({ maxLength: 300 }), fc.array(fc.string({ maxLength: 300 }))),
        ),
        (given) => {
          const clipped = clipArguments(JSON.stringify(given), 60);
          if (clipped === undefined) return;
          expect(Object.keys(JSON.parse(clipped) as object)).toEqual(
            Object.keys(JSON.parse(JSON.stringify(given)) as object),
          );
          expect(clipArguments(clipped, 60)).toBeUndefined();
        },
      ),
    );
  });
});
