import { describe, expect, it } from 'vitest';
import { formatIds, importTranscript } from '../../src/transcripts/import.ts';

const lines = (...events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');
const message = { role: 'user', content: 'hi' };
const createdAt = '2026-01-01T00:00:00.000Z';

/** The smallest file of each format that can be told from the others. */
const files = {
  session: lines(
    { type: 'session', version: 1, id: 's1', createdAt },
    { type: 'message', message: { ...message, id: 'm1', origin: 'person', createdAt } },
  ),
  openai: lines([message]),
  'claude-code': lines({ parentUuid: null, sessionId: 's1', type: 'user', message }),
  codex: lines({ type: 'response_item', payload: { type: 'message', ...message } }),
  pi: lines({ type: 'session', id: 's1', cwd: '/work' }, { type: 'message', message }),
  openhands: lines({
    instance_id: 'i1',
    history: [{ id: 0, source: 'user', action: 'message', args: { content: 'hi' } }],
  }),
  litellm: lines({ messages: [message], response: {}, latency_sec: 1 }),
  'gemini-cli': lines({ sessionId: 's1', projectHash: 'h1' }, { id: 'g1', type: 'user', content: 'hi' }),
};

describe('recognising formats', () => {
  it.each(Object.entries(files))('knows a file of %s', (format, text) => {
    const { entries } = importTranscript(text);
    expect(entries).toMatchObject([{ type: 'message', message: { role: 'user', content: 'hi' } }]);
    expect(entries).toEqual(importTranscript(text, format).entries);
  });

  it('is not misled by what a conversation is about', () => {
    for (const [format, content] of Object.entries(files)) {
      const text = JSON.stringify({ messages: [{ role: 'user', content }] });
      expect(importTranscript(text).entries, format).toMatchObject([{ message: { content } }]);
    }
  });

  it('has an id for each format', () => {
    expect([...formatIds].sort()).toEqual([
      'aider',
      'chat-replay',
      'claude-code',
      'cline',
      'cline-task',
      'codex',
      'gemini-cli',
      'litellm',
      'openai',
      'openhands',
      'pi',
      'session',
      'specstory',
      'swe-agent',
      'tau-bench',
    ]);
  });
});
