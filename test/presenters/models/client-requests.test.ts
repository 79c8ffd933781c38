import { describe, expect, it } from 'vitest';
import { imagePart } from '../../../src/compaction/images/image-part.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';
import { sentMessages, sentTools } from '../../../src/presenters/models/client-requests.ts';
import { vscodeMessages } from '../../../src/presenters/models/vscode-translation.ts';

const image = { type: 'image/png', base64: 'AAAA' };

describe('sentMessages', () => {
  it('puts results before the text of their message', () => {
    expect(
      sentMessages([
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'and ' },
            { type: 'result', id: 'a', parts: [{ type: 'text', text: 'line' }] },
            { type: 'text', text: 'now?' },
          ],
        },
      ]),
    ).toEqual([
      { role: 'tool', origin: 'tool', tool_call_id: 'a', content: 'line' },
      { role: 'user', origin: 'person', content: 'and now?' },
    ]);
  });

  it('keeps pictures in prompts and in results', () => {
    const shown = [{ type: 'text', text: 'see' } as const, { type: 'image', image } as const];
    const content = [{ type: 'text', text: 'see' }, imagePart(image)];
    expect(
      sentMessages([{ role: 'user', parts: [...shown, { type: 'result', id: 'a', parts: shown }] }]),
    ).toEqual([
      { role: 'tool', origin: 'tool', tool_call_id: 'a', content },
      { role: 'user', origin: 'person', content },
    ]);
  });

  it('keeps reasoning beside the text and the calls of a reply', () => {
    expect(
      sentMessages([
        {
          role: 'assistant',
          parts: [
            { type: 'thinking', text: 'first ' },
            { type: 'thinking', text: 'read' },
            { type: 'call', id: 'a', name: 'read', input: { path: 'a.ts' } },
          ],
        },
      ]),
    ).toEqual([
      {
        role: 'assistant',
        origin: 'model',
        content: null,
        reasoning: 'first read',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
      },
    ]);
  });

  it('leaves out messages without content', () => {
    expect(
      sentMessages([
        { role: 'assistant', parts: [{ type: 'thinking', text: 'nothing' }] },
        { role: 'user', parts: [] },
      ]),
    ).toEqual([]);
  });

  it('reads back the messages that our own chat sends to a model of VS Code', () => {
    const read = { name: 'read', arguments: '{"path":"a.ts"}' };
    const messages: readonly ChatMessage[] = [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'a', type: 'function', function: read }] },
      { role: 'tool', tool_call_id: 'a', content: 'line' },
      { role: 'assistant', content: 'Seen.' },
    ];
    const received = vscodeMessages(messages).map(({ role, parts }) => ({
      role,
      parts: parts.map((part) =>
        part.type === 'result'
          ? { type: part.type, id: part.id, parts: [{ type: 'text' as const, text: part.text }] }
          : part,
      ),
    }));
    expect(sentMessages(received).map(({ origin: _origin, ...message }) => message)).toEqual(messages);
  });
});

describe('sentTools', () => {
  it('keeps the schema of the input', () => {
    expect(sentTools([{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }])).toEqual([
      { type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } },
    ]);
  });
});
