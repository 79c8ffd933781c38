import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('notices are shown by the functions that take links out of them', () => {
  const direct = /\.show(?:Information|Warning|Error)Message\b/u;
  const files = globSync('src/**/*.ts').filter((file) => direct.test(readFileSync(file, 'utf8')));
  expect(files).toEqual(['src/extension/editor/plain-notices.ts']);
});
