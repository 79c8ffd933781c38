import type { RecordStatus, TriggerSource } from '../../src/compaction/record.ts';
import type { ReportView, SessionChoice } from '../../src/protocol/inspector.ts';

/** Every text of the inspector, but for those of its tabs, in English. */
export const englishStrings = {
  sentences: (sentences: readonly string[]) => sentences.join(' '),
  window: (tokens: string) => `window ${tokens}`,
  unknownWindow: 'window unknown',
  strategy: 'strategy',
  strategyLabel: (strategy: string) => `Strategy: ${strategy}. Change it.`,
  compactNow: 'Compact now',
  compacting: 'Compacting…',

  tabs: {
    label: 'Parts of the session',
    messages: 'Messages',
    budget: 'Budget',
    timeline: 'Timeline',
    compactions: 'Compactions',
    whatIf: 'What if',
    ledger: 'Ledger',
  },
  picker: {
    title: 'Chat and sub-agents',
    chat: 'Main chat',
    states: {
      running: 'running',
      done: 'done',
      failed: 'failed',
      stopped: 'stopped',
    } satisfies Record<SessionChoice['state'], string>,
    /** Conversations beside the one in force in a file that was opened say what they are. */
    name: (name: string, kind: SessionChoice['kind']) =>
      kind === 'branch' ? `Branch: ${name}` : kind === 'sub-agent' ? `Sub-agent: ${name}` : name,
    facts: (state: string, tokens: string) => `${state} · ${tokens}`,
    tokens: (text: string) => `${text} tokens`,
  },
  messages: {
    title: 'Messages',
    loading: 'Loading the messages…',
    none: 'Nothing was said yet.',
    loadingText: 'Loading the text…',
    cut: (characters: string) => `Only the first ${characters} characters are shown.`,
  },

  usage: {
    title: 'Tokens in use',
    ofWindow: (window: string, share: string, counted: string) =>
      `of ${window} tokens · ${share} · ${counted}`,
    plain: (counted: string) => `tokens · ${counted}`,
    counted: 'counted',
    approximate: 'counted approximately',
    standIn:
      'This model has a tokenizer of its own, and another one counts in its place: the provider may count more or less.',
    reported: (tokens: string, since: number) =>
      since === 0
        ? `provider reported ${tokens}`
        : `provider reported ${tokens}, ${since} ${since === 1 ? 'message' : 'messages'} ago`,
    compactAt: (share: string) => `compact at ${share}`,
    askAt: (share: string) => `ask at ${share}`,
    backgroundAt: (share: string) => `background ${share}`,
    target: 'target',
    kind: 'Kind',
    tokens: 'Tokens',
    share: 'Share',
    ofAllotment: 'Of its allotment',
    allotment: (used: string, allotted: string) => `${used} of its ${allotted}`,
    allotmentTitle: (used: string, allotted: string) =>
      `${used} of the ${allotted} of the window that are meant for it and its like`,
    total: 'Total',
    reserved: 'Reserved for reply',
    free: 'Free',
    bar: (tokens: string, window: string) => `${tokens} of ${window} tokens in use.`,
    barOfTotal: (tokens: string) => `${tokens} tokens in use.`,
    barKind: (kind: string, tokens: string) => `${kind} ${tokens}`,
    barKinds: (kinds: readonly string[]) => `${kinds.join(', ')}.`,
    barReserved: (tokens: string) => `${tokens} are reserved for the reply.`,
    barTarget: (tokens: string) => `A compaction aims at ${tokens}.`,
  },

  report: {
    counted: (reported: string, counted: string) => `Last request: ${reported} reported, ${counted} counted.`,
    notInFile: (tokens: string, missing: ReportView['missing']) =>
      `${tokens} are not in the file: ${missing.map((name) => (name === 'system' ? 'system prompt' : 'tool schemas')).join(' and ')}.`,
    difference: (tokens: string) => `The two tokenizers differ by ${tokens}.`,
    cached: (share: string) => `${share} of the input came from the cache.`,
    cost: (money: string) => `All requests cost ${money}.`,
    partOfCost: (money: string) => `Requests whose price is known cost ${money}.`,
  },

  compactions: 'Compactions',
  empty: {
    title: 'No compactions yet',
    automatic: (tokens: string) =>
      `When the conversation reaches ${tokens} tokens it is compacted. Each compaction is listed here with what became of every message, and a way back.`,
    asked: (tokens: string) =>
      `When the conversation reaches ${tokens} tokens you are asked whether to compact it. Each compaction is listed here with what became of every message, and a way back.`,
    byHand:
      'Each compaction is listed here with what became of every message, and a way back. Start one to see it.',
    lookedAt: 'Nothing was compacted in this session.',
  },

  triggers: {
    manual: 'by hand',
    ratio: 'automatic',
    reserve: 'automatic, room for the reply',
    tokens: 'automatic, number of tokens',
    messages: 'automatic, number of messages',
    turns: 'automatic, number of turns',
    savings: 'automatic, saves under the cache',
    newRequest: 'automatic, passages for the new request',
    agent: 'by the agent',
    planStep: 'automatic, a step of the plan was done',
    overflow: 'automatic, request was too long',
  } satisfies Record<TriggerSource, string>,
  inBackground: 'automatic, in the background',
  statuses: {
    applied: 'applied',
    unchanged: 'changed nothing',
    refused: 'refused',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<RecordStatus, string>,
  undone: 'undone',
  inPlaceOf: (strategy: string) => `in place of ${strategy}`,
  fromTo: (before: string, after: string) => `${before} → ${after}`,
  filesKept: (kept: string, total: string, count: number) =>
    `${kept} of ${total} ${count === 1 ? 'file' : 'files'}`,

  outcomes: {
    unchanged: (strategy: string) => `${strategy} found nothing to compact`,
    refused: (strategy: string) => `The result of ${strategy} was refused`,
    failed: (strategy: string) => `${strategy} failed`,
    cancelled: (strategy: string) => `${strategy} was cancelled`,
  } satisfies Record<Exclude<RecordStatus, 'applied'>, (strategy: string) => string>,
  because: (what: string, reason: string) => `${what}: ${reason}`,
  sentence: (what: string) => `${what}.`,
  /** Told to a screen reader. */
  announced: {
    applied: (strategy: string, before: string, after: string) =>
      `Compacted with ${strategy}: ${before} → ${after} tokens.`,
    undone: 'A compaction was undone.',
  },
  nothingChanged: 'The view stayed as it was.',
  undoneNote: 'This compaction was undone. What follows shows what it had done.',

  facts: {
    tokens: (change: string) => `tokens, ${change}`,
    files: 'files kept in reach',
    commands: 'commands',
    errors: 'errors',
    identifiers: 'identifiers',
    userMessages: 'of your messages',
    missing: (what: string, count: string) => `${what}, ${count} missing`,
    keptOf: (kept: string, total: string) => `${kept} / ${total}`,
    calls: (count: number, text: string) => (count === 1 ? `${text} call` : `${text} calls`),
    never: 'never',
    payBack: 'to pay back the cache miss',
    neverPaysBack: 'pays back the cache miss',
    noMiss: 'none',
    noMissLabel: 'of the cache was lost',
    missed: (tokens: string, saved: string) =>
      `${tokens} tokens leave the cache, ${saved} are saved in each call`,
    took: (time: string) => `took ${time}`,
    summaryBy: (model: string) => `summary by ${model}`,
    tried: (tiers: readonly string[]) => `tried ${tiers.join(', ')}`,
    tier: (strategy: string, status: string) => `${strategy} (${status})`,
    tierBecause: (strategy: string, status: string, reason: string) => `${strategy} (${status}: ${reason})`,
    andMore: (count: string) => `and ${count} more`,
  },
  warnings: 'Warnings',
  undo: 'Undo',
  undoWith: (count: number) =>
    `Undo, also undoes ${count} later ${count === 1 ? 'compaction' : 'compactions'}`,

  diff: {
    title: 'What became of each message',
    loading: 'Loading the messages…',
    before: (tokens: string) => `Before · ${tokens}`,
    after: (tokens: string) => `After · ${tokens}`,
    all: 'All',
    filter: 'Show',
    kind: 'Kind',
    anyKind: 'any kind',
    kinds: (names: readonly string[]) => names.join(', '),
    nothingMatches: 'No message matches.',
    kept: (count: number, text: string) => (count === 1 ? `${text} message kept` : `${text} messages kept`),
    more: (text: string) => `… ${text} more messages`,
    fewer: 'Show fewer',
    ofMessages: (count: number, text: string) => (count === 1 ? `of ${text} message` : `of ${text} messages`),
    tokens: (text: string) => `${text} tokens`,
    restored: 'restored',
    restore: 'Restore this message',
    openInEditor: 'Open in diff editor',
    loadingTexts: 'Loading the texts…',
    original: 'Original',
    now: 'Now',
    unchanged: 'Unchanged',
    gone: 'Nothing stands for this message any more.',
    noText: 'No text.',
    cut: (characters: string) =>
      `Only the first ${characters} characters are shown. The diff editor shows all of them.`,
  },
};

/** The texts of the inspector, in any language. */
export type InspectorStrings = typeof englishStrings;
