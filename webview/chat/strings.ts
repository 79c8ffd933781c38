import type { TriggerSource } from '../../src/compaction/record.ts';
import type { Activity } from '../../src/extension/protocol/chat.ts';

/** Every text of the chat, in one place for translation. */
export const strings = {
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Assistant',
  thinking: 'Thinking',
  stopped: 'Stopped before it was done.',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied',
  jumpToLatest: 'Jump to latest',
  retry: 'Retry',

  activities: {
    idle: '',
    waiting: 'Waiting for the model…',
    streaming: 'Writing…',
    tools: 'Running tools…',
    compacting: 'Compacting…',
  } satisfies Record<Activity, string>,

  toolStates: { running: 'running', failed: 'failed', interrupted: 'interrupted' },
  tokensOf: (count: string) => `${count} tokens`,
  noOutput: 'No output.',
  noOutputYet: 'No output yet.',
  showAll: 'Show all',
  loading: 'Loading…',

  applied: (strategy: string, before: string, after: string) => `${strategy} · ${before} → ${after}`,
  inPlaceOf: (strategy: string) => `in place of ${strategy}`,
  undone: (strategy: string) => `${strategy} · undone`,
  notApplied: {
    refused: (strategy: string) => `${strategy} was refused`,
    failed: (strategy: string) => `${strategy} failed`,
    cancelled: (strategy: string) => `${strategy} was cancelled`,
    unchanged: (strategy: string) => `${strategy} changed nothing`,
  },
  because: (what: string, reason: string) => `${what}: ${reason}`,
  sentence: (what: string) => `${what}.`,
  diff: 'Diff',
  details: 'Details',
  undo: 'Undo',

  composer: 'Message',
  placeholder: 'Ask about this workspace',
  send: 'Send',
  stop: 'Stop',
  busyHint: 'You can send this when the answer is done, or stop it first.',
  modelLabel: (model: string) => `Model: ${model}`,
  strategyLabel: (strategy: string) => `Compaction strategy: ${strategy}. Change it.`,
  offlineModel: 'Offline model',
  offlineModelLabel: 'Offline model. Set an API key.',

  meter: {
    toCompaction: (count: string) => `${count} to compaction`,
    dueNow: 'compaction due',
    tokens: (count: string) => `${count} tokens`,
    name: (tokens: string) => `Context: ${tokens} tokens.`,
    nameOfWindow: (tokens: string, window: string, share: string) =>
      `Context: ${tokens} of ${window} tokens, ${share}.`,
    nameOfTrigger: (trigger: string) => `Compacts at ${trigger}.`,
    nameOfKind: (kind: string, tokens: string) => `${kind} ${tokens}`,
    open: 'Open the inspector.',
    breaker: 'Automatic summaries are paused after three failures in a row.',
    compactNow: 'Compact now',
  },

  proposal: {
    label: 'Proposed compaction',
    full: (share: string) => `Context is ${share} full`,
    holds: (tokens: string) => `Context holds ${tokens} tokens`,
    grown: {
      messages: 'Many messages since the last compaction',
      turns: 'Many turns since the last compaction',
    } satisfies Partial<Record<TriggerSource, string>>,
    compactNow: 'Compact now',
    notNow: 'Not now',
  },

  welcome: {
    title: 'Ask about this workspace',
    intro: 'The bar below shows what fills the context window. Every compaction can be looked at and undone.',
    offlineTitle: 'You are using the offline model',
    offline:
      'It needs no key and no network: it searches the open folder and quotes what it finds, so that you can watch the context fill and compact. For answers in words, set an API key.',
    setApiKey: 'Set API key',
    examples: [
      'What does this project do, and where does it start?',
      'Which files are the longest, and could they be split?',
      'Which part is the hardest to understand, and why?',
    ],
    /** The offline model looks for words that stand in the files. */
    offlineExamples: ['List the files', 'Read README.md', 'Where are errors handled?'],
    examplesLabel: 'Examples',
  },

  restricted: 'Restricted Mode: until you trust this workspace, the agent cannot read its files.',
} as const;
