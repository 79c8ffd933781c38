import { catalogue } from './sentence.ts';

/** Sentences of the importers of other agents' sessions. */
export const importsSentences = catalogue('imports', {});
