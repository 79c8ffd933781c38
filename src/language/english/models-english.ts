import { catalogue } from '../sentence.ts';

/** Sentences about models and their providers, the turns of the agent, and its sub-agents. */
export const modelsSentences = catalogue('models', {
  /** Text written by a third party, shown unchanged. */
  asWritten: '{text}',
  cannotCallTools: '{model} cannot call tools, so it cannot work as an agent.',
  checkBaseUrl: 'Check the base URL; most end in /v1.',
  connectionDropped: 'The connection to {host} was dropped in the middle of the reply. Try again.',
  connectionFailed: 'The connection to {host} failed. Check the base URL and the network.',
  connectionSilent: '{host} kept the connection open but sent nothing for {seconds} s. Try again.',
  conversationTooLong:
    'The conversation is too long for {model}. Compact it, or choose a model with a larger window.',
  discoveryNoList: '{host} did not answer with a list of models. {advice}',
  discoveryRefused: '{host} gives no information about its models (HTTP {status}). {advice}',
  discoveryTimeout: '{host} gave no information about its models within {seconds} s.',
  emptyReply: 'The model returned an empty reply.',
  endpointProblem:
    '{problem} Check that the base URL belongs to an OpenAI-compatible endpoint; most end in /v1.',
  hostHasProblem: '{host} reports an internal error{status}. Try again later.',
  hostLimits: '{host} is limiting requests{status}. {advice}',
  hostNotFound: '{host} cannot be found. Check the base URL and the network.',
  hostSentHtml: '{host} answered with a web page.',
  hostSentInvalidJson: '{host} sent a line that is not valid JSON.',
  hostSentNoCompaction: '{host} did not return a compacted conversation.',
  hostSentNoStream: '{host} did not send a streaming response.',
  hostTimedOut: '{host} timed out{status}. Try again.',
  httpStatus: ' (HTTP {status})',
  keyInvalid: 'The API key contains invalid characters. Set it again: run "Context Budget: Set API Key".',
  keyInvalidHere: 'The API key contains invalid characters. Set it again.',
  keyMissing: '{host} requires an API key{status}: run "Context Budget: Set API Key".',
  keyMissingHere: '{host} requires an API key.',
  keyRefused: '{host} refused the API key{status}. Check the key: run "Context Budget: Set API Key".',
  keyRefusedHere: '{host} refused the API key.',
  llamaCppShared: 'llama.cpp serves {slots} requests at a time; each can use {window} tokens.',
  lmStudioAdvice: 'Load it with a larger context length for longer work.',
  lmStudioUnloaded: 'LM Studio sets the window when it loads {model}; the window is known only after that.',
  modelNotFound:
    '{host} has no model "{model}", or no such API at this base URL{status}. Check both in the settings.',
  noAddress: 'an invalid address',
  noAnswer:
    '{host} did not answer within {seconds} s. Try again, or check that the server is not overloaded.',
  nothingAnswers: 'Nothing answers at {host}. Check the base URL, and check that the server is running.',
  ollamaAdvice:
    'It silently truncates longer conversations; start it with OLLAMA_CONTEXT_LENGTH set to a larger value.',
  ollamaUnloaded: 'Ollama sets the window when it loads {model}; the window is known only after that.',
  outputLimit: 'The reply reached the output limit of the model. Retry to let it continue.',
  quotaUsedUp: 'The quota of this key at {host} is used up{status}. Check your plan and billing there.',
  redirected:
    '{host} redirects to {target} (HTTP {status}). The redirect was not followed, because the request is meant for {host} only. If the new address is correct, enter it in the settings.',
  replyBytes: '{host} sent more than {limit} bytes, so the connection was closed.',
  replyCallArguments:
    '{host} sent a tool call whose arguments have more than {limit} characters, so the connection was closed.',
  replyCallName:
    '{host} sent a tool call whose name has more than {limit} characters, so the connection was closed.',
  replyCalls: '{host} sent more than {limit} tool calls in one reply, so the connection was closed.',
  replyCallsArguments:
    '{host} sent tool calls whose arguments have more than {limit} characters in total, so the connection was closed.',
  replyCutOff: 'The reply ended before it was complete.',
  replyEventBytes: '{host} sent an event that is larger than {limit} bytes, so the connection was closed.',
  replyLines: '{host} sent more than {limit} lines, so the connection was closed.',
  replyReasoning: '{host} sent more than {limit} characters of reasoning, so the connection was closed.',
  replyText: '{host} sent a reply that is longer than {limit} characters, so the connection was closed.',
  replyTooSlow: '{host} did not finish its reply within {minutes} minutes, so the request was stopped.',
  modelTakesNoPictures:
    '{model} does not accept pictures. Choose a model that accepts them and try again, or try again now to continue without them.',
  requestRejected: '{host} did not accept the request{status}.',
  stopped: 'Stopped.',
  stoppedAnswering: '{host} sent nothing for {seconds} s in the middle of its answer. Try again.',
  subAgentAwaitsApproval: 'Needs your approval',
  subAgentBegins: 'Starting',
  subAgentCalls: '{name} {label}',
  subAgentCallsMore: '{call} and {others} more',
  subAgentCompacts: 'Compacting its conversation',
  subAgentDependencyFailed: 'It depends on {name}, which failed.',
  subAgentDependencySkipped: 'It depends on {name}, which was skipped.',
  subAgentDependencyStopped: 'It depends on {name}, which was stopped.',
  subAgentNeverBegan: 'It was stopped before it began.',
  subAgentStopped: 'It was stopped.',
  subAgentWaits: 'Waits for {names}',
  tooManyHeaders:
    '{host} sent too many HTTP headers. Check that the base URL belongs to the server of a model.',
  tooManySteps:
    'The agent made {count} model {count:call|calls} without finishing. Retry to let it continue.',
  truncatedBy:
    '{model} seems to have read only the last {read} of {sent} tokens: the server silently truncates the conversation. Set contextBudget.window to the real window of the server, or give the model a larger window there.',
  unencrypted:
    'Nothing was sent to {host}, because it would not be encrypted. Use https://, or send again and allow it.',
  vscodeFailed: '{model} failed. Try again later.',
  vscodeLimited:
    '{model} accepts no more requests for now, because its limit or quota is reached. Wait a while, or choose another model.',
  vscodeModelMissing:
    'VS Code has no language model "{model}". Sign in to the extension that provides it, or run "Context Budget: Select Model…".',
  vscodeNotAllowed:
    'Context Budget may not use {model} yet. Send the message again and allow it, or allow it in the Accounts menu under "Manage Language Model Access…".',
  vscodeOffTopic: '{model} considers this question off-topic. Rephrase it, or choose another model.',
  vscodeUnreachable: '{model} could not be reached. Check the network.',
  waitAMoment: 'Wait a moment, then try again.',
  waitSeconds: 'Wait {seconds} s, then try again.',
  windowIsSmall: '{server} runs {model} with a window of {window} tokens; {largest} are possible. {advice}',
  withMore: '{first} {second}',
  withReason: '{message} Reason: {words}',
  withServerWords: '{message} The server said: {words}',
  withVscodeWords: '{message} VS Code said: {words}',
});
