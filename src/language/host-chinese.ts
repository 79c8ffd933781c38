import { hostSentences } from './host-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the extension in Simplified Chinese. */
export const hostChinese = translations(hostSentences)({});
