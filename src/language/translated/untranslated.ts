import { chineseTemplates } from '../chinese/chinese.ts';
import { acceptanceSentences } from '../english/acceptance-english.ts';
import { agentSentences } from '../english/agent-english.ts';
import { bridgeSentences } from '../english/bridge-english.ts';
import { customSentences } from '../english/custom-english.ts';
import { engineSentences } from '../english/engine-english.ts';
import { handSentences } from '../english/hand-english.ts';
import { hostSentences } from '../english/host-english.ts';
import { importsSentences } from '../english/imports-english.ts';
import { insightsSentences } from '../english/insights-english.ts';
import { liveSentences } from '../english/live-english.ts';
import { modelsSentences } from '../english/models-english.ts';
import type { Catalogue, SentenceTable } from '../sentence.ts';
import { settingsSentences } from '../english/settings-english.ts';
import { summarySentences } from '../english/summary-english.ts';
import { startupSentences } from '../english/startup-english.ts';
import { strategyTitles } from '../english/strategy-titles-english.ts';
import { strategySentences } from '../english/strategies-english.ts';
import { isRecord } from '../is-record.ts';
import { bothPagesChinese } from '../chinese/both-pages-chinese.ts';
import { bothPagesEnglish } from '../english/both-pages-english.ts';
import { chatPageChinese } from '../chinese/chat-page-chinese.ts';
import { chatPageEnglish } from '../english/chat-page-english.ts';
import { compactionsPageChinese } from '../chinese/compactions-page-chinese.ts';
import { compactionsPageEnglish } from '../english/compactions-page-english.ts';
import { inspectorPageChinese } from '../chinese/inspector-page-chinese.ts';
import { inspectorPageEnglish } from '../english/inspector-page-english.ts';
import { ledgerPageChinese } from '../chinese/ledger-page-chinese.ts';
import { ledgerPageEnglish } from '../english/ledger-page-english.ts';
import type { TextTable } from '../page-texts.ts';

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

/** Keys of sentences and page texts without a Simplified Chinese translation, which are shown in English. */
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

/** The paths of missing texts in a translation, such as `meter.open`. */
export function untranslatedPaths(english: object, translation: object): readonly string[] {
  const translated = translation as Readonly<Record<string, unknown>>;
  return Object.entries(english).flatMap(([key, entry]: [string, unknown]) => {
    const other = translated[key];
    if (!isRecord(entry)) return other === undefined ? [key] : [];
    return untranslatedPaths(entry, isRecord(other) ? other : {}).map((path) => `${key}.${path}`);
  });
}
