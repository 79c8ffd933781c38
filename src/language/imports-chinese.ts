import { importsSentences } from './imports-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the importers in Simplified Chinese. */
export const importsChinese = translations(importsSentences)({});
