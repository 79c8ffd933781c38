import { catalogue } from '../sentence.ts';

/** Sentences of the inspector's findings: health, coverage and exports. */
export const insightsSentences = catalogue('insights', {
  prefixUnknown: 'Fewer than two requests have been sent; there is no prefix to compare yet.',
  prefixKept:
    'Each of {pairs} requests started with the complete previous request, so a prompt cache can serve all of it.',
  prefixBroken:
    '{whole} of {pairs} requests started with the complete previous request; {keptShare:percent} of all tokens stayed in place. Causes of the other changes: compactions {compactions}, undos {undos}, restored messages {restores}, other {others}.',
  prefixAdvice:
    'Compact less often, and free more each time: a lower target leaves more room before the next compaction.',

  differenceNone:
    'This request starts with the complete previous one, so a prompt cache can serve all of that.',
  differenceExpired:
    'The provider read far less from its cache. Entries expire within minutes, and short prompts are often not cached; {minutes} {minutes:minute|minutes} lie between the two replies.',
  differenceModel: 'Another model answered: {before} before, {after} now. Models do not share a cache.',
  differenceTools: 'The tool list changed, and tools are sent before all messages. {changes}.',
  toolsAdded: 'Added: {tools}',
  toolsRemoved: 'Removed: {tools}',
  toolsChanged: 'With a changed definition: {tools}',
  toolFieldsReordered: 'Same content, but with its fields in a different order: {tools}',
  differenceToolOrder: 'The same tools were sent in another order, before all messages.',
  differenceCompaction: 'A compaction rewrote the conversation from here on: {strategy}.',
  differenceHidden: 'Messages were hidden by hand.',
  differenceRewound: 'The chat continued from an earlier message.',
  differenceUndo: '{count} {count:compaction was|compactions were} undone.',
  differenceRestore: '{count} {count:message was|messages were} brought back.',
  differenceLate: 'The result of a tool call arrived after a request had been sent without it.',
  firstChangeSystem: 'The first change is in the system prompt.',
  firstChangeMemory: 'The first change is in memory: {source}.',
  firstChangeAttachments: 'The first change is in a message with attachments.',

  newMemory: 'Memory was loaded or changed: {sources} ({tokens} tokens, added at the end).',
  newSystem: 'Instructions were added or changed ({tokens} tokens, added at the end).',
  newAttachments:
    '{count} {count:message|messages} with attachments {count:was|were} added ({tokens} tokens).',

  viewKept: 'in context both times',
  viewSaid: 'added in between',
  viewRestored: 'in context again',
  viewUnwritten: 'the compaction that wrote this message no longer applies',
  viewArrived: 'the missing result has arrived',

  staticFirst: 'System messages and memory come first: {tokens} tokens that never move.',
  staticLate:
    '{late} {late:message|messages} with instructions or memory ({tokens} tokens) arrived during the session. {late:It is|They are} sent after the first request, so the cache is not affected.',

  cacheUnknown: 'The provider has not reported how much input came from its cache.',
  cacheShare:
    '{cachedShare:percent} of the {input} input tokens of {calls} requests came from the provider’s cache.',
  cacheAdvice:
    '{keptShare:percent} of the tokens were in an unchanged beginning of a request. If much less than that comes from the cache, the cache expired between requests or the endpoint has none.',

  toolOutputShare:
    'Tool results take {resultShare:percent} of the {total} tokens of the next request. Superseded by later results: {stale} ({staleTokens} tokens). Shortened by compactions, with the originals in the archive: {shortened}.',
  toolOutputAdvice: 'A strategy that masks old results, such as {ladder} or {masking}, frees the most.',

  ingestNone: 'No tool result was long enough to be shortened on arrival.',
  ingestShortened:
    '{count} long tool {count:result was|results were} shortened on arrival. The archive has the full text.',
  ingestLong:
    'In context in full: {count} tool {count:result|results} of more than {limit} tokens, {tokens} tokens in total. Shortened on arrival: {shortened}.',
  ingestAdvice: 'Ask for parts of files and for less output; anything in the archive can be recalled.',

  triggerUnknown: 'Compaction cannot start at a share of the model’s window, because that window is unknown.',
  triggerOff: 'Automatic compaction is off; only a request that exceeds the window starts one.',
  triggerAt: 'Compaction starts at {trigger} tokens, {triggerShare:percent} of the window',
  triggerBegins:
    'Compaction starts in the background at {background} tokens, or at the latest at {trigger}, {triggerShare:percent} of the window',
  triggerSensible: '{starts}, within the recommended 70–85%.',
  triggerLate: '{starts}, later than the recommended 70–85%. {reserved} tokens stay free for the reply.',
  triggerTooLate: '{starts}: after one more long result, the next request would not fit.',
  triggerTooEarly: '{starts}: earlier than necessary, and every compaction invalidates the cache.',
  triggerAdvice:
    'A trigger between 70% and 85% of the window leaves room for a long result and avoids unnecessary compactions.',
  windowAdvice: 'Set the model’s window.',
  modeAdvice: 'Let compaction start automatically, or ask before each one.',

  allocationWithin: 'Every part of the window is within its share.',
  allocationOver:
    'Over their share of the window: {groups}. The largest, {largest}, takes {usedShare:percent} of the window; its share is {meantShare:percent}.',
  allocationUnknown: 'The model’s window is unknown, so no part of it can exceed its share.',
  allocationSystemAdvice: 'Fewer or shorter instructions and memory files free tokens in every request.',
  allocationToolsAdvice:
    'Every tool takes tokens in every request, so turn off servers whose tools you do not use.',
  groupSystem: 'system',
  groupTools: 'tool definitions',
  groupConversation: 'conversation',
  groupToolOutput: 'tool output',
  groupDocuments: 'documents',

  protectedNamed:
    'Never compacted: system messages ({system} tokens), memory ({memory}), pinned messages ({pins}), the newest request ({newestRequest}) and the first request ({firstRequest}). Tool definitions take {tools}. Total: {total}.',
  protectedTight:
    'Content that is never compacted takes {total} tokens, {floorShare:percent} of the target of {limit}: system messages {system}, memory {memory}, pinned messages {pins}, newest request {newestRequest}, first request {firstRequest}, tool definitions {tools}.',
  protectedNotInFile:
    'Never compacted: content that is not in the file, such as the system prompt and tool definitions ({notInFile} tokens); in the file, system messages ({system}), memory ({memory}), pinned messages ({pins}), the newest request ({newestRequest}), the first request ({firstRequest}) and tool definitions ({tools}). Total: {total}.',
  protectedTightNotInFile:
    'Content that is never compacted takes {total} tokens, {floorShare:percent} of the target of {limit}: not in the file {notInFile}, system messages in the file {system}, memory {memory}, pinned messages {pins}, newest request {newestRequest}, first request {firstRequest}, tool definitions in the file {tools}.',
  protectedAdvice: 'Unpin messages you no longer need, shorten memory files, or turn off tools.',

  completenessNone: 'Nothing has been compacted yet.',
  completenessKept:
    '{keptShare:percent} of the facts are still in context after the last compaction: files {files} of {filesTotal}, commands {commands} of {commandsTotal}, errors {errors} of {errorsTotal}, identifiers {identifiers} of {identifiersTotal}, requests {userMessages} of {userMessagesTotal}.',
  completenessAdvice:
    'Missing facts can be brought back one at a time; a strategy with a ledger copies all of them.',

  strategyNone: 'Nothing has been compacted yet, so {strategy} has cost nothing.',
  strategyPaid:
    '{paid} of {compactions} {compactions:compaction has|compactions have} paid back the cache {compactions:miss it|misses they} caused. The last one does so after {breakEven} {breakEven:request|requests}; {since} {since:has|have} been sent since.',
  strategyOpen:
    'The last compaction pays back its cache miss after {breakEven} {breakEven:request|requests}; {since} {since:has|have} been sent since. Earlier compactions that have paid back their cache misses: {paid} of {earlier}.',
  strategyNever:
    'The last compaction never pays back the cache miss it caused, because it saves too little. Earlier compactions that have paid back their cache misses: {paid} of {earlier}.',
  strategyOften:
    'The context was rewritten {compactions} times in {calls} requests: the prompt cache is written more often than it is read.',
  strategyAdvice: 'Compact in larger batches: set the target further below the trigger, or use {ladder}.',

  taskNone: 'No request has been sent yet.',
  taskReported:
    'For each message you typed ({tasks} in total), the provider reported {perTask} input tokens on average. They cost as much as {billedPerTask} uncached tokens.',
  taskCounted:
    'For each message you typed ({tasks} in total), {perTask} input tokens were counted on average. With a prompt cache that never expires, they cost as much as {billedPerTask} uncached tokens.',
  taskAdvice: 'What matters is the whole task: most of this input could not be read from a cache.',
});
