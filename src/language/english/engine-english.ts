import { catalogue } from '../sentence.ts';

/** Sentences of the compaction engine: why a compaction did nothing, was refused or failed. */
export const engineSentences = catalogue('engine', {
  // Records.
  untouched: 'not touched',
  rewrittenByClient: 'rewritten by the client',
  stopped: 'Stopped before it was finished.',
  conversationChanged: 'The conversation changed in the meantime.',
  spendingLimitReached: 'This chat has reached its spending limit for automatic summaries.',

  // Invalid plans.
  noSuchMessageInContext: 'The context has no message {id}.',
  noMessageToInsertAfter: 'The context has no message {id} to insert after.',
  planNamesMessageTwice: 'The plan names message {id} twice.',
  summaryWithoutSource: 'A summary has no source.',

  // The transcript.
  hasIdAlready: 'The transcript already has {id}.',
  hasNoId: 'The transcript has no {id}.',
  hasNoMessage: 'The transcript has no message {id}.',
  compactionNotInForce: 'Compaction {id} is not in force.',

  // Files after a summary.
  fileCameBack: '{file} was restored with its current content',
  fileCameBackChanged: '{file} was restored; it has changed on disk since it was last in context',
  newerFileCameBack: 'a newer copy of {file} was restored',

  // Summaries.
  summaryIsEmpty: 'The summary is empty.',
  noSmallerSummary: 'No summary was smaller than the messages it replaces.',
  partsStayed: '{count} {count:part was|parts were} smaller than the summary and stayed unchanged.',
});
