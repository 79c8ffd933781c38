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

  // Acceptance.
  providerWouldRefuse: 'A provider would refuse the result. {violation}',
  callBecameAnother: 'A call of message {id} would become another call.',
  argumentsAreNoJson: 'Arguments of message {id} would no longer be valid JSON.',
  protectedWouldGo: 'Message {id} is protected and would be removed.',
  protectedWouldChange: 'Message {id} is protected and would be changed.',
  wouldChangeItsPlace: 'Message {id} would change its place.',
  keptIsMissing: 'Message {id} was to be kept, but is missing or different.',
  prefixWouldDiffer: 'Message {id} comes before the first change, but differs.',
  beforeSystemMessage: 'A new message would come before the system message {id}.',
  newButNoSummary: 'Message {id} is new in the context, but not a summary of the plan.',
  changesMoreThanText: 'Message {id} would change in more than its text and its arguments.',
  wrongTruncation: 'Message {id} would carry the wrong note of what happened to it.',
  noTextToReplace: 'Message {id} has no text that a placeholder could replace.',
  placeholderIsEmpty: 'The placeholder of message {id} is empty.',
  noTextToClip: 'Message {id} has no text that could be clipped.',
  contentOfAnotherType: 'The content of message {id} would become content of another type.',
  notAShorterForm: 'The text of message {id} would be replaced by another text, not by a shorter form of it.',
  partWithoutNote: 'An image or another part of message {id} would be removed without a note.',
  otherCalls: 'Message {id} would have other calls.',
  argumentsSayOther:
    'Arguments of message {id} would say something else: only their strings may become shorter.',
  summaryIsEmpty: 'The summary is empty.',
  summaryIsLarger: 'The summary takes {tokens} {tokens:token|tokens}, the messages it replaces {replaced}.',
  contextWouldGrow: 'The context would grow from {before} to {after} {after:token|tokens}.',
  contextWouldNotShrink: 'The context would stay at {tokens} {tokens:token|tokens}.',
  overTarget: 'The context would take {tokens} {tokens:token|tokens}, over the target of {target}.',

  // A request that a strict provider refuses.
  callWithoutResult: 'The call {call} of message {index} has no result after it.',
  answersCallTwice: 'Message {index} answers the call {call} a second time.',
  answersNoCall: 'Message {index} answers no call before it.',
  resultWithoutContent: 'Tool result {index} has no content.',
  unknownRole: 'Message {index} has the unknown role {role}.',
  emptyToolCalls: 'Message {index} has an empty list of tool calls.',
  messageWithoutContent: 'Message {index} has no content.',

  // Summaries.
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
