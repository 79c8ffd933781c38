import { catalogue } from './sentence.ts';

/** Sentences of the inspector's findings: health, coverage and exports. */
export const insightsSentences = catalogue('insights', {});
