import { describe, expect, it } from 'vitest';
import { toChatMessage } from '../../../src/compaction/messages/message.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../../src/library/foreign-transcripts.ts';

const read = (document: unknown) => importTranscript(JSON.stringify(document));
const messages = (document: unknown) => messagesOf(read(document).transcript);

describe('importing OpenAI messages', () => {
  it('accepts an array, or an object with messages and tools', () => {
    const list = [{ role: 'user', content: 'hi' }];
    const tools = [{ type: 'function', function: { name: 'read_file' } }];
    expect(messages(list)).toMatchObject([{ id: 'm1', role: 'user', content: 'hi', origin: 'person' }]);
    expect(read({ messages: list, tools }).tools).toEqual(tools);
  });

  it('returns messages unchanged', () => {
    const list = [
      { role: 'system', content: 'rules' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '{"a":' } }],
      },
      { tool_call_id: 'a', role: 'tool', name: 'x', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:x' } },
        ],
      },
    ];
    expect(JSON.stringify(messages(list).map(toChatMessage))).toBe(JSON.stringify(list));
  });

  it("recognises a program's text by the notes of the file or by the text's beginning", () => {
    const list = [
      { role: 'user', content: 'typed' },
      { role: 'user', content: '<system-reminder>be quick</system-reminder>' },
      { role: 'user', content: 'pasted by a program' },
    ];
    expect(messages(list).map(({ origin }) => origin)).toEqual(['person', 'harness', 'person']);
    const marked = { messages: list, meta: { injected_message_indices: [2] } };
    expect(messages(marked).map(({ origin }) => origin)).toEqual(['person', 'harness', 'harness']);
  });

  it('recognises our own summaries', () => {
    const list = [{ role: 'user', content: '<conversation_summary>\nnotes\n</conversation_summary>' }];
    expect(messages(list)).toMatchObject([{ kind: 'summary', origin: 'strategy' }]);
  });

  it("keeps another agent's compactions", () => {
    const document = { messages: [], meta: { compactions: [{ before_message_index: 3, summary: 'notes' }] } };
    expect(read(document).compactions).toEqual([{ beforeMessageIndex: 3, summary: 'notes' }]);
  });

  it.each([
    ['[{"role":"narrator","content":"x"}]', 'Message 0: expected a role'],
    ['[{"role":"user","content":3}]', 'Message 0: expected content'],
    ['[{"role":"user","content":[{"type":"text","text":null}]}]', 'Message 0: expected content'],
    ['[{"role":"assistant","content":"x","reasoning_content":3}]', 'Message 0: expected reasoning_content'],
    ['[{"role":"tool","content":"x"}]', 'Message 0: expected a tool_call_id'],
    ['[{"role":"assistant","content":"x","tool_calls":[{"id":"a"}]}]', 'Message 0: expected tool_calls'],
    ['[{"role":"user","content":"x"},3]', 'Message 1: expected an object'],
    ['{"messages":[],"tools":{}}', 'Expected "tools"'],
  ])('explains the error in %s', (text, message) => {
    expect(() => importTranscript(text)).toThrow(message);
  });

  it.each([
    ['{"messages": 3}', 'Line 1: expected an array of chat messages, or an object'],
    ['[1, 2]', 'Line 1: expected an array of chat messages'],
    [
      '[{"role"',
      'Line 1: expected an array of chat messages, or an object with such an array as "messages", but',
    ],
  ])('states the expected form instead of %s if a format was requested', (text, message) => {
    expect(() => importTranscript(text, 'openai')).toThrow(message);
  });

  it('lists the known formats', () => {
    expect(() => importTranscript('[]', 'word')).toThrow(
      /^There is no format word\. The formats are .*\bsession\b.*\bopenai\b/,
    );
  });
});
