import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeCommand,
  parseCommand,
  unescapeCommand,
} from '../../../src/extension/commands/parse-command.ts';

describe('parseCommand', () => {
  it.each([
    ['/compact', 'compact', ''],
    ['/compact  the lock, not the tests ', 'compact', 'the lock, not the tests'],
    ['/compact\nfirst line\nsecond line', 'compact', 'first line\nsecond line'],
    ['  /undo\n', 'undo', ''],
    ['/strategy ladder', 'strategy', 'ladder'],
    ['/compact 锁文件', 'compact', '锁文件'],
    ['/no-such-thing at all', 'no-such-thing', 'at all'],
  ])('reads %j as a command', (text, name, argument) => {
    expect(parseCommand(text)).toEqual({ name, argument });
  });

  it.each([
    '',
    '/',
    '/ compact',
    '/src/lock.ts is broken',
    '/compact.md is too long',
    '/Users is full',
    '/compact, please',
    '/2 is a half',
    '//compact is a command',
    'please /compact',
    '// compact this comment',
  ])('reads %j as something to say', (text) => {
    expect(parseCommand(text)).toBeUndefined();
  });

  it('takes any text, and never makes anything up', () => {
    fc.assert(
      fc.property(fc.constantFrom('/', '/undo ', ' /a-b\n'), fc.string(), (beginning, rest) => {
        const { name = '', argument = '' } = parseCommand(beginning + rest) ?? {};
        expect(beginning + rest).toContain(name);
        expect(rest).toContain(argument);
      }),
    );
  });
});

describe('an escaped command', () => {
  it('is said with one slash less', () => {
    expect(unescapeCommand('//compact is a command')).toBe('/compact is a command');
  });

  it.each(['// a comment', 'https://example.com', '//Compact', 'a //compact', '/compact'])(
    'is not %j, which is said as it is',
    (text) => {
      expect(unescapeCommand(text)).toBe(text);
    },
  );

  it('says what was escaped, and never is a command', () => {
    const texts = fc
      .tuple(fc.stringMatching(/^\s{0,2}\/{0,3}$/), fc.constantFrom('', 'undo', 'src/a.ts'), fc.string())
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const escaped = escapeCommand(text);
        expect(parseCommand(escaped)).toBeUndefined();
        expect(unescapeCommand(escaped)).toBe(text);
      }),
    );
  });
});
