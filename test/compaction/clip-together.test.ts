import { beforeAll, describe, expect, it } from 'vitest';
import { clipMessageText, clipTogether } from '../../src/compaction/clip-together.ts';
import { textOf, type Message } from '../../src/compaction/message.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { createMeter } from '../support/engine.ts';
import { called, result, textOfTokens, typed } from '../support/messages.ts';

describe('clipping', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const together = async (messages: readonly Message[], room: number) => {
    const usages = await meter.measureEach(messages);
    const sizes = new Map(messages.map(({ id }, index) => [id, usages[index]!.total]));
    return clipTogether(messages, room, sizes, 'test', meter);
  };

  describe('one text', () => {
    it('leaves head and tail and says how to get the rest', async () => {
      const clipped = await clipMessageText(typed('m1', textOfTokens(1_000)), 100, meter);
      expect(clipped).toMatch(/^one two[^]*recall\("m1"\) returns all of it[^]*nine ten$/);
      expect(await meter.countText(clipped!)).toBeLessThanOrEqual(100);
    });

    it.each([
      ['there is room for next to nothing', textOfTokens(1_000), 20],
      ['the marker would not fit', '\u{1F9EC}'.repeat(1_000), 64],
    ])('leaves it where %s', async (_name, text, tokens) => {
      expect(await clipMessageText(typed('m1', text), tokens, meter)).toBeUndefined();
    });
  });

  describe('texts together', () => {
    const exchange = [
      called('m1', ['a', 'bash'], ['b', 'bash']),
      result('m2', 'a', textOfTokens(50)),
      result('m3', 'b', textOfTokens(2_000)),
    ];

    it('leaves alone what is smaller than its share', async () => {
      const clips = await together(exchange, 400);
      expect(clips?.map(({ id }) => id)).toEqual(['m3']);
    });

    it('comes down to the room', async () => {
      const clips = (await together(exchange, 400)) ?? [];
      const after = exchange.map((message) => {
        const clip = clips.find(({ id }) => id === message.id);
        return clip === undefined ? message : { ...message, content: textOf(clip.content!) };
      });
      const { total } = await meter.measure(after);
      expect(total).toBeLessThanOrEqual(400);
      expect(total).toBeGreaterThan(300);
    });

    it('cuts what its tool had cut only where nothing else helps', async () => {
      const cut = (message: Message): Message => ({ ...message, truncation: { fate: 'tool' } });
      const [caller, small, large] = exchange;
      const other = result('m3', 'b', textOfTokens(500));
      const clips = await together([caller!, cut(result('m2', 'a', textOfTokens(300))), other], 500);
      expect(clips?.map(({ id }) => id)).toEqual(['m3']);
      expect((await together([caller!, small!, cut(large!)], 400))?.map(({ id }) => id)).toEqual(['m3']);
    });

    it('gives up where there is no room for them', async () => {
      expect(await together(exchange, 100)).toBeUndefined();
    });

    it('does not clip a second time', async () => {
      const clipped = { ...exchange[2]!, truncation: { fate: 'clip', originalTokens: 9_000 } } as const;
      expect(await together([exchange[0]!, exchange[1]!, clipped], 400)).toBeUndefined();
    });
  });
});
