import { catalogue } from './sentence.ts';

/** Sentences of the extension itself: commands, notices and settings. */
export const hostSentences = catalogue('host', {});
