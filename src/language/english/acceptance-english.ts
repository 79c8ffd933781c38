import { catalogue } from '../sentence.ts';

/**
 * Sentences of acceptance: reasons to refuse a plan. Separate from the sentences of the engine, because they are loaded
 * with the first compaction.
 */
export const acceptanceSentences = catalogue('acceptance', {
  providerWouldRefuse: 'A provider would refuse the result. {violation}',
  callBecameAnother: 'The plan would change a tool call in message {id}.',
  argumentsAreNoJson: 'Arguments of message {id} would no longer be valid JSON.',
  protectedWouldGo: 'Message {id} is protected and would be removed.',
  protectedWouldChange: 'Message {id} is protected and would be changed.',
  wouldChangeItsPlace: 'The plan would move message {id} to another place.',
  keptIsMissing: 'Message {id} was to be kept, but is missing or different.',
  prefixWouldDiffer: 'Message {id} comes before the first planned change, but would be different.',
  beforeSystemMessage: 'A new message would come before the system message {id}.',
  newButNoSummary: 'The plan adds message {id}, which is not one of its summaries.',
  changesMoreThanText: 'The plan would change more of message {id} than its text and its arguments.',
  wrongTruncation: 'Message {id} would contain a wrong note about how it was changed.',
  noTextToReplace: 'Message {id} has no text that a placeholder could replace.',
  placeholderIsEmpty: 'The placeholder of message {id} is empty.',
  noTextToClip: 'Message {id} has no text that could be clipped.',
  contentOfAnotherType: 'The content of message {id} would become content of another type.',
  notAShorterForm: 'The text of message {id} would be replaced by another text, not by a shorter form of it.',
  partWithoutNote: 'An image or another part of message {id} would be removed without a note.',
  otherCalls: 'The plan would change the tool calls of message {id}.',
  argumentsSayOther: 'The plan changes arguments in message {id}; only shortening their strings is allowed.',
  summaryIsLarger: 'The summary takes {tokens} {tokens:token|tokens}, but replaces only {replaced}.',
  contextWouldGrow: 'The context would grow from {before} to {after} {after:token|tokens}.',
  contextWouldNotShrink: 'The context would stay at {tokens} {tokens:token|tokens}.',
  planChangesNothing: 'The plan changes nothing.',
  stillOverWindow:
    'The context would still take {tokens} {tokens:token|tokens}, more than the window of {window}.',
  overTarget: 'The context would take {tokens} {tokens:token|tokens}, more than the target of {target}.',

  // A request that a strict provider refuses.
  callWithoutResult: 'The call {call} of message {index} has no result after it.',
  answersCallTwice: 'Message {index} answers the call {call} a second time.',
  answersNoCall: 'Message {index} answers no call before it.',
  resultWithoutContent: 'Tool result {index} has no content.',
  unknownRole: 'Message {index} has the unknown role {role}.',
  emptyToolCalls: 'Message {index} has an empty list of tool calls.',
  messageWithoutContent: 'Message {index} has no content.',
});
