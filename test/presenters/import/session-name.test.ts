import { expect, it } from 'vitest';
import { sessionName } from '../../../src/presenters/import/session-name.ts';
import { said, typed } from '../../support/messages.ts';

it('is the first line of what a person typed first', () => {
  const messages = [
    typed('m1', '  \n'),
    said('m2', 'Hello.'),
    typed('m3', 'Mend the lock\nand test it'),
    typed('m4', 'Thanks'),
  ];
  expect(sessionName(messages, 'log-7')).toBe('Mend the lock');
});

it.each(['<task>\nDraw the map\n</task>\n<environment_details>', '<task>Draw the map'])(
  'is what stands between the marks of a task: %j',
  (text) => {
    expect(sessionName([typed('m1', text)], 'log-7')).toBe('Draw the map');
  },
);

it('is another one where nobody typed anything', () => {
  expect(sessionName([said('m1', 'Hello.')], 'log-7')).toBe('log-7');
});
