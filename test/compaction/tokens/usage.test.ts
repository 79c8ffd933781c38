import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds, withContent } from '../../../src/compaction/messages/message.ts';
import type { TextCounter } from '../../../src/compaction/tokens/token-counter.ts';
import { framingTokens, sum, UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { unknownImageTokens } from '../../../src/compaction/images/image-tokens.ts';
import { histories } from '../../support/histories.ts';
import { called, memory, reminder, result, said, system, typed } from '../../support/messages.ts';

/** Counts one token per character, which is easy to predict. */
class CharacterCounter implements TextCounter {
  calls = 0;
  count(texts: readonly string[]): Promise<readonly number[]> {
    this.calls++;
    return Promise.resolve(texts.map((text) => text.length));
  }
}

const meterOf = (counter: TextCounter) => new UsageMeter(counter, { countsReasoning: true });

describe('UsageMeter', () => {
  it('assigns the tokens of each message to its kind', async () => {
    const { byKind } = await meterOf(new CharacterCounter()).measure([
      system('m1', 'four'),
      memory('m2', 'three'),
      typed('m3', 'hi'),
      reminder('m4', 'now'),
      said('m5', 'ok'),
    ]);
    expect(byKind).toMatchObject({
      system: 4 + framingTokens,
      memory: 5 + framingTokens,
      user: 2 + framingTokens,
      reminder: 3 + framingTokens,
      assistant: 2 + framingTokens,
    });
  });

  it('counts parts that an agent added to a typed message as a reminder, also after a change', async () => {
    const part = (text: string) => ({ type: 'text', text }) as const;
    const message = {
      ...typed('m1', ''),
      content: [part('<now>late</now>'), part('Go.'), part('<hint>')],
      typed: [{ start: 16, end: 19 }],
    };
    const meter = meterOf(new CharacterCounter());
    const usage = await meter.measure([message]);
    expect(usage.byKind).toMatchObject({ user: 3 + framingTokens, reminder: 15 + 6 });
    const content = [part('<now>'), part('Go.')];
    const [changed] = await meter.measureChanged([{ message, usage, content }]);
    expect(changed).toEqual(await meter.measure([withContent(message, content)]));
    expect(changed?.total).toBe(5 + 3 + framingTokens);
  });

  it('splits an assistant message into text, reasoning and calls', async () => {
    const message = { ...called('m1', ['a', 'read']), content: 'look', reasoning: 'hmm' };
    const { byKind, total } = await meterOf(new CharacterCounter()).measure([message]);
    expect(byKind.assistant).toBe(4 + framingTokens);
    expect(byKind.reasoning).toBe(3);
    expect(byKind.toolCall).toBe('read'.length + '{}'.length);
    expect(total).toBe(4 + framingTokens + 3 + 6);
  });

  it('does not count reasoning that is not sent back', async () => {
    const meter = new UsageMeter(new CharacterCounter(), { countsReasoning: false });
    const { byKind } = await meter.measure([{ ...said('m1', 'ok'), reasoning: 'long thoughts' }]);
    expect(byKind.reasoning).toBe(0);
  });

  it('counts an image of unknown size as a medium-sized image', async () => {
    const message = { ...typed('m1', ''), content: [{ type: 'text', text: 'see' }, { type: 'image_url' }] };
    const { total } = await meterOf(new CharacterCounter()).measure([message]);
    expect(total).toBe(3 + unknownImageTokens + framingTokens);
  });

  it('counts tool schemas in the JSON form in which they are sent', async () => {
    const tools = [{ type: 'function', function: { name: 'read_file' } }] as const;
    const usage = await meterOf(new CharacterCounter()).measureTools(tools);
    expect(usage.byKind.tools).toBe(JSON.stringify(tools).length);
  });

  it('counts the same tools only once, and other tools anew', async () => {
    const counter = new CharacterCounter();
    const meter = meterOf(counter);
    const tools = [{ type: 'function', function: { name: 'read_file' } }] as const;
    const first = await meter.measureTools(tools);
    expect(await meter.measureTools(tools)).toEqual(first);
    expect(counter.calls).toBe(1);
    await meter.measureTools([...tools]);
    expect(counter.calls).toBe(2);
  });

  it('counts a whole history at once, and known messages only once', async () => {
    const counter = new CharacterCounter();
    const meter = meterOf(counter);
    const history = [typed('m1', 'hello'), called('m2', ['a', 'x']), result('m3', 'a', 'out')];
    await meter.measure(history);
    await meter.measure(history);
    expect(counter.calls).toBe(1);
    await meter.measure([...history, said('m4', 'done')]);
    expect(counter.calls).toBe(2);
  });

  it('has kinds that add up to the exact total, for every message and history', async () => {
    const meter = meterOf(new CharacterCounter());
    await fc.assert(
      fc.asyncProperty(histories, async ({ messages }) => {
        const each = await meter.measureEach(messages);
        for (const usage of [...each, sum(each)]) {
          expect(kinds.reduce((total, kind) => total + usage.byKind[kind], 0)).toBe(usage.total);
        }
        expect(sum(each).total).toBe(each.reduce((total, usage) => total + usage.total, 0));
      }),
    );
  });
});
