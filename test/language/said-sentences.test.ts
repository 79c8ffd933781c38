import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { catalogues } from '../../scripts/house/untranslated.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = globSync('src/**/*.ts', { cwd: root, exclude: ['src/language/**'] }).map((file) =>
  readFileSync(root + file, 'utf8'),
);

/** Strings and names of properties in the sources that use the sentences of an area. */
function wordsOfUsers(area: string): ReadonlySet<string> {
  const users = sources.filter(
    (source) =>
      source.includes(`language/english/${area}-english.ts'`) ||
      // Text for the editor goes through a function of its area, such as `hostText`.
      source.includes(`${area}Text(`),
  );
  return new Set(users.flatMap((source) => source.match(/(?<=')\w+(?=')|\b\w+(?=:)/gu) ?? []));
}

/** Titles are looked up by the ids of strategies, which a separate test checks. */
const saidByName = catalogues.filter(({ area }) => area !== 'strategyTitles');

it.each(saidByName)('the code uses every sentence of the table $area', ({ area, english }) => {
  const words = wordsOfUsers(area);
  expect(words.size).toBeGreaterThan(0);
  expect(Object.keys(english).filter((key) => !words.has(key))).toEqual([]);
});
