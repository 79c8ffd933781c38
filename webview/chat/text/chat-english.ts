import type { Coverage, RecordStatus, TriggerSource } from '../../../src/protocol/engine-terms.ts';
import type {
  CommandReach,
  CommandTermsView,
  FileChangeView,
  PlanStepView,
  SubAgentView,
  ToolRow,
} from '../../../src/protocol/chat-rows.ts';
import type { Activity } from '../../../src/protocol/chat.ts';

/** The texts of what a person is asked, in English. */
export const englishApproval = {
  label: (title: string) => `Approval: ${title}`,
  runCommand: 'Run this command?',
  details: 'Action details',
  length: (lines: number, characters: number) =>
    `${lines === 1 ? '1 line' : `${lines} lines`}, ${characters} characters; the end is above the buttons.`,
  toBeginning: 'Show the beginning',
  strange: (names: readonly string[]) =>
    `Contains characters that look like others: ${names.join(', ')}. Check it before you allow it.`,
  whereItRuns: 'Where it runs',
  reach: {
    sandbox: 'In the sandbox, without network',
    network: 'In the sandbox, with network',
    everything: 'Outside the sandbox',
  } satisfies Record<CommandReach, string>,
  ruleReach: {
    sandbox: ', in the sandbox without network',
    network: ', in the sandbox with network',
    everything: ', outside the sandbox',
  } satisfies Record<CommandReach, string>,
  risk: {
    sandbox: '',
    network:
      'With network, it also reaches services of this machine, some outside the sandbox: the screen and the keyboard (X11), D-Bus, servers on localhost.',
    everything: 'Outside the sandbox, it can do anything you can.',
  } satisfies Record<CommandReach, string>,
  withoutSandbox: {
    off: 'The sandbox is turned off: the command can do anything you can.',
    missing: 'This machine has no sandbox: the command can do anything you can.',
    home: 'Your home folder is in the workspace, so no sandbox is possible: the command can do anything you can.',
    folder:
      'The file system of this folder cannot hold back changes, so no sandbox is possible: the command can do anything you can.',
  } satisfies Record<NonNullable<CommandTermsView['withoutSandbox']>, string>,
  asksForNetwork: (reason: string) =>
    reason === '' ? 'Asks for network access.' : `Asks for network access: “${reason}”`,
  changes: 'Planned changes',
  once: 'Allow once',
  session: 'Allow for this session',
  always: 'Always allow',
  reject: 'Reject',
  allows: (rule: string) => `“Allow for this session” and “Always allow” cover: ${rule}`,
  feedback: 'What should it do instead? (optional)',
  back: 'Back',
  count: (count: number) =>
    count === 1 ? '1 action needs your approval' : `${count} actions need your approval`,
  which: (title: string) => `: ${title}`,
  show: 'Show',
  showNext: 'Show next',
};

