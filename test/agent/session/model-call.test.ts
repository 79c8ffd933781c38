import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/agent/model/chat-model.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { SessionHarness } from './session-harness.ts';

describe('a model call', () => {
  /** Counts one token per character. */
  const counter = {
    count: (texts: readonly string[]) => Promise.resolve(texts.map(({ length }) => length)),
  };
  const meter = new UsageMeter(counter, { countsReasoning: true });
  let harness: SessionHarness;

  beforeEach(async () => {
    harness = await SessionHarness.start(meter);
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  it('records the model that answered, and keeps it when the chat is reopened', async () => {
    harness.server.reply({ text: 'Hello.' });
    await harness.session.send('hi');
    expect(harness.reopen().transcript.view.at(-1)).toMatchObject({ content: 'Hello.', modelId: 'scripted' });
  });

  it('does not reveal earlier models to a provider', async () => {
    harness.server.reply({ text: 'Hello.' }, { text: 'Again.' });
    await harness.session.send('hi');
    await harness.session.send('and?');
    const { messages } = (await harness.server.request(1)).body;
    expect(messages.find(({ role }) => role === 'assistant')).toEqual({
      role: 'assistant',
      content: 'Hello.',
    });
  });

  it('keeps the text of a stream that ends early', async () => {
    const unfinished: ChatModel = {
      id: 'unfinished',
      label: 'Unfinished',
      window: undefined,
      summarise: () => Promise.reject(new Error('not asked to')),
      async *stream() {
        yield await Promise.resolve({ type: 'text-delta', text: 'Half an ans' } as const);
      },
    };
    const session = harness.open(
      { title: undefined, entries: [], tools: [], lastTurn: undefined },
      { models: () => Promise.resolve({ chat: unfinished, named: () => unfinished }) },
    );
    await session.send('hi');
    expect(session.lastTurn).toMatchObject({ outcome: 'failed' });
    expect(session.transcript.view.at(-1)).toMatchObject({ content: 'Half an ans', interrupted: true });
  });
});
