import { chineseTemplates } from './chinese.ts';
import { acceptanceSentences } from './acceptance-english.ts';
import { agentSentences } from './agent-english.ts';
import { bridgeSentences } from './bridge-english.ts';
import { customSentences } from './custom-english.ts';
import { engineSentences } from './engine-english.ts';
import { handSentences } from './hand-english.ts';
import { hostSentences } from './host-english.ts';
import { importsSentences } from './imports-english.ts';
import { insightsSentences } from './insights-english.ts';
import { liveSentences } from './live-english.ts';
import { modelsSentences } from './models-english.ts';
import type { Catalogue, SentenceTable } from './sentence.ts';
import { settingsSentences } from './settings-english.ts';
import { summarySentences } from './summary-english.ts';
import { startupSentences } from './startup-english.ts';
import { strategyTitles } from './strategy-titles-english.ts';
import { strategySentences } from './strategies-english.ts';
import { isRecord } from './is-record.ts';
import { bothPagesChinese } from './both-pages-chinese.ts';
import { bothPagesEnglish } from './both-pages-english.ts';
import { chatPageChinese } from './chat-page-chinese.ts';
import { chatPageEnglish } from './chat-page-english.ts';
import { compactionsPageChinese } from './compactions-page-chinese.ts';
import { compactionsPageEnglish } from './compactions-page-english.ts';
import { inspectorPageChinese } from './inspector-page-chinese.ts';
import { inspectorPageEnglish } from './inspector-page-english.ts';
import { ledgerPageChinese } from './ledger-page-chinese.ts';
import { ledgerPageEnglish } from './ledger-page-english.ts';
import type { TextTable } from './page-texts.ts';

/** Every area's sentences. */
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
  handSentences,
  hostSentences,
  liveSentences,
  modelsSentences,
  settingsSentences,
  startupSentences,
];

/** Texts of the pages, by area. */
export const pageTables: Readonly<
  Record<string, { readonly english: TextTable; readonly chinese: TextTable }>
> = {
  pages: { english: bothPagesEnglish, chinese: bothPagesChinese },
  chat: { english: chatPageEnglish, chinese: chatPageChinese },
  compactions: { english: compactionsPageEnglish, chinese: compactionsPageChinese },
  inspector: { english: inspectorPageEnglish, chinese: inspectorPageChinese },
  ledger: { english: ledgerPageEnglish, chinese: ledgerPageChinese },
};

/** Keys of the sentences and texts of pages that have no Simplified Chinese and are shown in English. */
export function untranslatedSentences(): readonly string[] {
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

/** The paths of the texts that a translation of a table leaves out, such as `meter.open`. */
export function untranslatedPaths(english: object, translation: object): readonly string[] {
  const translated = translation as Readonly<Record<string, unknown>>;
  return Object.entries(english).flatMap(([key, entry]: [string, unknown]) => {
    const other = translated[key];
    if (!isRecord(entry)) return other === undefined ? [key] : [];
    return untranslatedPaths(entry, isRecord(other) ? other : {}).map((path) => `${key}.${path}`);
  });
}