/** Every text of the chat in English. */
export const englishStrings = {
  conversation: 'Conversation',
  you: 'You',
  assistant: 'Assistant',
  thinking: 'Thinking',
  stopped: 'Stopped before it finished.',
  goOn: 'Continue',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Copy failed',
  codeActions: {
    insert: { label: 'Insert', explained: 'Insert at the cursor of the editor' },
    apply: { label: 'Apply', explained: 'Apply to the open file, after a look at the change' },
  },
  jumpToLatest: 'Jump to latest',
  earlier: (count: string) => `Show earlier (${count})`,
  loadingEarlier: 'Reading the rest of this chat…',
  retry: 'Retry',

  activities: {
    idle: '',
    waiting: 'Waiting for the model…',
    streaming: 'Writing…',
    tools: 'Running tools…',
    // The line above the composer says it.
    approval: '',
    compacting: 'Compacting…',
  } satisfies Record<Activity, string>,

  toolStates: {
    running: 'running',
    waiting: 'needs your approval',
    failed: 'failed',
    declined: 'not allowed',
    interrupted: 'interrupted',
  } satisfies Record<Exclude<ToolRow['state'], 'done'>, string>,
  stateAndSummary: (state: string) => `${state}: `,
  stopCall: 'Stop',
  stopCallLabel: (tool: string) => `Stop ${tool}`,
  liveOutput: 'Output so far',
  tokensOf: (count: string) => `${count} tokens`,
  noOutput: 'No output.',
  noOutputYet: 'No output yet.',
  showAll: 'Show all',
  loading: 'Loading…',

  applied: (strategy: string, before: string, after: string) => `${strategy} · ${before} → ${after}`,
  inPlaceOf: (strategy: string) => `instead of ${strategy}`,
  undone: (what: string) => `${what} · undone`,
  notApplied: {
    refused: (strategy: string) => `${strategy} was refused`,
    failed: (strategy: string) => `${strategy} failed`,
    cancelled: (strategy: string) => `${strategy} was cancelled`,
    unchanged: (strategy: string) => `${strategy} made no changes`,
  },
  because: (what: string, reason: string) => `${what}: ${reason}`,
  sentence: (what: string) => `${what}.`,
  diff: 'Diff',
  details: 'Details',
  undo: 'Undo',

  /** Hiding, parts, and going on from a message. */
  hand: {
    more: 'More actions',
    menu: 'Message actions',
    hide: 'Hide',
    hideExchange: 'Hide the call and its results',
    hidePictures: 'Hide pictures',
    hideTool: (tool: string) => `Hide all results of ${tool}`,
    hidePath: (path: string) => `Hide all results for ${path}`,
    compactAbove: 'Compact everything above',
    compactBelow: 'Compact everything below',
    rewind: 'Go on from here',
    copy: 'Copy message',
    select: 'Select',
    selection: 'Selected messages',
    selected: (count: string) => `${count} selected`,
    isSelected: 'Selected: ',
    compactSelected: 'Compact from first to last',
    cancel: 'Cancel',
    hidden: (excerpt: string) => `Hidden: ${excerpt}`,
    hiddenCount: (count: string) => `${count} messages hidden`,
    show: 'Show',
    showAll: 'Show all',
    showLabel: (what: string) => `Show again. ${what}`,
    didHide: (messages: string, isOne: boolean, tokens: string) =>
      `Hidden by hand: ${messages} ${isOne ? 'message' : 'messages'}, ${tokens} tokens`,
    didHidePictures: (messages: string, isOne: boolean) =>
      `Pictures hidden by hand in ${messages} ${isOne ? 'message' : 'messages'}`,
    didRewind: 'Went on from an earlier message',
    ofPart: (messages: string, isOne: boolean) => `of ${messages} ${isOne ? 'message' : 'messages'}, by hand`,
  },

  record: {
    loading: 'Loading…',
    fates: 'Effect on messages',
    fate: (count: string, name: string) => `${count} ${name}`,
    fromTo: (before: string, after: string) => `${before} → ${after}`,
    coverage: {
      files: (kept: string, total: string) => keptOf(kept, total, 'file'),
      commands: (kept: string, total: string) => keptOf(kept, total, 'command'),
      errors: (kept: string, total: string) => keptOf(kept, total, 'error'),
      identifiers: (kept: string, total: string) => keptOf(kept, total, 'name'),
      userMessages: (kept: string, total: string) => `${kept} of ${total} of your messages`,
    } satisfies Record<keyof Coverage, (kept: string, total: string) => string>,
    kept: (parts: readonly string[]) => `Kept ${parts.join(', ')}`,
    missing: (names: readonly string[]) => `Missing: ${names.join(', ')}`,
    andMore: (count: string) => `and ${count} more`,
    yourMessages: (count: string) => `${count} of your messages`,
    neverPaysBack: 'Saves no tokens on later calls.',
    noMiss: (saved: string) => `Saves ${saved} tokens per call; the prompt cache is not affected.`,
    paysBack: (missed: string, saved: string, calls: string, isOne: boolean) =>
      `${missed} tokens must be cached again; saves ${saved} per call, which pays off after ${calls} ${isOne ? 'call' : 'calls'}.`,
    tried: (tiers: readonly string[]) => `Tried: ${tiers.join(', ')}`,
    tier: (strategy: string, status: string) => `${strategy} (${status})`,
    tierStatuses: {
      applied: 'applied',
      unchanged: 'nothing to do',
      refused: 'refused',
      failed: 'failed',
      cancelled: 'cancelled',
    } satisfies Record<RecordStatus, string>,
    took: (duration: string) => `Took ${duration}.`,
    tookWith: (duration: string, model: string) => `Took ${duration}; summary by ${model}.`,
  },

  pins: {
    pin: 'Pin',
    pinLabel: (what: string) => `Pin ${what}`,
    answer: 'this answer',
    message: 'this message',
    resultOf: (tool: string) => `the result of ${tool}`,
    explained: 'Keeps this unchanged in every compaction; restores it if one changed it',
    count: (count: string) => `${count} pinned`,
    list: 'Pinned messages',
    show: (text: string) => `Show: ${text}`,
    unpin: 'Unpin',
    unpinLabel: (text: string) => `Unpin: ${text}`,
    unknown: 'A message that is not shown here',
  },

  find: {
    label: 'Find in chat',
    placeholder: 'Find',
    count: (current: string, total: string) => `${current} of ${total}`,
    none: 'No results',
    next: 'Next match',
    previous: 'Previous match',
    close: 'Close',
  },

  approval: englishApproval,

  changes: {
    created: 'new',
    modified: '',
    deleted: 'deleted',
  } satisfies Record<FileChangeView['change'], string>,
  added: (count: string) => `+${count}`,
  removed: (count: string) => `−${count}`,
  countsSpoken: (added: string, removed: string) =>
    `${added} ${added === '1' ? 'line' : 'lines'} added, ${removed} removed`,
  review: 'Review',
  reviewLabel: (path: string) => `Review ${path} in the diff editor`,
  cutOff: 'The diff editor shows the full change.',
  filesChanged: (count: string, isOne: boolean) => (isOne ? '1 file changed' : `${count} files changed`),
  changedFiles: 'Changed files',
  editsUndone: 'undone',
  undoEdits: 'Undo Edits',

  subAgents: {
    list: 'Sub-agents',
    open: (name: string) => `Open ${name} in the inspector`,
    after: (names: string) => `after ${names}`,
    states: {
      waiting: 'waiting',
      running: 'running',
      done: 'done',
      failed: 'failed',
      stopped: 'stopped',
      skipped: 'skipped',
    } satisfies Record<SubAgentView['state'], string>,
  },

  queue: {
    list: 'Queued messages',
    queued: 'Queued',
    edit: 'Edit',
    editLabel: (text: string) => `Edit the queued message: ${text}`,
  },

  plan: {
    progress: (done: string, total: string) => `Plan ${done}/${total}`,
    now: (step: string) => ` · ${step}`,
    steps: 'Plan',
    states: {
      pending: 'to do',
      in_progress: 'now',
      done: 'done',
    } satisfies Record<PlanStepView['status'], string>,
  },

  editing: {
    edit: 'Edit',
    editLabel: 'Edit this message',
    label: 'Edited message',
    explained: 'Sending starts a new chat from this message. This chat stays in your list of chats.',
    save: 'Send in a new chat',
    cancel: 'Cancel',
  },

  completion: {
    label: 'Suggestions',
    count: (count: string, isOne: boolean) => (isOne ? '1 suggestion' : `${count} suggestions`),
  },

  pictures: {
    attach: 'Attach pictures',
    list: 'Pictures',
    numbered: (number: string) => `picture ${number}`,
    open: (label: string) => `Open ${label}`,
    size: (width: string, height: string) => `${width} × ${height}`,
    notHere: 'The data of this picture is not in the session.',
  },

  attachments: {
    list: 'Attachments',
    remove: (label: string) => `Remove ${label}`,
    open: (label: string) => `Open ${label}`,
    tokens: (count: string) => `${count} tokens`,
    problem: (label: string, problem: string) => `${label}: ${problem}`,
  },

  price: {
    message: (tokens: string) => `This message ${tokens}`,
    request: (tokens: string) => `next request ${tokens}`,
    requestOf: (tokens: string, window: string) => `next request ${tokens} of ${window}`,
    compacts: 'Sending this will trigger a compaction.',
  },

  composer: 'Message',
  placeholder: 'Ask about this workspace',
  send: 'Send',
  stop: 'Stop',
  loadingHint: 'You can send this as soon as all of the chat was read.',
  busyHint: 'Press Enter to queue this message. The agent reads it before its next step.',
  modelLabel: (model: string) => `Model: ${model}. Select to change it.`,
  strategyLabel: (strategy: string) => `Compaction strategy: ${strategy}. Select to change it.`,
  offlineModel: 'Offline model',
  offlineModelLabel: 'Offline model. Set an API key.',

  meter: {
    toCompaction: (count: string) => `compacts in ${count} tokens`,
    toQuestion: (count: string) => `${count} until you are asked to compact`,
    dueNow: 'compaction due',
    backgroundDue: 'about to compact',
    questionDue: 'asks before compacting',
    underWay: 'compacting in the background',
    tokens: (count: string) => `${count} tokens`,
    name: (tokens: string) => `Context: ${tokens} tokens.`,
    nameOfWindow: (tokens: string, window: string, share: string) =>
      `Context: ${tokens} of ${window} tokens, ${share}.`,
    nameOfKind: (kind: string, tokens: string) => `${kind} ${tokens}`,
    reported: (tokens: string) => `Last request: ${tokens} tokens reported`,
    fromCache: (share: string) => `, ${share} from cache`,
    open: 'Open the inspector.',
    breaker: 'Automatic summaries are paused after three failures in a row.',
    spendingLimit: 'Automatic summaries are paused: this chat has reached its spending limit.',
    compactNow: 'Compact now',
  },

  readOnly: {
    otherWindow: (name: string) => `This chat is open in another window${name === '' ? '' : ` (${name})`}.`,
    newerVersion: 'A newer version of Context Budget wrote this chat. Update the extension to continue.',
    takeOver: 'Take over',
    fork: 'Fork',
  },
  proposal: {
    label: 'Proposed compaction',
    full: (share: string) => `Context is ${share} full`,
    holds: (tokens: string) => `Context holds ${tokens} tokens`,
    grown: {
      messages: 'Many messages since the last compaction',
      turns: 'Many turns since the last compaction',
      planStep: 'A plan step is done',
    } satisfies Partial<Record<TriggerSource, string>>,
    compactNow: 'Compact now',
    preview: 'Preview…',
    withFocus: 'With a focus…',
    otherStrategy: 'Other strategy…',
    notNow: 'Not now',
    focus: 'What matters most in the conversation so far?',
    strategy: 'Strategy for this compaction',
    compact: 'Compact',
    back: 'Back',
  },

  welcome: {
    title: 'Ask about this workspace',
    intro: 'The bar below shows what fills the context window. You can inspect and undo every compaction.',
    offlineTitle: 'You are using the offline model',
    offline:
      'It needs no key and no network: it searches the open folder and quotes what it finds. Watch the context fill up and get compacted. For written answers, set an API key.',
    setApiKey: 'Set API key',
    examples: [
      'What does this project do, and where does it start?',
      'Which files are the longest, and could they be split?',
      'Which part is the hardest to understand, and why?',
    ],
    /** The offline model looks for words that occur in the files. */
    offlineExamples: ['List the files', 'Read README.md', 'Where are errors handled?'],
    examplesLabel: 'Examples',
    openSample: 'Open a sample session',
    openOther: 'Open a session of another agent…',
  },

  restricted: 'Restricted Mode: the agent cannot read files until you trust this workspace.',
};

/** The texts of the chat, in any language. */
export type ChatStrings = typeof englishStrings;

/** @param one what is counted, of which there is one */
function keptOf(kept: string, total: string, one: string): string {
  return `${kept} of ${total} ${total === '1' ? one : `${one}s`}`;
}
