import { describe, expect, it } from 'vitest';
import { clipCallArguments } from '../../../../src/compaction/strategies/steps/argument-clips.ts';
import { createMeter } from '../../../support/engine.ts';
import { called, textOfTokens } from '../../../support/messages.ts';

const meter = await createMeter();

describe('clipping arguments', () => {
  const sizes = { over: 100, to: 50 };

  it('shortens only the overlong calls of a message', async () => {
    const message = called(
      'm1',
      ['a', 'write', { text: textOfTokens(300) }],
      ['b', 'write', { text: 'short' }],
    );
    const [clip] = await clipCallArguments([message], sizes, 'long', meter);
    expect(await meter.countText(clip!.toolCalls![0]!.function.arguments)).toBeLessThanOrEqual(50);
    expect(clip!.toolCalls![1]).toEqual(message.tool_calls![1]);
  });

  it('leaves arguments that are not JSON unchanged', async () => {
    const [call] = called('m1', ['a', 'write']).tool_calls!;
    const broken = { ...call!, function: { name: 'write', arguments: `{"text": "${textOfTokens(300)}` } };
    const message = { ...called('m1'), tool_calls: [broken] };
    expect(await clipCallArguments([message], sizes, 'long', meter)).toEqual([]);
  });
});
