import { insightsSentences } from './insights-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the inspector's findings in Simplified Chinese. */
export const insightsChinese = translations(insightsSentences)({});
