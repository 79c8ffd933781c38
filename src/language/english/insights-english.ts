import { catalogue } from '../sentence.ts';

/** Sentences of the inspector's findings: health, coverage and exports. */
export const insightsSentences = catalogue('insights', {
  prefixUnknown: 'Fewer than two requests so far.',
  prefixKept: 'All {pairs} requests could reuse the cache.',
  prefixBroken: '{whole} of {pairs} requests could reuse the cache. {broken} could not: {causes}.',
  causeCompactions: '{count} {count:compaction|compactions}',
  causeUndos: '{count} {count:undo|undos}',
  causeRestores: '{count} {count:restored message|restored messages}',
  causeOthers: '{count} other {count:change|changes}',
  prefixAdvice: 'Compact less often and free more each time: lower the target.',

  differenceNone:
    'This request starts with the complete previous one, so a prompt cache can serve all of it.',
  differenceExpired:
    'The provider read less from its cache. Entries expire within minutes, and short prompts are often not cached; {minutes} {minutes:minute|minutes} lie between the two replies.',
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
  differenceRewritten: 'The client changed messages that it had sent before.',
  differenceUndo: '{count} {count:compaction was|compactions were} undone.',
  differenceRestore: '{count} {count:message was|messages were} brought back.',
  differenceLate: 'The result of a tool call arrived after a request had been sent without it.',
  firstChangeSystem: 'The first change is in the system prompt.',
  firstChangeMemory: 'The first change is in memory: {source}.',
  firstChangeAttachments: 'The first change is in a message with attachments.',

  breakModel: 'Another model: {before}, then {after}',
  breakTools: 'Tools changed. {changes}',
  breakField: 'Tool {tool}, {field}: {form}',
  breakToolOrder: 'Order of the tools',
  breakCompaction: 'Compaction: {strategy}',
  breakHidden: 'Messages hidden by hand',
  breakRewound: 'Chat continued from an earlier message',
  breakRewritten: 'Messages that the client removed or replaced',
  breakMessage: '{where}: {form}',
  breakSection: '{where}, “{section}”: {form}',
  breakUndo: 'Compaction undone',
  breakRestore: 'Messages brought back',
  breakLate: 'Result of a tool call after a request without it',
  breakExpired: 'Cache probably expired: more than 5 minutes since the previous request',
  breakUnexplained:
    'Unexplained: another server answered, or a part changed that the session does not contain',
  formDate: 'date',
  formTime: 'time of day',
  formId: 'id',
  formPath: 'path',
  formNumber: 'number',
  formAppended: 'text added at the end',
  formShortened: 'end removed',
  formText: 'text',

  newMemory: 'Memory was loaded or changed: {sources} ({tokens} tokens, added at the end).',
  newSystem: 'Instructions were added or changed ({tokens} tokens, added at the end).',
  newAttachments:
    '{count} {count:message|messages} with attachments {count:was|were} added ({tokens} tokens).',

  viewKept: 'in context both times',
  viewSaid: 'added in between',
  viewRestored: 'in context again',
  viewUnwritten: 'the compaction that wrote this message no longer applies',
  viewArrived: 'the missing result has arrived',

  staticFirst: 'Instructions come first ({tokens} tokens), so they stay cached.',
  staticLate:
    '{late} {late:message|messages} with instructions or memory ({tokens} tokens) came later, at the end. The cache is not affected.',

  cacheUnknown: 'The provider has not reported cache reads.',
  cacheShare: '{cachedShare:percent} of {input} input tokens came from the provider’s cache.',
  cacheAdvice:
    '{keptShare:percent} could have: entries expired between requests, or this provider has no cache.',

  toolOutputShare: 'Tool results take {resultShare:percent} of the next request.',
  toolOutputParts: 'Tool results take {resultShare:percent} of the next request: {parts}.',
  staleResults: '{count} replaced by later results ({tokens} tokens)',
  shortenedResults: '{count} shortened',
  toolOutputAdvice: 'A strategy that masks old results frees the most: {ladder} or {masking}.',

  ingestNone: 'No result was too long.',
  ingestShortened:
    '{count} long {count:result was|results were} shortened on arrival and can be recalled in full.',
  ingestLong: '{count} {count:result has|results have} more than {limit} tokens: {tokens} in total.',
  ingestAdvice: 'Ask for parts of files and for less output.',

  triggerUnknown: 'The window of the model is unknown, so compaction cannot start at a share of it.',
  triggerOff: 'Automatic compaction is off.',
  triggerAt: 'Compaction starts at {trigger} tokens, {triggerShare:percent}',
  triggerBegins:
    'Compaction starts in the background at {background} tokens, and at {trigger} ({triggerShare:percent}) at the latest',
  triggerSensible: '{starts}.',
  triggerTooLate: '{starts}: one more long result would not fit.',
  triggerTooEarly: '{starts}, earlier than needed. Each compaction costs a cache miss.',
  triggerAdvice: 'Between 70% and 85%, a long result still fits.',
  windowAdvice: 'Set the window of the model.',
  modeAdvice: 'Let it start automatically, or be asked before each one.',

  allocationWithin: 'Every part of the window is within its share.',
  allocationSystem: 'System messages take {usedShare:percent} of the window.',
  allocationTools: 'Tool definitions take {usedShare:percent} of the window.',
  allocationConversation: 'The conversation takes {usedShare:percent} of the window.',
  allocationToolOutput: 'Tool results take {usedShare:percent} of the window.',
  allocationDocuments: 'Documents take {usedShare:percent} of the window.',
  allocationUnknown: 'The window of the model is unknown.',
  allocationSystemAdvice: 'Shorten instructions and memory files.',
  allocationToolsAdvice: 'Turn off servers whose tools you do not use.',

  protectedNone: 'Nothing is always in the window.',
  protectedNamed: 'Always in the window: {total} tokens ({parts}).',
  protectedTight:
    '{total} tokens ({parts}) are always in the window, {floorShare:percent} of the target of {limit}.',
  protectedPart: '{name} {tokens}',
  protectedNotInFile: 'not in the file',
  protectedTools: 'tool definitions',
  protectedSystem: 'system messages',
  protectedPins: 'pinned messages',
  protectedMemory: 'memory',
  protectedNewestRequest: 'your newest message',
  protectedFirstRequest: 'your first message',
  protectedAdvice: 'Unpin messages, shorten memory files, or turn off tools.',

  completenessNone: 'Nothing compacted yet.',
  completenessAll: 'The last compaction kept every fact.',
  completenessLost: 'The last compaction lost {lost}.',
  lostFiles: '{count} {count:file|files}',
  lostCommands: '{count} {count:command|commands}',
  lostErrors: '{count} {count:error|errors}',
  lostIdentifiers: '{count} {count:identifier|identifiers}',
  lostUserMessages: '{count} of your messages',
  completenessAdvice: 'Bring them back from the compaction.',

  strategyNone: 'Nothing compacted yet.',
  strategyPaid: 'The last compaction was worth it after {breakEven} {breakEven:request|requests}.',
  strategyOpen:
    'The last compaction is worth it after {breakEven} {breakEven:request|requests}; {since} so far.',
  strategyNever: 'The last compaction cost more in cache writes than it saves.',
  strategyEarlier: '{last} Of {earlier} {earlier:earlier one|earlier ones}, {paid} {paid:was|were} worth it.',
  strategyOften:
    'Compacted {compactions} times in {calls} requests: the cache is written more often than read.',
  strategyAdvice: 'Free more each time: lower the target, or use {ladder}.',

  taskNone: 'No request yet.',
  taskReported:
    '{tasks:Your message|Each of your messages} cost about {perTask} input tokens ({billedPerTask} with the cache).',
  taskCounted:
    '{tasks:Your message|Each of your messages} cost about {perTask} input tokens ({billedPerTask} with a perfect cache).',
  taskAdvice: 'Most of this could not come from a cache.',
});
