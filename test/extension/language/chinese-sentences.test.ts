import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentSentences } from '../../../src/extension/language/chinese-agent.ts';
import { messageTitles } from '../../../src/extension/language/chinese-message-titles.ts';
import { modelSentences } from '../../../src/extension/language/chinese-models.ts';
import { inChinese } from '../../../src/extension/language/chinese-sentences.ts';
import { settingSentences } from '../../../src/extension/language/chinese-settings.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';
import { chineseCustomOutcomes } from '../../../src/insights/chinese-custom-outcomes.ts';
import { chineseFateReasons } from '../../../src/insights/chinese-fate-reasons.ts';
import { chineseOutcomes } from '../../../src/insights/chinese-outcomes.ts';
import { sourceTexts } from '../../support/source-texts.ts';

const tables = {
  agentSentences,
  messageTitles,
  modelSentences,
  settingSentences,
};
const entries = Object.values(tables).flatMap((table) => Object.entries(table));
const hasChinese = (english: string) => /\p{Script=Han}/u.test(inChinese(english) ?? '');

/** Files of the agent whose sentences people are shown; those of the others are for the model. */
const agentFiles = [
  'src/agent/session/pins.ts',
  'src/agent/network/{guarded-fetch,base-url}.ts',
  'src/agent/mcp/server-settings.ts',
];

/** Texts of these files that nobody reads as they stand there. */
const notSaid: ReadonlySet<string> = new Set([
  'sent a line that is not valid JSON',
  '{} {}. Check that the base URL is that of an OpenAI-compatible endpoint; most end in /v1.',
  'The server said',
  ' {}: {}',
  'LM Studio',
  '\n\n[{} more characters are not attached.]',
  'MCP server {}: {}',
]);

const words = /\p{L}{2,} \p{L}|\} \p{L}{2}/u;

describe('what people are shown of the agent', () => {
  it.each(agentFiles)('is known in Chinese: %s', (pattern) => {
    const said = sourceTexts(pattern, new Set())
      .map(({ text }) => text)
      .filter((text) => words.test(text));
    expect(said.length).toBeGreaterThan(0);
    const behindSection = (text: string) => text.replace(/^mcpServers/u, 'contextBudget.mcpServers');
    const example = (text: string) => behindSection(text.trim()).replaceAll('{}', '1');
    expect(said.filter((text) => !notSaid.has(text) && !hasChinese(example(text)))).toEqual([]);
  });
});

describe('what is wrong with settings', () => {
  const wrong: Readonly<Record<string, unknown>> = {
    mode: 'perhaps',
    triggerRatio: 0.2,
    targetRatio: 0.9,
    window: 1.5,
    baseUrl: 'nowhere',
    focus: 3,
    memory: 'yes',
    strategy: 'chunked-2',
    models: { mine: { size: 3 } },
    mcpServers: { one: {}, '2': {} },
  };
  const also: Readonly<Record<string, unknown>> = {
    models: { mine: { window: 0.5 } },
    mcpServers: [],
    strategy: 'chunked',
    'chunked.size': 'many',
  };
  const problems = [wrong, also].flatMap((settings) => readSettings((name) => settings[name]).problems);

  it('is said of each of them', () => {
    expect(problems.length).toBeGreaterThan(10);
  });

  it.each(problems)('is known in Chinese: %s', (problem) => {
    const words = /\b(?:must|used|there|not|from|one of|begins|needs)\b/u;
    expect(inChinese(problem)).not.toMatch(words);
    expect(problem).toSatisfy(hasChinese);
  });
});

describe('the tables of what is said in Chinese', () => {
  const holesIn = (text: string) => [...text.matchAll(/\{#?(\d+)\}/gu)].map(([, name]) => name).toSorted();
  /** Code, settings and paths: what is the same in every language. */
  const fixedPartsOf = (text: string) =>
    (text.match(/`[^`]*`|contextBudget\.\w+|Context Budget/gu) ?? []).toSorted();

  it('say nothing twice', () => {
    const ofEngine = [chineseCustomOutcomes, chineseFateReasons, chineseOutcomes].flatMap(Object.keys);
    const keys = [...entries.map(([english]) => english), ...ofEngine];
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('fill in the same as the English', () => {
    expect(entries.map(([english, chinese]) => [english, holesIn(chinese)])).toEqual(
      entries.map(([english]) => [english, holesIn(english)]),
    );
  });

  it('keep code, settings and names', () => {
    const kept = ([english, chinese]: readonly [string, string]) =>
      fixedPartsOf(english).join() === fixedPartsOf(chinese).join();
    expect(entries.filter((entry) => !kept(entry))).toEqual([]);
  });

  it('are in Chinese', () => {
    /** What has no words, or only names. */
    const wordless = new Set(['- `{0}`: {1}', 'a URL', 'a tool_call_id', '{0}.mcpServers.{1}: {2}']);
    expect(
      entries.filter(([english, chinese]) => !wordless.has(english) && !/\p{Script=Han}/u.test(chinese)),
    ).toEqual([]);
  });

  it('have nothing that nobody says', () => {
    const sources = globSync('src/{agent,transcripts,compaction,presenters,extension}/**/*.ts')
      .filter((file) => !file.includes('/language/'))
      .map((file) => readFileSync(file, 'utf8').replaceAll("\\'", "'"))
      .join('\n');
    /** Put together from parts. */
    const composed: ReadonlySet<string> = new Set([
      'Reason: {0}',
      'The server said: {0}',
      '{0}: Remember in {1}',
      '{#0} file changed, {#1} {#2}',
      '{#0} files changed, {#1} {#2}',
      '{0} sent no compaction.',
      '{0} answered with a web page.',
      '{0} did not answer with a stream.',
      '{0} sent a line that is not valid JSON.',
      '{0}.mcpServers must be an object: a name and its server each.',
    ]);
    const isSaid = (english: string) =>
      english.split(/\{#?\d+\}/u).every((piece) => !words.test(piece) || sources.includes(piece.trim()));
    expect(
      entries.filter(([english]) => !composed.has(english) && !isSaid(english)).map(([english]) => english),
    ).toEqual([]);
  });
});
