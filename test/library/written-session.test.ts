import { expect, it } from 'vitest';
import { Conversation } from '../../src/library/conversation.ts';
import { sessionLine, sessionText } from '../../src/library/written-session.ts';
import { toolResultHiding } from '../../src/compaction/strategies/tool-result-hiding.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';

const start = { id: 'chat', createdAt: '2026-01-01T00:00:00.000Z' };
const tools = [{ type: 'function', function: { name: 'read_file' } }] as const;

it('a conversation is read back unchanged from its session file', async () => {
  const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 1_000 } });
  await conversation.append({ role: 'user', content: 'Hello.' }, { role: 'assistant', content: 'Good day.' });
  await conversation.compact();
  const read = importTranscript(sessionText({ ...start, tools }, conversation.entries));
  expect(read).toMatchObject({ format: 'session', problems: [], tools });
  expect(read.entries).toEqual(conversation.entries);
});

it('sessionLine writes the lines of the file that sessionText returns', async () => {
  let text = sessionText(start, []);
  const conversation = new Conversation({
    strategy: toolResultHiding,
    budget: { window: 1_000 },
    onEntry: (entry) => {
      text += sessionLine(entry);
    },
  });
  await conversation.append({ role: 'user', content: 'Two\nlines.' });
  expect(text).toBe(sessionText(start, conversation.entries));
});

it.each([undefined, {}, { id: 'chat' }, { ...start, id: '' }, { ...start, createdAt: 'today' }])(
  'sessionText rejects an invalid id or time: %j',
  (wrong) => {
    expect(() => sessionText(wrong as never, [])).toThrow('A session needs an id and a createdAt');
  },
);
