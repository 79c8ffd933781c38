import { describe, expect, it } from 'vitest';
import { asMessages, splitSystem, validHistory } from '../../../scripts/bench-peers/history.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { called, result, said, system, typed } from '../../support/messages.ts';

describe('the history that every engine is given', () => {
  it('has every result behind its call, in the order of the calls', () => {
    const history = validHistory([
      typed('u', 'Go'),
      called('a', ['one', 'read'], ['two', 'read']),
      typed('v', 'Wait'),
      result('r2', 'two', 'second'),
      result('r1', 'one', 'first'),
    ]);
    expect(history.map(({ id }) => id)).toEqual(['u', 'a', 'r1', 'r2', 'v']);
    expect(findViolations(history)).toEqual([]);
  });

  it('has no call without a result, no result without a call and no message without content', () => {
    const history = validHistory([
      result('orphan', 'none', 'lost'),
      typed('u', 'Go'),
      called('a', ['one', 'read'], ['two', 'read']),
      result('r1', 'one', 'first'),
      called('b', ['three', 'read']),
      said('empty', ''),
    ]);
    expect(history.map(({ id }) => id)).toEqual(['u', 'a', 'r1']);
    expect(history[1]?.tool_calls?.map(({ id }) => id)).toEqual(['one']);
    expect(findViolations(history)).toEqual([]);
  });

  it('uses every call id once', () => {
    const history = validHistory([
      typed('u', 'Go'),
      called('a', ['call', 'read']),
      result('r1', 'call', 'first'),
      called('b', ['call', 'read']),
      result('r2', 'call', 'second'),
    ]);
    expect(history.map(({ tool_call_id: id }) => id)).toEqual([
      undefined,
      undefined,
      'call',
      undefined,
      'call-2',
    ]);
    expect(findViolations(history)).toEqual([]);
  });

  it('holds text only, without visible thinking', () => {
    const [first, second] = validHistory([
      { ...typed('u', ''), content: [{ type: 'text', text: 'Go' }, { type: 'image_url' }] },
      { ...said('a', 'Done'), reasoning: 'I think so.' },
    ]);
    expect(first?.content).toBe('Go');
    expect(second).not.toHaveProperty('reasoning');
  });

  it('has system messages in front; a later one is a message of the program', () => {
    const history = validHistory([system('s', 'Rules'), typed('u', 'Go'), system('t', 'More rules')]);
    expect(history.map(({ role, origin }) => [role, origin])).toEqual([
      ['system', 'harness'],
      ['user', 'person'],
      ['user', 'harness'],
    ]);
    const { system: front, rest } = splitSystem(history);
    expect([front.length, rest.length]).toEqual([1, 2]);
  });
});

it('what comes back has ids of its own', () => {
  const ids = asMessages([
    { role: 'user', content: 'same' },
    { role: 'user', content: 'same' },
  ]).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
});
