import { describe, expect, it } from 'vitest';
import { workFacts } from '../../../src/compaction/ledger/work-facts.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';

function called(id: string, name: string, input: object): readonly Message[] {
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } } as const;
  const common = { origin: 'model', createdAt: '' } as const;
  return [
    { ...common, id: `${id}-call`, role: 'assistant', content: null, tool_calls: [call] },
    { ...common, id: `${id}-result`, role: 'tool', origin: 'tool', tool_call_id: id, content: 'x' },
  ];
}

describe('the identifiers of a session', () => {
  it('are the ids of records, not search words', () => {
    const messages = [
      ...called('a', 'get_user', { user_id: 'omar_rossi_1241' }),
      ...called('b', 'grep', { pattern: 'filepath.Join' }),
    ];
    expect(workFacts(messages).identifiers).toEqual(['omar_rossi_1241']);
  });
});
