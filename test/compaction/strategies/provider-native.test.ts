import { describe, expect, it } from 'vitest';
import { toChatMessage, type Message } from '../../../src/compaction/messages/message.ts';
import { providerNative } from '../../../src/compaction/strategies/provider-native.ts';
import type { NativeCompaction, SummaryModel } from '../../../src/compaction/summary/summary-model.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const view: readonly Message[] = [
  typed('m1', 'look around'),
  ...Array.from({ length: 20 }, (_, index) => [
    called(`c${index}`, ['a', 'read_file', { path: `src/file-${index}.ts` }]),
    result(`r${index}`, 'a', textOfTokens(500)),
  ]).flat(),
];

describe('provider-native', () => {
  const run = async (model: SummaryModel) =>
    (await runCompaction({ view, strategy: providerNative, model, target: 4_000 }, meter))[0]!;
  const withNative = (compactNatively: () => Promise<NativeCompaction>) =>
    Object.assign(new SummaryModelDouble('<discussion>notes</discussion>'), { compactNatively });
  const sealed = { item: { endpoint: 'https://api.example/v1', content: 'sealed' } };

  it('replaces messages with an opaque item from the provider and with the facts', async () => {
    const record = await run(withNative(() => Promise.resolve(sealed)));
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'provider-native' });
    const [output] = record.outputs;
    expect(output).toMatchObject({ kind: 'summary', opaque: sealed.item });
    expect(output!.content).toContain('cannot be inspected');
    expect(output!.content).toContain('src/file-0.ts');
    expect(record.warnings).toEqual(['The content that the provider kept cannot be inspected.']);
  });

  it('does not send the opaque item to other endpoints', async () => {
    const record = await run(withNative(() => Promise.resolve(sealed)));
    const after = applyRecord(view, record).map(toChatMessage);
    expect(JSON.stringify(after)).not.toContain('sealed');
  });

  it.each([
    [
      'the endpoint has no native compaction',
      new SummaryModelDouble('<discussion>notes</discussion>'),
      {
        message: 'double does not support native compaction.',
        sentence: { key: 'strategies.noNativeCompaction', values: { model: 'double' } },
      },
    ],
    [
      'the endpoint refuses',
      withNative(() => Promise.reject(new Error('404 unknown path'))),
      { message: '404 unknown path' },
    ],
  ])('falls back to the ladder if %s, and records why', async (_name, model, said) => {
    const record = await run(model);
    expect(record).toMatchObject({
      status: 'applied',
      requestedStrategy: 'provider-native',
      actualStrategy: 'ladder',
    });
    expect(record.tiers[0]).toEqual({
      strategy: 'provider-native',
      status: 'failed',
      reason: { code: 'no-native-compaction', ...said },
    });
    expect(record.after.tokens).toBeLessThanOrEqual(4_000);
  });

  it('frees everything else if protected messages exceed the target', async () => {
    const history = [...view, typed('m2', textOfTokens(5_000))];
    const model = new SummaryModelDouble('<discussion>notes</discussion>');
    const [record] = await runCompaction(
      { view: history, strategy: providerNative, model, target: 4_000 },
      meter,
    );
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'ladder', warnings: [] });
    expect(record!.after.tokens).toBeLessThan(6_500);
    expect(applyRecord(history, record!).at(-1)).toBe(history.at(-1));
  });
});
