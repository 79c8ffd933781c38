import { describe, expect, it } from 'vitest';
import { parseLink, parsePathAndLine } from '../../../webview/chat/text/link-target.ts';

describe('a link in an answer', () => {
  it.each([
    ['https://example.com/a?b#c', { type: 'web', url: 'https://example.com/a?b#c' }],
    ['src/lock.ts', { type: 'file', path: 'src/lock.ts' }],
    ['src/lock.ts:61', { type: 'file', path: 'src/lock.ts', line: 61 }],
    ['lock.ts:61', { type: 'file', path: 'lock.ts', line: 61 }],
    ['./src/lock.ts#L61', { type: 'file', path: './src/lock.ts', line: 61 }],
    ['src/lock.ts#L61-L70', { type: 'file', path: 'src/lock.ts', line: 61 }],
    ['my%20file.ts:3', { type: 'file', path: 'my file.ts', line: 3 }],
    ['src\\lock.ts:61:9', { type: 'file', path: 'src\\lock.ts', line: 61 }],
  ])('has a target: %s', (text, target) => {
    expect(parseLink(text)).toEqual(target);
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'command:workbench.action.quit',
    'file:///etc/passwd',
    'vscode://extension/run',
    '//evil.example/x',
    '/etc/passwd',
    '\\\\server\\share',
    '~/.ssh/id_rsa',
    'mailto:someone@example.com',
    'https://',
    '%E0%A4%A:x',
    '',
  ])('has no target: %s', (text) => {
    expect(parseLink(text)).toBeUndefined();
  });
});

describe('text in code', () => {
  it.each(['src/a.ts:12', 'a.test.tsx:1', 'src/a.ts:12:5', 'src/a.ts:12-20'])(
    'is a link if it is a path with a line number: %s',
    (text) => {
      expect(parsePathAndLine(text)).toMatchObject({ type: 'file' });
    },
  );

  it.each(['src/a.ts', 'localhost:8080', 'key:12', 'a b.ts:3', '12:30', 'https://a.example:80'])(
    'is not a link otherwise: %s',
    (text) => {
      expect(parsePathAndLine(text)).toBeUndefined();
    },
  );
});
