import { readFileSync } from 'node:fs';
import { chineseTemplates } from '../../src/language/chinese/chinese.ts';
import { acceptanceSentences } from '../../src/language/english/acceptance-english.ts';
import { agentSentences } from '../../src/language/english/agent-english.ts';
import { bridgeSentences } from '../../src/language/english/bridge-english.ts';
import { customSentences } from '../../src/language/english/custom-english.ts';
import { engineSentences } from '../../src/language/english/engine-english.ts';
import { commandSentences } from '../../src/language/english/commands-english.ts';
import { hostSentences } from '../../src/language/english/host-english.ts';
import { importsSentences } from '../../src/language/english/imports-english.ts';
import { insightsSentences } from '../../src/language/english/insights-english.ts';
import { liveSentences } from '../../src/language/english/live-english.ts';
import { modelsSentences } from '../../src/language/english/models-english.ts';
import type { Catalogue, SentenceTable } from '../../src/language/sentence.ts';
import { settingsSentences } from '../../src/language/english/settings-english.ts';
import { summarySentences } from '../../src/language/english/summary-english.ts';
import { startupSentences } from '../../src/language/english/startup-english.ts';
import { strategyTitles } from '../../src/language/english/strategy-titles-english.ts';
import { strategySentences } from '../../src/language/english/strategies-english.ts';
import { isRecord } from '../../src/language/is-record.ts';
import { bothPagesChinese } from '../../src/language/chinese/both-pages-chinese.ts';
import { bothPagesEnglish } from '../../src/language/english/both-pages-english.ts';
import { chatPageChinese } from '../../src/language/chinese/chat-page-chinese.ts';
import { chatPageEnglish } from '../../src/language/english/chat-page-english.ts';
import { compactionsPageChinese } from '../../src/language/chinese/compactions-page-chinese.ts';
import { compactionsPageEnglish } from '../../src/language/english/compactions-page-english.ts';
import { inspectorPageChinese } from '../../src/language/chinese/inspector-page-chinese.ts';
import { inspectorPageEnglish } from '../../src/language/english/inspector-page-english.ts';
import { ledgerPageChinese } from '../../src/language/chinese/ledger-page-chinese.ts';
import { ledgerPageEnglish } from '../../src/language/english/ledger-page-english.ts';
import type { TextTable } from '../../src/language/page-texts.ts';

/** The sentences of every area. */
export const catalogues: readonly Pick<Catalogue<SentenceTable>, 'area' | 'english'>[] = [
  engineSentences,
  acceptanceSentences,
  summarySentences,
  strategySentences,
  strategyTitles,
  customSentences,
  agentSentences,
  bridgeSentences,
  importsSentences,
  insightsSentences,
  commandSentences,
  hostSentences,
  liveSentences,
  modelsSentences,
  settingsSentences,
  startupSentences,
];

/** Area → texts of pages. */
export const pageTables: Readonly<
  Record<string, { readonly english: TextTable; readonly chinese: TextTable }>
> = {
  pages: { english: bothPagesEnglish, chinese: bothPagesChinese },
  chat: { english: chatPageEnglish, chinese: chatPageChinese },
  compactions: { english: compactionsPageEnglish, chinese: compactionsPageChinese },
  inspector: { english: inspectorPageEnglish, chinese: inspectorPageChinese },
  ledger: { english: ledgerPageEnglish, chinese: ledgerPageChinese },
};

/**
 * All texts of sentences, pages and the manifest without a translation into Simplified Chinese. They are shown in
 * English.
 */
export function untranslatedTexts(): readonly string[] {
  const manifest = untranslatedPaths(readTable('package.nls.json'), readTable('package.nls.zh-cn.json'));
  return [...untranslatedSentences(), ...manifest.map((key) => `manifest: ${key}`)];
}

function readTable(name: string): object {
  return JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as object;
}

/** Keys of sentences and page texts without a translation into Simplified Chinese, which are shown in English. */
function untranslatedSentences(): readonly string[] {
  const sentences = catalogues.flatMap(({ area, english }) =>
    Object.keys(english)
      .map((key) => `${area}.${key}`)
      .filter((key) => !chineseTemplates.has(key)),
  );
  const texts = Object.entries(pageTables).flatMap(([area, { english, chinese }]) =>
    untranslatedPaths(english, chinese).map((path) => `${area}.${path}`),
  );
  return [...sentences, ...texts];
}

/** Paths of texts that a translation lacks, such as `meter.open`. */
export function untranslatedPaths(english: object, translation: object): readonly string[] {
  const translated = translation as Readonly<Record<string, unknown>>;
  return Object.entries(english).flatMap(([key, entry]: [string, unknown]) => {
    const other = translated[key];
    if (!isRecord(entry)) return other === undefined ? [key] : [];
    return untranslatedPaths(entry, isRecord(other) ? other : {}).map((path) => `${key}.${path}`);
  });
}
