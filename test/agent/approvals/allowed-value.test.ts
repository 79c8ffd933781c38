import { afterAll, describe, expect, it } from 'vitest';
import { isAllowedValue } from '../../../src/agent/approvals/allowed-value.ts';
import { CommandPlace } from '../../../src/agent/approvals/command-place.ts';
import type { TypedValue } from '../../../src/agent/approvals/option-grammar.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const workspace = await TemporaryWorkspace.create({
  'src/a.ts': 'a',
  'keys/.env': 'secret',
  '.env': 'secret',
});
afterAll(() => workspace[Symbol.asyncDispose]());
const place = new CommandPlace(workspace.path, [{ name: 'w', path: workspace.path }], 'posix');

describe('isAllowedValue', () => {
  it.each<[kind: TypedValue['kind'], allowed: readonly string[], refused: readonly string[]]>([
    ['text', ['', 'anything; $(at all)'], []],
    ['number', ['0', '+5', '-123456789'], ['', '1234567890', '5x', 'x5', '--5']],
    ['word', ['', 'a.b,c:d+e%f@g-h'], ['a b', 'a/b', 'a;', '$a']],
    ['separator', ['', ',', '::', '日本語'], ['four', '\n']],
    ['ref', ['main', '@{u}', 'HEAD~2^', 'origin/main'], ['', '-x', '~main', 'a b', 'a:b', 'a..b\n']],
    ['lines', ['1p', '1,20p', '$d', '3,+4q', '2,$p'], ['p', '1w', '1,20', 'x1p', '1p;', '1e']],
    ['range', ['', '5', '5,', '5,9', ',+9'], ['5,x', 'x5', '5,9,', '-5']],
    [
      'columns',
      ['{print}', '{ print $1, $NF; }', '{print NR,NF}', '{print $123}'],
      ['print $1', '{print $1', '{system("x")}', '{print $1}x', '{print $x}', '{print $1 > "f"}', 'x{print}'],
    ],
    [
      'script',
      ['1p', '1p;2d', '1p; $q', 's/a/b/', 's|a|b|gi2', 's#a#b#p'],
      ['1p;w f', '1p;e', 's/a/b', 's/a/b/w f', 's/a/b/e', 's/a/b/;e', 'xs/a/b/', 's a b ', 's//'],
    ],
    [
      'format',
      [
        'oneline',
        'mboxrd',
        'format:%h %s',
        'tformat:%an%n',
        '%C(red)%h',
        '%<(20,trunc)%s',
        '%x00%%',
        '%>(9)%ad',
      ],
      ['mine', 'format:%G?', '%GG', 'format:%', '%(trailers)', '', 'format:%<(x)%s'],
    ],
    [
      'glob',
      ['!secret', '*.ts', 'src/**/*.md', '*.{ts,tsx}', 'a-b.py'],
      ['*', '.*', '*.pem', '*.{ts,pem}', '*.ts/', '*.sh', 'src/', '{a,b}.ts', '.env', '*.{ts}x', './*.ts'],
    ],
    ['revision', ['HEAD', 'HEAD:src/a.ts'], ['HEAD:.env', '.env:x', 'HEAD:../b', '../b:x']],
    ['name', ['src', 'src/new.ts'], ['../b', '/etc/passwd']],
    ['path', ['src/a.ts', 'src/new.ts'], ['.env', '../b', '/etc/passwd']],
    ['file', ['src/a.ts'], ['src/new.ts', '.env', '../b']],
    ['tree', ['src', 'src/a.ts', '.'], ['.env', '../b', 'nowhere']],
    ['whole', ['src', 'src/a.ts'], ['.', 'keys', '.env', '../b']],
  ])('allows only harmless values of the kind %s', (kind, allowed, refused) => {
    const isAllowed = (value: string) => isAllowedValue({ kind, value }, place);
    expect({ allowed: allowed.filter(isAllowed), refused: refused.filter(isAllowed) }).toEqual({
      allowed,
      refused: [],
    });
  });

  it.each(['name', 'path', 'file', 'tree', 'whole', 'revision'] as const)(
    'checks a %s only for secrets if the folder is unknown',
    (kind) => {
      expect(isAllowedValue({ kind, value: '../b' }, undefined)).toBe(true);
      expect(isAllowedValue({ kind, value: '.env' }, undefined)).toBe(kind === 'name');
    },
  );
});
