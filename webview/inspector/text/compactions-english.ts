import type { RecordStatus, TriggerSource } from '../../../src/compaction/records/record.ts';
import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';

/** The inspector's English for compactions: records, diffs and What if. */
export const compactionsEnglish = {
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

  compactionsTab: {
    /** What is counted, behind a number: `31 of 33 commands`. */
    counted: {
      files: (total: number): string => (total === 1 ? 'file' : 'files'),
      commands: (total: number): string => (total === 1 ? 'command' : 'commands'),
      errors: (total: number): string => (total === 1 ? 'error' : 'errors'),
      identifiers: (total: number): string => (total === 1 ? 'identifier' : 'identifiers'),
      userMessages: (_total: number): string => 'of your messages',
    } satisfies Record<MissingKind, (total: number) => string>,
    keptPart: (kept: string, total: string, what: string) => `${kept} of ${total} ${what}`,
    kept: (parts: readonly string[]) => `Kept ${parts.join(', ')}`,
    missing: '; missing: ',
    betweenNames: ', ',
    andMore: (count: string) => ` and ${count} more`,
    end: '.',
    loadingNames: 'Loading the names…',
    startedAt: (why: string, tokens: string) => `${why}, at ${tokens} tokens`,
    focus: (focus: string) => `with the focus “${focus}”`,
    byKind: 'by kind',
    byKindTable: 'Tokens by kind, before and after',
    kind: 'Kind',
    before: 'Before',
    after: 'After',
    change: 'Change',
    total: 'Total',

    bringBack: 'Bring back what is missing',
    rerun: 'Re-run with…',
    export: 'Export as',
    html: 'HTML',
    markdown: 'Markdown',
    exportLabel: (format: string) => `Export as ${format}`,

    bringBackPanel: {
      title: 'What it takes to bring back what is missing',
      looking: 'Looking for the fewest messages that hold it…',
      nothing: 'Nothing is missing any more: what this compaction lost is in view again.',
      holds: (messages: number, count: string, facts: number, factCount: string) => {
        const missing = facts === 1 ? 'the one missing fact' : `the ${factCount} missing facts`;
        return messages === 1
          ? `One message holds ${missing} that can be brought back.`
          : `${count} messages hold ${missing} that can be brought back.`;
      },
      adds: (messages: number, added: string, before: string, after: string) =>
        `${messages === 1 ? 'It adds' : 'They add'} ${added} tokens to every call: ${before} → ${after}.`,
      overTrigger: (trigger: string) => `That is above ${trigger}, where the next compaction starts.`,
      unreachable: (names: string) => `No single message says ${names}.`,
      holdsFacts: (names: string) => `holds ${names}`,
      confirm: (messages: number, count: string) =>
        messages === 1 ? 'Bring back this message' : `Bring back these ${count} messages`,
      cancel: 'Cancel',
    },

    tool: 'Tool',
    anyTool: 'any tool',
    file: 'File',
    filePlaceholder: 'any file',
    previousChange: 'Previous change (Shift+F7)',
    nextChange: 'Next change (F7)',
    changes: (count: number, text: string) => (count === 1 ? `${text} change` : `${text} changes`),
    place: (index: string, total: string) => `change ${index} of ${total}`,
    placeSpoken: (index: string, total: string) => `Change ${index} of ${total}`,

    search: 'Search both sides',
    previousMatch: 'Previous match (Shift+Enter)',
    nextMatch: 'Next match (Enter)',
    searching: 'Searching…',
    noMatch: 'Found nowhere.',
    found: (places: number, count: string, messages: string) =>
      places === 1 ? 'One place' : `${count} places in ${messages} messages`,
    matchAt: (index: string, total: string) => `${index} of ${total}`,
    firstOf: (shown: string, total: string) => `the first ${shown} of ${total} messages`,
    matchSides: { before: 'before', after: 'after', both: 'kept' },

    pin: 'Pin',
    unpin: 'Unpin',
    pinTitle: 'Every later compaction keeps this message as it is; it comes back where one changed it',
    pinned: 'pinned',
    whereItWent: 'Show what stands for it',
    itsSources: 'Show the messages it stands for',
  },

  whatIf: {
    title: 'What if this session were compacted now',
    intro:
      'Tries every strategy on this session’s own history. Nothing is changed, and no provider is asked.',
    run: 'Compare strategies',
    again: 'Run again',
    cancel: 'Cancel',
    running: (done: string, total: string, strategy: string) =>
      `dry run, nothing is changed · ${done} of ${total} done · trying ${strategy}…`,
    done: (done: string, total: string, time: string) =>
      `dry run on this session’s own history, nothing is changed · ${done} of ${total} done in ${time}`,
    cancelled: (done: string, total: string) => `cancelled · ${done} of ${total} done`,
    failed: (problem: string) => `The comparison failed: ${problem}`,
    stale: 'The conversation went on since: these numbers are of an earlier view.',
    applied: (strategy: string) =>
      `${strategy} was applied: these numbers are of the view before it. Undo it, or run the comparison again.`,
    progress: 'Strategies tried',

    table: 'Strategies compared',
    columns: {
      strategy: 'Strategy',
      tokens: 'Tokens after',
      saved: 'Saved per call',
      miss: 'Cache miss now',
      payBack: 'Pays back in',
      files: 'Files',
      commands: 'Commands',
      errors: 'Errors',
      userMessages: 'Your messages',
      modelCalls: 'Model calls',
      time: 'Time',
    },
    actions: 'Actions',
    current: 'current',
    estimate: 'estimate',
    estimateNote:
      '“estimate”: the summary was written by the offline summariser in place of the model. The size is about right; the words, and with them what is kept, will differ.',
    nothing: 'changes nothing',
    failedRow: 'cannot run',
    keptOf: (kept: string, total: string) => `${kept} / ${total}`,
    lost: (share: string, what: string) => `${share} ${what}, show what is lost`,
    calls: (count: number, text: string) => (count === 1 ? `${text} call` : `${text} calls`),
    never: 'never',
    noMiss: 'at once',
    money: (amount: string) => `about ${amount}`,
    preview: 'Preview diff',
    previewLabel: (strategy: string) => `Preview diff of ${strategy}`,
    loadingLost: 'Loading what is lost…',
    lostTitle: (strategy: string) => `What ${strategy} would lose`,
    closeLost: 'Close',
    lostNames: {
      files: 'Files',
      commands: 'Commands',
      errors: 'Errors',
      identifiers: 'Identifiers',
      userMessages: 'Your messages',
    } satisfies Record<MissingKind, string>,
    lostCount: (name: string, count: string) => `${name} (${count})`,

    previewTitle: (strategy: string) => `What ${strategy} would do`,
    previewNote: 'Nothing of this was done yet.',
    estimatePreviewNote:
      'Nothing of this was done yet. The offline summariser wrote this summary: to apply it, the model of this session writes one of its own first, so what becomes of it will differ.',
    back: 'Back to all strategies',
    apply: 'Apply',
    applyAnew: 'Make the summary and apply',
    isApplying: 'Making the summary…',
    applyStale: 'The conversation went on since. Run the comparison again to apply this.',
    isApplied: 'Applied',
    appliedNote: 'This was applied. It can be undone in the chat and among the compactions.',
    otherApplied: (strategy: string) =>
      `${strategy} was applied since. Undo it, or run the comparison again, to apply this.`,
    use: 'Use as this workspace’s strategy',
    isUsed: 'This workspace’s strategy',
  },
};

/** The texts about compactions, in any language. */
export type CompactionsStrings = typeof compactionsEnglish;
