import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { presets } from '../../src/agent/providers/presets.ts';
import { untranslatedTexts } from '../../scripts/house/untranslated.ts';
import type { Texts } from '../../scripts/build/manifest-texts.ts';
import { strategyIds } from '../../src/compaction/strategies/index.ts';
import { strategyTitle } from '../../src/language/english/strategy-titles-english.ts';
import { wordingFor } from '../../src/language/translated/wording.ts';
import { untranslatedPaths } from '../../scripts/house/untranslated.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function readTexts(path: string): Texts {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Texts;
}

/** Parts that must be identical in every language: code, settings, commands, placeholders and command names. */
function fixedPartsOf(text: string): readonly string[] {
  return (text.match(/`[^`]*`|\(command:[^)]*\)|\{\w+\}|Context Budget/g) ?? []).toSorted();
}

/** Names are the same in every language. */
const names = new Set<string>([
  ...Object.values(presets).map(({ title }) => title),
  'VS Code',
  'Context Budget',
]);

describe('the Chinese of the manifest', () => {
  const english = readTexts('package.nls.json');
  const chinese = readTexts('package.nls.zh-cn.json');
  const pairs = Object.entries(english).flatMap(([key, text]) => {
    const translated = chinese[key];
    return translated === undefined ? [] : { key, text, translated };
  });

  it('contains no outdated sentence', () => {
    expect(Object.keys(chinese).filter((key) => english[key] === undefined)).toEqual([]);
  });

  it('is Chinese, except for names', () => {
    const untranslated = pairs.filter(
      ({ text, translated }) => !names.has(text) && !/\p{Script=Han}/u.test(translated),
    );
    expect(untranslated).toEqual([]);
  });

  it('keeps code, settings, commands and placeholders', () => {
    expect(pairs.map(({ key, translated }) => [key, fixedPartsOf(translated)])).toEqual(
      pairs.map(({ key, text }) => [key, fixedPartsOf(text)]),
    );
  });

  it('uses the title of each strategy', async () => {
    const wording = await wordingFor('zh-cn');
    const labels = strategyIds.map((id) => [id, chinese[`contextBudget.strategy.${id}.label`]]);
    expect(labels).toEqual(strategyIds.map((id) => [id, wording.text(strategyTitle(id))]));
    const unnamed = strategyIds.filter((id) => {
      const options = chinese[`contextBudget.strategies.${id}.description`];
      return options !== undefined && !options.includes(`*${wording.text(strategyTitle(id))}*`);
    });
    expect(unnamed).toEqual([]);
  });

  it('is the same wherever the English is the same', () => {
    const said = new Map(pairs.map(({ text, translated }) => [text, translated]));
    expect(pairs.filter(({ text, translated }) => said.get(text) !== translated)).toEqual([]);
  });
});

describe('an untranslated sentence of the manifest', () => {
  it('is shown in English, and reported', () => {
    const english = { title: 'Title', meter: { open: 'Open', close: () => 'Close' } };
    expect(untranslatedPaths(english, { meter: { open: '打开' } })).toEqual(['title', 'meter.close']);
    expect(untranslatedPaths(english, english)).toEqual([]);
  });

  it('causes a warning', () => {
    const untranslated = untranslatedTexts();
    if (untranslated.length > 0) console.warn(`Not translated:\n  ${untranslated.join('\n  ')}`);
    expect(new Set(untranslated).size).toBe(untranslated.length);
  });
});

it('each page of the walkthrough exists in both languages', () => {
  const folder = join(root, 'media/walkthrough');
  const english = readdirSync(folder).filter((name) => /^\w+\.md$/.test(name));
  expect(english.length).toBeGreaterThan(0);
  expect(english.filter((name) => !existsSync(join(folder, name.replace('.md', '.nls.zh-cn.md'))))).toEqual(
    [],
  );
});
