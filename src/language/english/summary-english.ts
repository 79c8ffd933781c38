import { catalogue } from '../sentence.ts';

/** Sentences about summaries: why none was written, and what a summary lacks. Loaded with the first summary. */
export const summarySentences = catalogue('summary', {
  needsModel: 'This strategy needs a model, but none is available.',
  summariserFailed: 'The summarising model failed: {error}',
  windowTooSmall:
    'The window of {model} ({window} {window:token|tokens}) is too small to summarise anything.',
  summaryAtItsLimit: 'The summary takes {tokens} {tokens:token|tokens} and has reached its limit of {limit}.',
  summaryCutOff: 'The summary was cut off at its output limit.',
  noText: 'The model returned no text.',
  onlyWhitespace: 'The model returned nothing but white space.',
  onlyReasoning: 'The model returned its reasoning, but no summary.',
  summaryUnclosed: 'The summary breaks off before its closing tag.',
  noTag: 'The model’s reply contains no <{tag}>.',
  noFactsToRead: 'The reply contains no readable facts.',
  nothingFoundAbout: 'Nothing was found about {concept}: {error}',
  secondRequestFailed: 'The second request failed: {error}',
  clippedForSummariser: 'Texts over {characters} characters were clipped for the summariser.',
  oldestLeftOut:
    "{count} of the oldest messages did not fit into the summariser's window and {count:was|were} left out.",
  onlyProviderReads: 'Only the provider can read this summary, so it cannot be edited.',
});
