import { expect, it } from 'vitest';
import { Conversation } from '../../src/library/conversation.ts';
import { readTranscript, withForeignCompactions } from '../../src/library/foreign-transcripts.ts';
import { none } from '../../src/compaction/strategies/none.ts';

it('a compaction of another agent can be compared and undone', async () => {
  const file = {
    messages: [
      { role: 'user', content: 'Read src/lock.ts.' },
      { role: 'assistant', content: 'It holds a lock.' },
      { role: 'user', content: 'Go on.' },
    ],
    compactions: [{ beforeMessageIndex: 2, summary: 'A file was read.' }],
  };
  const entries = await withForeignCompactions(readTranscript(JSON.stringify(file)));
  const conversation = new Conversation({ strategy: none, budget: { window: 1_000 }, entries });
  expect(conversation.view).toHaveLength(2);
  expect(conversation.diff('c1')[0]?.sources.map(({ content }) => content)).toEqual([
    'Read src/lock.ts.',
    'It holds a lock.',
  ]);
  await conversation.undo('c1');
  expect(conversation.view).toHaveLength(3);
});

it.each([null, undefined, new Uint8Array(2), []])('readTranscript rejects %j', (given) => {
  expect(() => readTranscript(given as never)).toThrow('The text of a transcript must be a string');
});
