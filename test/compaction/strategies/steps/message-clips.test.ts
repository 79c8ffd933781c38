import { describe, expect, it } from 'vitest';
import { clipTexts } from '../../../../src/compaction/strategies/steps/message-clips.ts';
import type { Rewrite } from '../../../../src/compaction/strategies/contract/rewrite.ts';
import { textOfCut } from '../../../../src/compaction/text/clip.ts';
import { createMeter } from '../../../support/engine.ts';
import { said, textOfTokens } from '../../../support/messages.ts';

const meter = await createMeter();

describe('clipTexts', () => {
  const sizes = { over: 100, to: 50 };
  const textOf = (clip: Rewrite | undefined) =>
    clip?.cut === undefined ? (clip?.content as string) : textOfCut(clip.cut);

  it.each([
    ['words', textOfTokens(101)],
    ['text without spaces', '仓库在写入后恢复'.repeat(40)],
    ['characters of several units', '😀🎉'.repeat(200)],
    ['an end with many tokens', `${textOfTokens(300)}${'仓库在写入后恢复'.repeat(40)}`],
  ])('never exceeds the requested tokens: %s', async (_name, text) => {
    const [clip] = await clipTexts([said('m1', text)], sizes, 'long', meter);
    expect(await meter.countText(textOf(clip))).toBeLessThanOrEqual(50);
    expect(textOf(clip)).toMatch(/characters left out; recall\("m1"\)/);
  });

  it('leaves a text unchanged if it is within the limit or cannot be shortened', async () => {
    expect(await clipTexts([said('m1', textOfTokens(100))], sizes, 'long', meter)).toEqual([]);
    expect(await clipTexts([said('m1', textOfTokens(300))], { over: 100, to: 5 }, 'long', meter)).toEqual([]);
  });

  it.each([
    ['one long text', { output: textOfTokens(300), exit: 0 }],
    ['many rows', Array.from({ length: 200 }, (_, row) => ({ row, name: `name of ${row}` }))],
  ])('keeps JSON valid: %s', async (_name, value) => {
    const [clip] = await clipTexts([said('m1', JSON.stringify(value))], sizes, 'long', meter);
    expect(await meter.countText(textOf(clip))).toBeLessThanOrEqual(50);
    expect(JSON.stringify(JSON.parse(textOf(clip)))).toContain('recall(');
  });

  it('keeps pictures next to a clipped text', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:' } };
    const content = [{ type: 'text', text: textOfTokens(300) }, picture];
    const [clip] = await clipTexts([{ ...said('m1', ''), content }], sizes, 'long', meter);
    expect(clip!.content).toEqual([
      { type: 'text', text: expect.stringContaining('recall("m1")') as string },
      picture,
    ]);
  });
});
