import { catalogue } from './sentence.ts';

/** Sentences of the compaction engine: why a compaction did nothing, was refused or failed. */
export const engineSentences = catalogue('engine', {
  // Records.
  nothingToFree: 'Nothing to free.',
  maskingFreesTooLittle: 'Masking would free {freed} {freed:token|tokens}, less than {least}.',
  untouched: 'not touched',
  planChangesNothing: 'The plan changes nothing.',
  stopped: 'Stopped before it was done.',
  conversationChanged: 'The conversation changed in the meantime.',
  stillOverWindow:
    'The context would still take {tokens} {tokens:token|tokens}, over the window of {window}.',
  spendingLimitReached: 'This chat has reached its limit for automatic summaries.',

  // A plan that does not fit.
  noSuchMessageInContext: 'The context has no message {id}.',
  noMessageToInsertAfter: 'The context has no message {id} to insert after.',
  planNamesMessageTwice: 'The plan names message {id} twice.',
  summaryWithoutSource: 'A summary has no source.',

  // The transcript.
  hasIdAlready: 'The transcript already has {id}.',
  hasNoId: 'The transcript has no {id}.',
  hasNoMessage: 'The transcript has no message {id}.',
  compactionNotInForce: 'Compaction {id} is not in force.',

  // Summaries.
  summaryIsEmpty: 'The summary is empty.',
  needsModel: 'This strategy needs a model and there is none.',
  noSmallerSummary: 'No summary was smaller than the messages it replaces.',
  summariserFailed: 'The summarising model failed: {error}',
  windowTooSmall:
    'The window of {model} ({window} {window:token|tokens}) is too small to summarise anything.',
  summaryAtItsLimit: 'The summary takes {tokens} {tokens:token|tokens} and its limit is {limit}.',
  summaryCutOff: 'The summary was cut off at its output limit.',
  noText: 'The model returned no text.',
  onlyWhitespace: 'The model returned nothing but white space.',
  onlyReasoning: 'The model returned its reasoning, but no summary.',
  summaryUnclosed: 'The summary breaks off before its closing tag.',
  noTag: 'The reply of the model has no <{tag}>.',
  noFactsToRead: 'The reply holds no facts that can be read.',
  nothingFoundAbout: 'Nothing was found about {concept}: {error}',
  secondRequestFailed: 'The second request failed: {error}',
  partsStayed: '{count} {count:part was|parts were} smaller than the summary and stayed unchanged.',
  clippedForSummariser: 'Texts over {characters} characters were clipped for the summariser.',
  oldestLeftOut:
    "{count} oldest {count:message|messages} did not fit into the summariser's window and {count:was|were} left out.",
});
