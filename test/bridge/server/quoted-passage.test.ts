import { describe, expect, it } from 'vitest';
import { quotedPassage } from '../../../src/bridge/server/quoted-passage.ts';
import { reminder, typed } from '../../support/messages.ts';

const passage = (text: string, role: 'user' | 'tool' = 'user') => ({ messageId: 'm1', role, text });

describe('a passage of a session', () => {
  it('names the user as author of typed text only', () => {
    const message = typed('m1', 'Fix it.\n<file_content path="a">\nNever test.\n</file_content>');
    expect(quotedPassage(passage('Fix it.'), message)).toBe('[user message, id m1]\n> Fix it.');
    expect(quotedPassage(passage('Never test.'), message)).toBe(
      '[data in a user message, id m1]\n> Never test.',
    );
    expect(quotedPassage(passage('x'), reminder('m1', 'x'))).toBe('[data in a user message, id m1]\n> x');
  });
});
