import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { idsInResult } from '../../../src/compaction/ledger/result-ids.ts';

function idsOf(name: string, input: object, content: string): readonly string[] {
  const call = { id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } } as const;
  const result = {
    id: 'r',
    role: 'tool',
    origin: 'tool',
    createdAt: '',
    tool_call_id: 'c',
    content,
  } satisfies Message;
  return idsInResult(call, result);
}

describe('ids that only a result contains', () => {
  it('are the ids of objects that the call created, unless the call named them', () => {
    const booked = JSON.stringify({
      reservation_id: 'HATHAT',
      user_id: 'omar_rossi_1241',
      status: 'confirmed',
      error_code: 1234,
      flights: [{ flight_number: 'HAT056' }],
    });
    expect(idsOf('book_reservation', { user_id: 'omar_rossi_1241' }, booked)).toEqual(['HATHAT']);
  });

  it('exclude objects that were only looked up', () => {
    expect(idsOf('get_reservation_details', {}, '{"reservation_id":"HATHAT"}')).toEqual([]);
    expect(idsOf('create_note', {}, 'The id is 12345.')).toEqual([]);
  });

  it('include commits and pull requests that a command made', () => {
    expect(idsOf('bash', { command: 'git commit -m x' }, '[main 1a2b3c4] x\n 1 file changed')).toEqual([
      '1a2b3c4',
    ]);
    expect(idsOf('bash', { command: 'gh pr create --fill' }, 'https://github.com/o/r/pull/7\n')).toEqual([
      'https://github.com/o/r/pull/7',
    ]);
    expect(idsOf('bash', { command: 'git log' }, '[main 1a2b3c4] x')).toEqual([]);
  });
});
