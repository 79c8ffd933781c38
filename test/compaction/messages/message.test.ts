import { describe, expect, it } from 'vitest';
import {
  isBlank,
  isTyped,
  kindOf,
  textOf,
  toChatMessage,
  toMessage,
  typedText,
  withContent,
  type ChatMessage,
} from '../../../src/compaction/messages/message.ts';
import { memory, reminder, said, typed } from '../../support/messages.ts';

const envelope = { id: 'm1', origin: 'model', createdAt: '2026-01-01T00:00:00.000Z' } as const;

describe('toMessage and toChatMessage', () => {
  it('convert a chat message back and forth without changes, with keys in any order', () => {
    const chats: readonly ChatMessage[] = [
      { content: 'hi', role: 'assistant' },
      { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [] },
      { role: 'tool', name: 'read_file', content: '', tool_call_id: 'a' },
    ];
    for (const chat of chats) {
      expect(JSON.stringify(toChatMessage(toMessage(chat, envelope)))).toBe(JSON.stringify(chat));
    }
  });

  it('do not let a chat message set our own fields', () => {
    const chat = { role: 'user', content: 'hi', pinned: true, id: 'forged' } as unknown as ChatMessage;
    expect(toMessage(chat, envelope)).toEqual({ role: 'user', content: 'hi', ...envelope });
  });
});

describe('kindOf', () => {
  it('follows the role unless the message has a kind', () => {
    expect(kindOf(typed('m1', 'hi'))).toBe('user');
    expect(kindOf(said('m1', 'hi'))).toBe('assistant');
    expect(kindOf(memory('m1', 'hi'))).toBe('memory');
  });

  it("treats a program's message in the user role as a reminder", () => {
    const { kind: _kind, ...unmarked } = reminder('m1', 'hi');
    expect(kindOf(unmarked)).toBe('reminder');
  });
});

describe('isTyped', () => {
  it('is true only for typed messages of the user', () => {
    expect(isTyped(typed('m1', 'hi'))).toBe(true);
    expect(isTyped(reminder('m1', 'hi'))).toBe(false);
    expect(isTyped(memory('m1', 'hi'))).toBe(false);
  });
});

describe('textOf and isBlank', () => {
  it('read multi-part content', () => {
    const content = [{ type: 'text', text: 'one' }, { type: 'image_url' }, { type: 'text', text: 'two' }];
    expect(textOf(content)).toBe('one\ntwo');
    expect(isBlank(content)).toBe(false);
    expect(isBlank([{ type: 'image_url' }])).toBe(false);
    expect(isBlank([{ type: 'text', text: ' ' }])).toBe(true);
    expect(isBlank(null)).toBe(true);
  });
});

describe('a message with changed content', () => {
  const message = { ...typed('m1', 'fix it\nNever.'), typed: [{ start: 0, end: 6 }] };

  it('keeps only the unchanged beginning as typed text', () => {
    expect(typedText(withContent(message, 'fix …\nNever.'))).toBe('fix ');
    expect(typedText(withContent(message, 'fix it\n…'))).toBe('fix it');
    const attached = { ...typed('m1', 'fix it\nNever.'), attached: { typedLength: 6, items: [] } };
    expect(typedText(withContent(attached, 'fi … Never.'))).toBe('fi');
  });

  it('is otherwise unchanged', () => {
    expect(withContent(typed('m1', 'a'), 'b')).toEqual(typed('m1', 'b'));
  });
});
