import { describe, expect, it } from 'vitest';
import type { ChatMessage, Message } from '../../../src/compaction/messages/message.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { called, result, said, system, typed } from '../../support/messages.ts';

const codes = (messages: readonly (Message | ChatMessage)[]) =>
  findViolations(messages).map(({ code, index }) => [code, index]);

describe('findViolations', () => {
  it('accepts a complete exchange with parallel calls', () => {
    const messages = [
      system('m1', 'rules'),
      typed('m2', 'hello'),
      called('m3', ['a', 'x'], ['b', 'x']),
      result('m4', 'b', ''),
      result('m5', 'a', '1'),
      said('m6', 'done'),
    ];
    expect(codes(messages)).toEqual([]);
  });

  it('refuses a result before its call', () => {
    expect(codes([result('m1', 'a', '1'), called('m2', ['a', 'x']), result('m3', 'a', '1')])).toEqual([
      ['orphan-result', 0],
    ]);
  });

  it('refuses a call without a result, even at the end', () => {
    expect(codes([called('m1', ['a', 'x'])])).toEqual([['unanswered-call', 0]]);
  });

  it('refuses a message between a call and its result', () => {
    expect(codes([called('m1', ['a', 'x']), typed('m2', 'wait'), result('m3', 'a', '1')])).toEqual([
      ['unanswered-call', 0],
      ['orphan-result', 2],
    ]);
  });

  it('refuses a second result for one call', () => {
    expect(codes([called('m1', ['a', 'x']), result('m2', 'a', '1'), result('m3', 'a', '2')])).toEqual([
      ['repeated-result', 2],
    ]);
  });

  it('refuses messages without content, unless they call tools', () => {
    expect(codes([typed('m1', ' '), said('m2', '')])).toEqual([
      ['empty-content', 0],
      ['empty-content', 1],
    ]);
  });

  it('refuses an empty list of calls and unknown roles', () => {
    const chat = [
      { role: 'assistant', content: 'hi', tool_calls: [] },
      { role: 'narrator', content: 'meanwhile' },
    ] as unknown as ChatMessage[];
    expect(codes(chat)).toEqual([
      ['empty-tool-calls', 0],
      ['unknown-role', 1],
    ]);
  });
});
