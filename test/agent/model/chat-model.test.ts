import { expect, test } from 'vitest';
import { withOwnIds } from '../../../src/agent/model/chat-model.ts';
import { words } from '../words.ts';

const called = (id: string) => ({ id, type: 'function' as const, function: { name: id, arguments: '{}' } });

test('each call of a reply gets a unique id, and keeps its own id if that is unique', () => {
  const calls = ['a', '', 'a', 'b', '', 'm1_3'].map(called);
  expect(withOwnIds(calls, (position) => `m1_${position + 1}`).map(({ id }) => id)).toEqual(
    words(`a m1_2 m1_3_2 b m1_5 m1_3`),
  );
});
