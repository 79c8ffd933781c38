import type { AllocationGroup } from '../compaction/budget/budget.ts';

/**
 * What the health list says, in English. Names in braces are put in: those that end in `Share` are shares between 0 and
 * 1 and shown in per cent.
 */
export const englishSentences = {
  'prefix.none': 'Fewer than two requests were sent, so nothing can be said about how they begin.',
  'prefix.kept':
    'Each of {pairs} requests began with the whole request before it, so a prompt cache can serve all of that.',
  'prefix.broken':
    '{whole} of {pairs} requests began with the whole request before it; {keptShare} of all tokens stayed in place. Broken by compactions: {compactions}, undone ones: {undos}, restored messages: {restores}, anything else: {others}.',
  'prefix.advice':
    'Compact less often and more at once: a lower target leaves more room until the next time.',
  'staticFirst.good':
    'System messages and memory stand first: {tokens} tokens that never change their place.',
  'staticFirst.late':
    'Messages with instructions or memory behind the first request: {late}, with {tokens} tokens. They came while the session ran, and are sent where they came.',
  'cache.unknown': 'The provider has not reported how much of its input came from its cache.',
  'cache.share':
    '{cachedShare} of the {input} input tokens of {calls} requests came from the provider’s cache.',
  'cache.advice':
    'The beginning of the requests stayed the same for {keptShare} of the tokens. Where much less comes from the cache, it was forgotten between requests, or the endpoint does not keep one.',
  'toolOutput.share':
    'Tool results take {resultShare} of the {total} tokens of the next request. Results that a later one makes up for: {stale}, with {staleTokens} tokens. Messages that a compaction shortened, their originals in the archive: {shortened}.',
  'toolOutput.advice':
    'A strategy that masks old results, such as ladder or observation-masking, frees the most.',
  'ingest.none': 'No tool result was long enough to be shortened when it came in.',
  'ingest.shortened':
    'Long results shortened when they came in: {count}. Their whole text is in the archive.',
  'ingest.long':
    'Results of more than {limit} tokens that are in view whole: {count}, with {tokens} tokens. Shortened when they came in: {shortened}.',
  'ingest.advice': 'Ask for parts of files and for less output; what is in the archive can be recalled.',
  'trigger.unknown': 'The window of the model is not known, so no compaction starts at a share of it.',
  'trigger.off':
    'Compactions do not start by themselves; only a request that is too long for the window starts one.',
  'trigger.sensible':
    'Compactions start at {triggerShare} of the window, in the range of 70–80\u00a0% that the guide gives.',
  'trigger.late':
    'Compactions start at {triggerShare} of the window, later than the 70–80\u00a0% of the guide: sizes are counted exactly before each request, and {reserved} tokens stay free for the reply.',
  'trigger.tooLate':
    'Compactions start at {triggerShare} of the window: one long result more, and a request does not fit.',
  'trigger.tooEarly':
    'Compactions start at {triggerShare} of the window: more of them than needed, and each one costs the cache.',
  'trigger.advice':
    'Between 70 and 85\u00a0% of the window there is room for a long result, and rarely a compaction too many.',
  'trigger.windowAdvice': 'Set the window of the model.',
  'trigger.modeAdvice': 'Let compactions start by themselves, or be asked before each.',
  'allocation.within': 'Every part of the window is within its share.',
  'allocation.over':
    'Over their share of the window: {groups}. The largest, {largest}, takes {usedShare} and is meant to take {meantShare}.',
  'allocation.unknown': 'The window of the model is not known, so no part of it can be too large.',
  'allocation.systemAdvice': 'Fewer or shorter instructions and memory files make room at every request.',
  'allocation.toolsAdvice':
    'Every tool takes room at every request: turn off servers whose tools are not used.',
  'protected.named':
    'Never compacted: system messages ({system} tokens), memory ({memory}), pins ({pins}), the newest request ({newestRequest}) and the first one ({firstRequest}); tool schemas take {tools}. Together {total}.',
  'protected.tight':
    'What is never compacted takes {total} tokens, {floorShare} of the {limit} that a compaction aims at: system messages {system}, memory {memory}, pins {pins}, newest request {newestRequest}, first request {firstRequest}, tool schemas {tools}.',
  'protected.advice': 'Unpin what is not needed any more; shorten memory files; turn off tools.',
  'completeness.none': 'Nothing was compacted yet.',
  'completeness.kept':
    'After the last compaction the view still says {keptShare} of the facts: files {files} of {filesTotal}, commands {commands} of {commandsTotal}, errors {errors} of {errorsTotal}, identifiers {identifiers} of {identifiersTotal}, requests {userMessages} of {userMessagesTotal}.',
  'completeness.advice':
    'Missing facts can be brought back one by one; a strategy with a ledger copies all of them.',
  'strategy.none': 'Nothing was compacted yet, so {strategy} has cost nothing.',
  'strategy.paid':
    'Compactions that have paid for themselves under the prompt cache: {paid} of {compactions}; the last one needs {breakEven} requests and has had {since}.',
  'strategy.open':
    'The last compaction needs {breakEven} requests to pay for itself under the prompt cache and has had {since}; of those before it, {paid} of {earlier} did.',
  'strategy.never':
    'The last compaction never pays for itself under the prompt cache: it saves too little for what it writes anew. Of those before it, {paid} of {earlier} did.',
  'strategy.often':
    'The view was rewritten {compactions} times in {calls} requests: a prompt cache is written anew more often than it is read.',
  'strategy.advice': 'Compact in larger batches: a target further below the trigger, or the strategy ladder.',
  'task.none': 'No request was sent yet.',
  'task.reported':
    'Input for each of {tasks} typed messages, as reported: {perTask} tokens, which cost as much as {billedPerTask} without a cache.',
  'task.counted':
    'Input for each of {tasks} typed messages, as counted: {perTask} tokens; with a prompt cache that forgets nothing they cost as much as {billedPerTask} without one.',
  'task.advice':
    'What counts is the whole task, not one request: most of this input could not be read from a cache.',
} as const satisfies Readonly<Record<string, string>>;

export type SentenceKey = keyof typeof englishSentences;

/** The parts of the window that sentences name. */
export const englishGroups: Readonly<Record<AllocationGroup, string>> = {
  system: 'system',
  tools: 'tools',
  conversation: 'conversation',
  toolOutput: 'tool output',
  documents: 'documents',
};
