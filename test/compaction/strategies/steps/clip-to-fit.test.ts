import { describe, expect, it } from 'vitest';
import {
  clipMessageText,
  clipTogether,
  clipToFit,
} from '../../../../src/compaction/strategies/steps/clip-to-fit.ts';
import { textOf, type ContentPart, type Message } from '../../../../src/compaction/messages/message.ts';
import { createMeter } from '../../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

describe('clipping', () => {
  const together = (messages: readonly Message[], room: number) =>
    clipTogether(messages, room, 'test', meter);

  describe('of one text', () => {
    it('keeps both ends of the text, with a marker that explains recall', async () => {
      const clipped = await clipMessageText(typed('m1', textOfTokens(1_000)), 100, meter);
      expect(clipped).toMatch(/^one two[^]*recall\("m1"\) returns all of it[^]*nine ten$/);
      expect(await meter.countText(clipped!)).toBeLessThanOrEqual(100);
    });

    it('clips nothing if there is almost no room', async () => {
      expect(await clipMessageText(typed('m1', textOfTokens(1_000)), 20, meter)).toBeUndefined();
    });

    it('explains recall even if every character takes several tokens', async () => {
      const clipped = await clipMessageText(typed('m1', '\u{1F9EC}'.repeat(1_000)), 64, meter);
      expect(clipped).toMatch(/^\u{1F9EC}+\n\[…[^]*recall\("m1"\)[^]*\]\n\u{1F9EC}+$/u);
      expect(await meter.countText(clipped!)).toBeLessThanOrEqual(64);
    });
  });

  describe('of several texts', () => {
    const exchange = [
      called('m1', ['a', 'bash'], ['b', 'bash']),
      result('m2', 'a', textOfTokens(50)),
      result('m3', 'b', textOfTokens(2_000)),
    ];

    it('leaves texts within their share of the room unchanged', async () => {
      const clips = await together(exchange, 400);
      expect(clips?.map(({ id }) => id)).toEqual(['m3']);
    });

    it('clips the texts until they fit', async () => {
      const clips = (await together(exchange, 400)) ?? [];
      const after = exchange.map((message) => {
        const clip = clips.find(({ id }) => id === message.id);
        return clip === undefined ? message : { ...message, content: textOf(clip.content!) };
      });
      const { total } = await meter.measure(after);
      expect(total).toBeLessThanOrEqual(400);
      expect(total).toBeGreaterThan(300);
    });

    it('cuts a text that the tool already cut only as a last resort', async () => {
      const cut = (message: Message): Message => ({ ...message, truncation: { fate: 'tool' } });
      const [caller, small, large] = exchange;
      const other = result('m3', 'b', textOfTokens(500));
      const clips = await together([caller!, cut(result('m2', 'a', textOfTokens(300))), other], 500);
      expect(clips?.map(({ id }) => id)).toEqual(['m3']);
      expect((await together([caller!, small!, cut(large!)], 400))?.map(({ id }) => id)).toEqual(['m3']);
    });

    it('clips nothing if there is not enough room', async () => {
      expect(await together(exchange, 100)).toBeUndefined();
    });

    it('does not clip a text a second time', async () => {
      const clipped = { ...exchange[2]!, truncation: { fate: 'clip', originalTokens: 9_000 } } as const;
      expect(await together([exchange[0]!, exchange[1]!, clipped], 400)).toBeUndefined();
    });
  });

  describe('of texts, arguments and images', () => {
    const withImage = (id: string, text: string): Message => ({
      ...typed(id, ''),
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    });
    const fit = async (messages: readonly Message[], room: number) => {
      const { clips, tokens } = await clipToFit(
        messages,
        room,
        { mayClip: () => true, reason: 'test' },
        meter,
      );
      const after = messages.map((message): Message => {
        const { content, toolCalls } = clips?.find(({ id }) => id === message.id) ?? {};
        return {
          ...message,
          ...(content === undefined ? {} : { content }),
          ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
        };
      });
      const { total } = await meter.measure(after);
      return { clips, tokens, after, total };
    };
    const writing = {
      ...called('m1', ['a', 'write_file', { path: 'src/big.ts', content: textOfTokens(3_000) }]),
      content: textOfTokens(600),
    };

    it('clips long arguments, and leaves a shorter text of the same message unchanged', async () => {
      const { after, tokens, total } = await fit([writing], 1_500);
      expect(tokens).toBe(total);
      expect(total).toBeLessThanOrEqual(1_500);
      expect(after[0]!.content).toBe(writing.content);
      const written = JSON.parse(after[0]!.tool_calls![0]!.function.arguments) as Record<string, string>;
      expect(written['path']).toBe('src/big.ts');
      expect(written['content']).toMatch(/^one two[^]*characters left out[^]*nine ten$/);
    });

    it('cuts a command only as a last resort', async () => {
      const command = `echo ${'x y '.repeat(60)}`;
      const running = called('m1', ['a', 'bash', { command, note: textOfTokens(900) }]);
      const argumentsAt = async (room: number) =>
        JSON.parse((await fit([running], room)).after[0]!.tool_calls![0]!.function.arguments) as object;
      expect(await argumentsAt(300)).toMatchObject({ command });
      expect(await argumentsAt(100)).not.toMatchObject({ command });
    });

    it('clips unfinished arguments of a cut-off reply', async () => {
      const [call] = writing.tool_calls!;
      const json = call!.function.arguments.slice(0, -10);
      const open = {
        ...writing,
        tool_calls: [{ ...call!, function: { ...call!.function, arguments: json } }],
      };
      expect((await fit([open], 1_500)).total).toBeLessThanOrEqual(1_500);
    });

    it('clips arguments as a whole if no text in them is long', async () => {
      const numbers = Array.from({ length: 3_000 }, (_, index) => index);
      const { after, total } = await fit([called('m1', ['a', 'plot', { numbers }])], 500);
      expect(total).toBeLessThanOrEqual(500);
      const [call] = after[0]!.tool_calls!;
      expect(JSON.parse(call!.function.arguments)).toEqual({
        clipped: expect.stringMatching(/^\{"numbers":\[0,1,[^]*characters left out[^]*2999\]\}$/) as string,
      });
    });

    it('keeps an image while clipping texts is enough', async () => {
      const { after, total } = await fit([withImage('m1', textOfTokens(2_000))], 1_000);
      expect(total).toBeLessThanOrEqual(1_000);
      expect(after[0]!.content).toMatchObject([{ type: 'text' }, { type: 'image_url' }]);
    });

    it('removes the oldest images first, and no more than necessary', async () => {
      const { after, total } = await fit([withImage('m1', 'before'), withImage('m2', 'after')], 900);
      expect(total).toBeLessThanOrEqual(900);
      expect(after[0]!.content).toMatchObject([
        { text: 'before' },
        { type: 'text', text: '[image left out]' },
      ]);
      expect(after[1]!.content).toMatchObject([{ text: 'after' }, { type: 'image_url' }]);
    });

    it('states how many images were removed from a message', async () => {
      const [text, image] = withImage('m1', 'look').content as readonly ContentPart[];
      const { after } = await fit([{ ...typed('m1', ''), content: [text!, image!, image!, image!] }], 900);
      expect(after[0]!.content).toEqual([text, { type: 'text', text: '[2 images left out]' }, image]);
    });

    it('returns the smallest possible size if the messages cannot fit', async () => {
      const { clips, tokens } = await fit([writing, typed('m2', 'short')], 50);
      expect(clips).toBeUndefined();
      expect(tokens).toBeGreaterThan(50);
      expect((await fit([writing, typed('m2', 'short')], tokens)).total).toBeLessThanOrEqual(tokens);
    });
  });
});
