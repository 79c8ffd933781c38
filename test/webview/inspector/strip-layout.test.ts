import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../src/protocol/engine-terms.ts';
import { noDiffData } from '../../../webview/inspector/diff/diff-data.ts';
import { diffLines } from '../../../webview/inspector/diff/diff-lines.ts';
import { bandsOf, spansOf } from '../../../webview/inspector/diff/strip-layout.ts';
import { diffRows } from '../support/inspector-fixtures.ts';

const [kept, summarised, , offloaded] = diffRows.map((row, index) => ({ ...row, index }));
const strip = (...sizes: readonly number[]) => sizes.map((size): [Kind, number] => ['toolResult', size]);

describe('the strip next to a diff', () => {
  it('shows each message as high as its tokens, with what is left of it', () => {
    const rows = [
      { ...kept!, strip: strip(100) },
      { ...offloaded!, strip: strip(200) },
      { ...summarised!, strip: strip(300) },
    ];
    expect(bandsOf(rows, 60)).toEqual([
      { kind: 'toolResult', left: 'whole', from: 0, to: 10 },
      { kind: 'toolResult', left: 'part', from: 10, to: 30 },
      { kind: 'toolResult', left: 'none', from: 30, to: 60 },
    ]);
  });

  it('gathers messages that are too small to see, in the kind of the largest', () => {
    const small = Array.from({ length: 5_000 }, (_, index): [Kind, number] => [
      index % 5 === 0 ? 'user' : 'tools',
      index % 5 === 0 ? 9 : 1,
    ]);
    const bands = bandsOf([{ ...kept!, strip: small }], 600);
    expect(bands.length).toBeLessThanOrEqual(600);
    expect(new Set(bands.map(({ kind }) => kind))).toEqual(new Set(['user']));
  });

  it('gives each line its part, and a folded block all of its messages', () => {
    const rows = [
      { ...kept!, index: 0, sourceCount: 2, strip: strip(50, 50) },
      { ...offloaded!, index: 1, strip: strip(100) },
    ];
    expect(
      spansOf(
        rows,
        diffLines({ ...noDiffData, rows }, {}, () => false),
      ),
    ).toEqual([
      { from: 0, to: 0.5 },
      { from: 0.5, to: 1 },
    ]);
  });
});
