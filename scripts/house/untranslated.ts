import { readFileSync } from 'node:fs';
import { untranslatedPaths, untranslatedSentences } from '../../src/language/translated/untranslated.ts';

/**
 * Every text without a Simplified Chinese translation, which is shown in English: of sentences, pages and the
 * manifest.
 */
export function untranslatedTexts(): readonly string[] {
  const manifest = untranslatedPaths(readTable('package.nls.json'), readTable('package.nls.zh-cn.json'));
  return [...untranslatedSentences(), ...manifest.map((key) => `manifest: ${key}`)];
}

function readTable(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as object;
}
