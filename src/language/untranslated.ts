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

/** Keys of the sentences that have no Simplified Chinese and are shown in English. */
export function untranslatedSentences(): readonly string[] {
  return catalogues.flatMap(({ area, english }) =>
    Object.keys(english)
      .map((key) => `${area}.${key}`)
      .filter((key) => !chineseTemplates.has(key)),
  );
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
