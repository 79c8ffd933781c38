import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { middleTruncation } from '../../../src/compaction/strategies/middle-truncation.ts';
import { describeContract } from '../../contract/any-history.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

describe('middle-truncation', () => {
  const truncated = async (view: readonly Message[], maxChars: number, keep = 'ends') => {
    const record = (
      await runCompaction({ view, strategy: middleTruncation, options: { maxChars, keep } }, meter)
    )[0]!;
    return viewAfter(view, record);
  };
  const resultOf = async (text: string, maxChars: number, keep?: string) => {
    const view = [typed('m1', 'go'), called('m2', ['a', 'bash']), result('m3', 'a', text)];
    return textOf((await truncated(view, maxChars, keep))[2]!.content);
  };

  it('keeps a text within the limit', async () => {
    const text = 'x'.repeat(500);
    expect(await resultOf(text, 500)).toBe(text);
  });

  it('keeps both ends of a longer text, around a marker that explains recall', async () => {
    const text = await resultOf(`begin ${'x'.repeat(5_000)} end`, 600);
    expect(text).toMatch(/^begin x+\n\[… \d+ characters left out; recall\("m3"\)[^]*\nx+ end$/);
  });

  it('keeps only the beginning if the option is set', async () => {
    const text = await resultOf(`begin ${'x'.repeat(5_000)} end`, 600, 'beginning');
    expect(text).toMatch(/^begin x+\n\[… \d+ characters left out; recall\("m3"\)[^]*\]\n$/);
    expect(text.length).toBeLessThanOrEqual(600);
  });

  it('does not cut a result that the tool itself already cut', async () => {
    const text = 'x'.repeat(5_000);
    const cut: Message = { ...result('m3', 'a', text), truncation: { fate: 'tool' } };
    const view = [typed('m1', 'go'), called('m2', ['a', 'bash']), cut];
    expect((await truncated(view, 600))[2]!.content).toBe(text);
  });

  it('never exceeds the limit or splits a surrogate pair', async () => {
    const pieces = fc.constantFrom('😀', 'x', '\n', '仓库', '"', '{', '\\');
    const texts = fc.array(pieces, { minLength: 300, maxLength: 2_000 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 500, max: 900 }), async (text, maxChars) => {
        const after = await resultOf(text, maxChars);
        expect(after.length).toBeLessThanOrEqual(maxChars);
        expect(after).not.toMatch(/\p{Surrogate}/u);
      }),
      { numRuns: 60 },
    );
  });

  describe('keeps the JSON valid', () => {
    it.each([
      ['of a result', JSON.stringify({ output: textOfTokens(2_000), exit: 0 })],
      ['of a formatted result', JSON.stringify({ output: textOfTokens(2_000), exit: 0 }, undefined, 2)],
    ])('%s', async (_name, text) => {
      const after = await resultOf(text, 1_000);
      expect(after.length).toBeLessThanOrEqual(1_000);
      expect(JSON.parse(after)).toEqual({
        output: expect.stringContaining('recall("m3")') as string,
        exit: 0,
      });
    });

    it.each([
      ['long because of one text', { path: 'a.ts', content: 'x'.repeat(5_000) }],
      ['long because of many numbers', { values: Array.from({ length: 3_000 }, (_, index) => index) }],
      ['long because of many quotation marks', { values: Array.from({ length: 3_000 }, () => '"\\') }],
    ])('of arguments that are %s', async (_name, input) => {
      const view = [
        typed('m1', 'go'),
        called('m2', ['a', 'write_file', input]),
        result('m3', 'a', 'written'),
      ];
      const json = (await truncated(view, 1_000))[1]!.tool_calls![0]!.function.arguments;
      expect(json.length).toBeLessThanOrEqual(1_000);
      expect(JSON.parse(json)).toBeTypeOf('object');
      expect(json).toContain('characters left out');
    });
  });

  it('cuts arguments to the limit, even if they are not JSON', async () => {
    const call = called('m2', ['a', 'bash']);
    const broken: Message = {
      ...call,
      tool_calls: [
        { ...call.tool_calls![0]!, function: { name: 'bash', arguments: '\u0001'.repeat(5_000) } },
      ],
    };
    const [, after] = await truncated([typed('m1', 'go'), broken, result('m3', 'a', 'ok')], 1_000);
    expect(after!.tool_calls![0]!.function.arguments.length).toBeLessThanOrEqual(1_000);
  });

  it('cuts each text of a message with several parts, and leaves pictures unchanged', async () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const view: readonly Message[] = [
      { ...said('m1', ''), content: [{ type: 'text', text: 'x'.repeat(5_000) }, picture] },
      typed('m2', 'go'),
    ];
    const [after] = await truncated(view, 600);
    expect(after!.content).toEqual([
      { type: 'text', text: expect.stringContaining('recall("m1")') as string },
      picture,
    ]);
  });

  it('leaves the newest request and already shortened messages unchanged', async () => {
    const text = 'x'.repeat(5_000);
    const view = [
      { ...said('m1', text), truncation: { fate: 'clip', originalTokens: 9_000 } } as const,
      typed('m2', text),
    ];
    expect(await truncated(view, 600)).toBe(view);
  });

  it('halves the limit if the request would not fit otherwise', async () => {
    const view = [typed('m1', 'go'), said('m2', textOfTokens(3_000)), said('m3', textOfTokens(3_000))];
    const record = (
      await runCompaction({ view, strategy: middleTruncation, requirement: 'hard', target: 1_500 }, meter)
    )[0]!;
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'middle-truncation' });
  });

  it('stops halving the limit once the request fits, even if the removed text has many tokens', async () => {
    const loose = fc.integer({ min: 300, max: 3_000 }).map((length) => 'one two '.repeat(length / 8));
    const dense = fc.integer({ min: 300, max: 600 }).map((length) => '{\n}'.repeat(length));
    const texts = fc.array(fc.tuple(loose, dense, loose), { minLength: 1, maxLength: 3 });
    const tokensOf = async (messages: readonly Message[]) => (await meter.measure(messages)).total;
    await fc.assert(
      fc.asyncProperty(texts, fc.double({ min: 0, max: 0.9, noNaN: true }), async (parts, share) => {
        const answers = parts.map((part, index) => said(`m${index + 2}`, part.join('')));
        const view = [typed('m1', 'go'), ...answers];
        const least = await tokensOf(await truncated(view, 500));
        const target = least + Math.floor(share * ((await tokensOf(view)) - least));
        const limits = [4_000, 2_000, 1_000, 500];
        const halved = await Promise.all(limits.map((limit) => truncated(view, limit)));
        const sizes = await Promise.all(halved.map(tokensOf));
        const choice = { strategy: middleTruncation, options: { maxChars: limits[0] } } as const;
        const [record] = await runCompaction({ view, ...choice, requirement: 'hard', target }, meter);
        expect(viewAfter(view, record!)).toEqual(halved[sizes.findIndex((size) => size <= target)]);
      }),
      { numRuns: 40 },
    );
  });

  describeContract(middleTruncation, { maxChars: 500 });
});
