import { catalogue } from './sentence.ts';

/** Sentences of the compaction engine: why a compaction did nothing, was refused or failed. */
export const engineSentences = catalogue('engine', {
  nothingToFree: 'Nothing to free.',
  maskingFreesTooLittle: 'Masking would free {freed} {freed:token|tokens}, less than {least}.',
});
