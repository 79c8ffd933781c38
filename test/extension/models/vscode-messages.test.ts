import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toolCallOf,
  vscodeMessages,
  vscodeReply,
  vscodeTools,
} from '../../../src/extension/models/vscode-messages.ts';
import type { ChatMessage } from '../../../src/compaction/message.ts';

const call = (id: string, written: string) =>
  ({ id, type: 'function', function: { name: 'read_file', arguments: written } }) as const;

describe('messages for VS Code', () => {
  it('begin with the system message, in the user’s first', () => {
    const messages: readonly ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ];
    expect(vscodeMessages(messages)).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Hi' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
    ]);
  });

  it('keep the ids of calls and results, and their order', () => {
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: 'Read both' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('1', '{"path":"a"}'), call('2', '{"path":"b"}')],
      },
      { role: 'tool', tool_call_id: '1', content: 'A' },
      { role: 'tool', tool_call_id: '2', content: 'B' },
      { role: 'user', content: 'Go on' },
    ];
    expect(vscodeMessages(messages).slice(1)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'call', id: '1', name: 'read_file', input: { path: 'a' } },
          { type: 'call', id: '2', name: 'read_file', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'result', id: '1', text: 'A' },
          { type: 'result', id: '2', text: 'B' },
          { type: 'text', text: 'Go on' },
        ],
      },
    ]);
  });

  it('hand arguments that are no object back as the text that they were', () => {
    const inputOf = (written: string) =>
      vscodeMessages([{ role: 'assistant', content: '', tool_calls: [call('1', written)] }])[0]?.parts[0];
    expect(inputOf('{"path":')).toMatchObject({ input: { malformed: '{"path":' } });
    expect(inputOf('[1]')).toMatchObject({ input: { malformed: '[1]' } });
  });

  it('leave out thinking and what has no text', () => {
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', reasoning_content: 'hm' },
    ];
    expect(vscodeMessages(messages)).toHaveLength(1);
  });

  it('alternate, and lose no text, whatever the roles', () => {
    const message = fc.record({
      role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
      content: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
    });
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const sent = vscodeMessages(messages);
        sent.forEach(({ role }, index) => expect(role).not.toBe(sent[index + 1]?.role));
        const texts = sent.flatMap(({ parts }) => parts.map((part) => part.type === 'text' && part.text));
        expect(texts).toEqual(messages.map(({ content }) => content));
      }),
    );
  });

  it('begin as the request before began, so that a cache can know them', () => {
    const before: readonly ChatMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello.' },
    ];
    const after: readonly ChatMessage[] = [...before, { role: 'user', content: 'More' }];
    expect(vscodeMessages(after).slice(0, 2)).toEqual(vscodeMessages(before));
  });
});

describe('tools for VS Code', () => {
  it('have a schema in any case', () => {
    const tools = [{ type: 'function', function: { name: 'compact' } }] as const;
    expect(vscodeTools(tools)).toEqual([
      { name: 'compact', description: '', inputSchema: { type: 'object' } },
    ]);
  });
});

describe('a reply of VS Code’s', () => {
  it('asks for tools where there are calls, and is done otherwise', () => {
    const asked = toolCallOf({ callId: '1', name: 'read_file', input: { path: 'a' } });
    expect(vscodeReply('', [asked])).toEqual({
      content: '',
      reasoning: '',
      toolCalls: [call('1', '{"path":"a"}')],
      finishReason: 'tool-calls',
    });
    expect(vscodeReply('Done.', [])).toMatchObject({ content: 'Done.', finishReason: 'stop' });
  });

  it('may call without any input', () => {
    expect(toolCallOf({ callId: '1', name: 'compact', input: undefined }).function.arguments).toBe('{}');
  });
});
