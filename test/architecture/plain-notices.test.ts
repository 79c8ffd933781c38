import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('notices are shown only by the functions that remove links from them', () => {
  const direct = /\.show(?:Information|Warning|Error)Message\b/u;
  const files = globSync('src/**/*.ts').filter((file) => direct.test(readFileSync(file, 'utf8')));
  expect(files).toEqual(['src/extension/editor/plain-notices.ts']);
});

it('titles of progress notices have no links', () => {
  const files = globSync('src/**/*.ts').map((file) => [file, readFileSync(file, 'utf8')] as const);
  const shown = files.filter(([, text]) => text.includes('ProgressLocation.Notification'));
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter(([, text]) => !text.includes('noticeText(')).map(([file]) => file)).toEqual([]);
});
