/** Strings that both pages show about a context and its compactions, in English. */
export const bothPagesEnglish = {
  kinds: {
    system: 'System',
    tools: 'Tool definitions',
    memory: 'Memory',
    user: 'You',
    assistant: 'Assistant',
    reasoning: 'Thinking',
    toolCall: 'Tool calls',
    toolResult: 'Tool results',
    summary: 'Summaries',
    reminder: 'Reminders',
    skill: 'Skills',
    skillMetadata: 'Skill list',
    file: 'Restored files',
  },

  betweenNames: ', ',

  fates: {
    keep: 'kept',
    hide: 'hidden',
    clip: 'clipped',
    offload: 'offloaded',
    drop: 'dropped',
    summarise: 'summarised',
    insert: 'inserted',
    restore: 'restored',
  },

  /** Manual compactions. */
  byHand: {
    hide: 'Hidden by hand',
    rewind: 'Continued from an earlier message',
    edited: 'summary edited by hand',
    part: 'of {count} {count:message|messages}',
  },

  filesCameBack: '{count} {count:file|files} restored ({tokens} tokens)',

  /** The start of a compaction and its reason. */
  trigger: {
    starts: {
      background: 'in the background',
      early: 'early',
      due: 'at the limit',
    },
    size: '{tokens} tokens',
    sizes: '{tokens} tokens ({counted} as counted here)',
    background: 'Started in the background at {size}: background compactions start at {from}.',
    early: 'Shortened early at {size}, because it saves more than it costs.',
    ratio: 'Due at {size}: the configured share of the window is {limit}.',
    reserve: 'Due at {size}: everything above {limit} is reserved for the reply.',
    tokens: 'Due at {size}: the configured limit is {limit}.',
    messages: 'Due at {size}: more than {limit} new messages.',
    turns: 'Due at {size}: more than {limit} new turns.',
    overflow: 'Due at {size}: the window holds {limit}.',
  },

  /** The provider's count of the next request compared with ours. */
  countsMore: 'The provider counts {tokens} more than the sum of the parts.',
  countsFewer: 'The provider counts {tokens} fewer than the sum of the parts.',

  /** Forecast of the next compaction. */
  outlook: {
    compacts: 'Compacts at {tokens}.',
    asks: 'Asks at {tokens} whether to compact.',
    begins: 'Starts in the background at {tokens}.',
    isPaused: 'Automatic compaction is paused after your undo.',
    isUnderWay: 'A compaction is running in the background.',
    shortensEarly: 'May shorten old output earlier.',
    nextMessage: 'Due with the next message.',
    messages: 'Due in {messages} messages, regardless of size.',
    nextTurn: 'Due with the next turn.',
    turns: 'Due in {turns} turns, regardless of size.',
  },
} as const;
