import { beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { indexedPassages } from '../../../src/compaction/retrieval/kept-index.ts';
import { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { said, typed } from '../../support/messages.ts';

describe('the kept search index', () => {
  let counted: string[];
  beforeEach(() => {
    counted = [];
  });

  const meterOf = (vocabulary: string | undefined) =>
    new UsageMeter(
      {
        count: (texts) => {
          counted.push(...texts);
          return Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));
        },
      },
      { countsReasoning: true, vocabulary },
    );
  const never = () => {};
  const ask = (messages: readonly Message[], vocabulary = 'o200k_base', tokens = 100) =>
    indexedPassages(messages, tokens, meterOf(vocabulary), never);
  const idsOf = (passages: readonly { readonly messageId: string }[]) =>
    passages.map(({ messageId }) => messageId);

  const history = () => [typed('m1', 'why does the lock hang?'), said('m2', 'the lock is a folder')] as const;

  it('reads each message once', async () => {
    const messages = history();
    await ask(messages);
    counted = [];
    expect(idsOf((await ask([...messages])).index.search('folder', 5))).toEqual(['m2']);
    expect(counted).toEqual([]);
  });

  it('reads only the messages added later', async () => {
    const messages = history();
    await ask(messages);
    counted = [];
    const { passages, index } = await ask([...messages, said('m3', 'a folder left behind')]);
    expect(counted).toEqual(['a folder left behind']);
    expect(idsOf(passages)).toEqual(['m1', 'm2', 'm3']);
    expect(idsOf(index.search('folder', 5)).toSorted()).toEqual(['m2', 'm3']);
  });

  it('starts again if a message is missing', async () => {
    const [first, second] = history();
    const third = said('m3', 'a folder left behind');
    await ask([first, second, third]);
    expect(idsOf((await ask([first, third])).index.search('folder', 5))).toEqual(['m3']);
    expect(idsOf((await ask([first, second])).index.search('folder', 5))).toEqual(['m2']);
  });

  it('starts again if the passage size or the tokenizer changes', async () => {
    const messages = history();
    await ask(messages);
    counted = [];
    await ask(messages, 'o200k_base', 50);
    await ask(messages, 'cl100k_base', 50);
    expect(counted).toHaveLength(4);
  });

  it('is not kept if the token counter has no name', async () => {
    const messages = history();
    await indexedPassages(messages, 100, meterOf(undefined), never);
    counted = [];
    await indexedPassages(messages, 100, meterOf(undefined), never);
    expect(counted).toHaveLength(2);
  });

  it('is not kept if it is unfinished', async () => {
    const messages = history();
    const cancelled = indexedPassages(messages, 100, meterOf('o200k_base'), () => {
      throw new Error('cancelled');
    });
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(idsOf((await ask(messages)).passages)).toEqual(['m1', 'm2']);
  });

  it('is replaced by the index of another session', async () => {
    const messages = history();
    await ask(messages);
    await ask(history());
    counted = [];
    await ask(messages);
    expect(counted).toHaveLength(2);
  });

  it('is shared by two concurrent searches', async () => {
    const messages = history();
    const both = await Promise.all([ask(messages), ask(messages)]);
    expect(both.map(({ passages }) => idsOf(passages))).toEqual([
      ['m1', 'm2'],
      ['m1', 'm2'],
    ]);
  });
});
