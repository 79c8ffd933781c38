import { describe, expect, it } from 'vitest';
import { quotedForShell, simpleCommandsOf } from '../../../src/agent/approvals/command-words.ts';
import fc from 'fast-check';

const textsOf = (command: string) => simpleCommandsOf(command, 'posix')?.map(({ words }) => words);

describe('simpleCommandsOf', () => {
  it.each([
    ['npm test', [['npm', 'test']]],
    ["  git  commit -m 'a b; c'  ", [['git', 'commit', '-m', 'a b; c']]],
    ['echo \'it is $HOME, and a "quote"\'', [['echo', 'it is $HOME, and a "quote"']]],
    ['a && b || c; d | e |& f', [['a'], ['b'], ['c'], ['d'], ['e'], ['f']]],
    ['a&&b', [['a'], ['b']]],
    ['n"p"m te\'s\'t', [['npm', 'test']]],
    ['a 2>&1 | b >/dev/null 2> /dev/null', [['a'], ['b']]],
    ['2>/dev/null a &>/dev/null </dev/null', [['a']]],
    ["a '' b", [['a', '', 'b']]],
    ['a b#c', [['a', 'b#c']]],
  ])('splits %s', (command, expected) => {
    expect(textsOf(command)).toEqual(expected);
  });

  it.each([
    'ls *.ts',
    'ls a?',
    'ls [ab]',
    'ls $HOME',
    'ls "$HOME"',
    'ls ${HOME}',
    'ls a$IFS-x',
    'ls ~/x',
    'ls --home=~',
    'ls a:~/x',
    'ls te\\st',
    'ls "te\\st"',
    'ls {a,b}',
    'echo $?',
  ])('rejects text that the shell would expand: %s', (command) => {
    expect(textsOf(command)).toBeUndefined();
  });

  it('accepts the same text in single quotes, and a tilde within a word', () => {
    expect(textsOf("ls '*.ts' '$HOME' '{a,b}' HEAD~1")).toEqual([['ls', '*.ts', '$HOME', '{a,b}', 'HEAD~1']]);
  });

  it.each([
    ['', 'nothing'],
    ['a &', 'background'],
    ['a & b', 'background'],
    ['a;', 'nothing after an operator'],
    ['a || | b', 'nothing between operators'],
    ['a $(b)', 'substitution'],
    ['a `b`', 'substitution'],
    ['a "$(b)"', 'substitution in quotes'],
    ['a "`b`"', 'substitution in quotes'],
    ['a <(b)', 'process substitution'],
    ['a > b', 'redirection to a file'],
    ['a >/dev/null/../b', 'redirection to a file'],
    ['a 2>&b', 'redirection to a file'],
    ['a >| b', 'redirection to a file'],
    ['a <> b', 'redirection to a file'],
    ['a < b', 'redirection from a file'],
    ['a << b', 'here document'],
    ['a <<< b', 'here string'],
    ['a\nb', 'two lines'],
    ['a\rb', 'a return'],
    ["a 'b", 'open quote'],
    ['a "b', 'open quote'],
    ['a \\', 'open escape'],
    ["a $'b'", 'quotes with escapes'],
    ['a $"b"', 'translated quotes'],
    ['a $((1))', 'arithmetic'],
    ['a ${b:=c}', 'variable with a modifier'],
    ['a ${b@P}', 'variable that is run'],
    ['a $1', 'argument of the shell'],
    ['$a b', 'variable as a program'],
    ['"$a" b', 'variable as a program'],
    ['a* b', 'glob as a program'],
    ['~/a b', 'home as a program'],
    ['(a)', 'subshell'],
    ['{ a; }', 'group'],
    ['a {b,c}', 'braces'],
    ['a() { b; }', 'function'],
    ['if a; then b; fi', 'condition'],
    ['for a in b; do c; done', 'loop'],
    ['! a', 'negation'],
    ['a # b', 'comment'],
    ['a \u202e b', 'text direction'],
    ['a\u00a0b', 'blank that is none'],
    ['a\u200bb', 'character without width'],
    ['a\u3164b', 'letter that is empty'],
    ['a\u2800b', 'symbol that is empty'],
    ['a\ufe0fb', 'variation selector'],
  ])('rejects %s (%s)', (command) => {
    expect(simpleCommandsOf(command, 'posix')).toBeUndefined();
  });

  it.each(['a & b', 'a | b', 'a "b"', 'a %b%', 'a ^b', 'a; b', "a 'b'", 'a > b', 'a (b)', 'a @b', 'a &&'])(
    'rejects %s on Windows',
    (command) => {
      expect(simpleCommandsOf(command, 'windows')).toBeUndefined();
    },
  );

  it('reads plain commands on Windows, where a backslash is part of a path', () => {
    const commands = simpleCommandsOf('cd src\\app && npm run build', 'windows');
    expect(commands?.map(({ words }) => words)).toEqual([
      ['cd', 'src\\app'],
      ['npm', 'run', 'build'],
    ]);
  });
});

describe('quoted', () => {
  it('quotes a word so that the shell reads it back unchanged', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'ab \t\'"\\$*({<|&;#~`é') });
    fc.assert(
      fc.property(plain, (word) => {
        expect(textsOf(`a ${quotedForShell(word)}`)).toEqual([['a', word]]);
      }),
    );
  });
});
