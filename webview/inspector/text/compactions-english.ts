import type { RecordStatus, TriggerSource } from '../../../src/protocol/engine-terms.ts';
import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';

/** The inspector's English for compactions: records, diffs and What if. */
export const compactionsEnglish = {
  compactions: 'Compactions',
  empty: {
    title: 'No compactions yet',
    automatic: (tokens: string) =>
      `The conversation is compacted when it reaches ${tokens} tokens. Each compaction is listed here with what happened to every message and a way to undo it.`,
    asked: (tokens: string) =>
      `You are asked whether to compact the conversation when it reaches ${tokens} tokens. Each compaction is listed here with what happened to every message and a way to undo it.`,
    byHand:
      'Each compaction is listed here with what happened to every message and a way to undo it. Compact now to try it.',
    lookedAt: 'This session has no compactions.',
  },

  triggers: {
    manual: 'manual',
    ratio: 'automatic',
    reserve: 'automatic, room for the reply',
    tokens: 'automatic, token count',
    messages: 'automatic, message count',
    turns: 'automatic, turn count',
    savings: 'automatic, saves more than the cache miss costs',
    newRequest: 'automatic, passages for the new request',
    agent: 'by the agent',
    planStep: 'automatic, plan step done',
    overflow: 'automatic, request too long',
  } satisfies Record<TriggerSource, string>,
  inBackground: 'automatic, in the background',
  statuses: {
    applied: 'applied',
    unchanged: 'no change',
    refused: 'refused',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<RecordStatus, string>,
  undone: 'undone',
  inPlaceOf: (strategy: string) => `instead of ${strategy}`,
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
  /** Announced to screen readers. */
  announced: {
    applied: (strategy: string, before: string, after: string) =>
      `Compacted with ${strategy}: ${before} → ${after} tokens.`,
    byHand: (what: string, before: string, after: string) => `${what}: ${before} → ${after} tokens.`,
    undone: 'A compaction was undone.',
  },
  nothingChanged: 'The context is unchanged.',
  undoneNote: 'This compaction was undone. It had made these changes:',

  facts: {
    tokens: (change: string) => `tokens, ${change}`,
    files: 'files still referenced',
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
    noMissLabel: 'of the cache lost',
    missed: (tokens: string, saved: string) => `${tokens} tokens leave the cache, ${saved} saved per call`,
    took: (time: string) => `took ${time}`,
    summaryBy: (model: string) => `summary by ${model}`,
    tried: (tiers: readonly string[]) => `tried ${tiers.join(', ')}`,
    tier: (strategy: string, status: string) => `${strategy} (${status})`,
    tierBecause: (strategy: string, status: string, reason: string) => `${strategy} (${status}: ${reason})`,
    andMore: (count: string) => `and ${count} more`,
  },
  warnings: 'Warnings',
  undo: 'Undo',
  undoWith: (count: number) => `Undo, with ${count} later ${count === 1 ? 'compaction' : 'compactions'}`,

  diff: {
    title: 'What happened to each message',
    loading: 'Loading messages…',
    before: (tokens: string) => `Before · ${tokens}`,
    after: (tokens: string) => `After · ${tokens}`,
    all: 'All',
    filter: 'Show',
    kind: 'Kind',
    anyKind: 'any kind',
    kinds: (names: readonly string[]) => names.join(', '),
    nothingMatches: 'No matching messages.',
    kept: (count: number, text: string) => (count === 1 ? `${text} message kept` : `${text} messages kept`),
    more: (text: string) => `… ${text} more messages`,
    fewer: 'Show fewer',
    ofMessages: (count: number, text: string) => (count === 1 ? `of ${text} message` : `of ${text} messages`),
    tokens: (text: string) => `${text} tokens`,
    restored: 'restored',
    restore: 'Restore this message',
    openInEditor: 'Open in diff editor',
    loadingTexts: 'Loading…',
    original: 'Original',
    now: 'Now',
    unchanged: 'Unchanged',
    gone: 'This message has no replacement in the current context.',
    noText: 'No text.',
    cut: (characters: string) =>
      `Only the first ${characters} characters are shown. The diff editor shows everything.`,
  },

  compactionsTab: {
    /** Nouns after a count, as in `31 of 33 commands`. */
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
    loadingNames: 'Loading…',
    startedAt: (why: string, tokens: string) => `${why}, at ${tokens} tokens`,
    focus: (focus: string) => `focus: “${focus}”`,
    byKind: 'by kind',
    byKindTable: 'Tokens by kind, before and after',
    kind: 'Kind',
    before: 'Before',
    after: 'After',
    change: 'Change',
    total: 'Total',

    bringBack: 'Bring back missing facts',
    rerun: 'Re-run with…',
    export: 'Export as',
    html: 'HTML',
    markdown: 'Markdown',
    exportLabel: (format: string) => `Export as ${format}`,

    bringBackPanel: {
      title: 'Messages to bring back',
      looking: 'Looking for the fewest messages that contain the missing facts…',
      nothing: 'Nothing is missing: everything this compaction lost is in context again.',
      holds: (messages: number, count: string, facts: number, factCount: string) => {
        const missing = facts === 1 ? 'the missing fact' : `all ${factCount} missing facts`;
        return messages === 1
          ? `One message contains ${missing} that can be brought back.`
          : `${count} messages contain ${missing} that can be brought back.`;
      },
      adds: (messages: number, added: string, before: string, after: string) =>
        `${messages === 1 ? 'It adds' : 'They add'} ${added} tokens to every call: ${before} → ${after}.`,
      overTrigger: (trigger: string) => `That is above ${trigger}, where the next compaction starts.`,
      unreachable: (names: string) => `No single message contains ${names}.`,
      holdsFacts: (names: string) => `contains ${names}`,
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
    noMatch: 'No matches.',
    found: (places: number, count: string, messages: string) =>
      places === 1 ? '1 match' : `${count} matches in ${messages} messages`,
    matchAt: (index: string, total: string) => `${index} of ${total}`,
    firstOf: (shown: string, total: string) => `the first ${shown} of ${total} messages`,
    matchSides: { before: 'before', after: 'after', both: 'kept' },

    pin: 'Pin',
    unpin: 'Unpin',
    pinTitle: 'Keeps this unchanged in every compaction; restores it if one changed it',
    pinned: 'pinned',
    whereItWent: 'Show its replacement',
    itsSources: 'Show the messages it replaces',
  },

  /** The context at two points. */
  views: {
    open: 'Compare the context at two points…',
    fromRecord: 'Compare with now…',
    compareRange: 'Compare the context at both ends',
    compareNow: 'Compare the context with now',
    back: 'Back to the timeline',
    title: 'The context at two points',
    from: 'From',
    to: 'To',
    request: (number: string) => `Request ${number}`,
    afterCompaction: (strategy: string) => `After ${strategy}`,
    after: { undo: 'After an undo', restore: 'After messages were restored', now: 'Now' },
    withTime: (name: string, time: string) => `${name} · ${time}`,
    same: (one: string, other: string) => `${one} = ${other}`,
    tokens: 'tokens',
    messages: 'messages',
  },

  whatIf: {
    title: 'What if you compacted this session now?',
    intro: 'Tries every strategy on this session. Changes nothing and calls no provider.',
    run: 'Compare strategies',
    again: 'Run again',
    cancel: 'Cancel',
    running: (done: string, total: string, strategy: string) =>
      `dry run, changes nothing · ${done} of ${total} done · trying ${strategy}…`,
    done: (done: string, total: string, time: string) =>
      `dry run on this session, nothing changed · ${done} of ${total} done in ${time}`,
    cancelled: (done: string, total: string) => `cancelled · ${done} of ${total} done`,
    failed: (problem: string) => `The comparison failed: ${problem}`,
    stale: 'The conversation has moved on; these numbers describe an earlier context.',
    applied: (strategy: string) =>
      `${strategy} was applied; these numbers describe the context before that. Undo it, or run the comparison again.`,
    progress: 'Strategies tried',

    table: 'Comparison of strategies',
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
      'Estimate: the offline summariser wrote the summary instead of the model. The size is about right; the wording and what it keeps will differ.',
    nothing: 'changes nothing',
    failedRow: 'cannot run',
    keptOf: (kept: string, total: string) => `${kept} / ${total}`,
    lost: (share: string, what: string) => `${share} ${what}, show what would be lost`,
    calls: (count: number, text: string) => (count === 1 ? `${text} call` : `${text} calls`),
    never: 'never',
    noMiss: 'immediately',
    money: (amount: string) => `about ${amount}`,
    preview: 'Preview diff',
    previewLabel: (strategy: string) => `Preview diff of ${strategy}`,
    loadingLost: 'Loading…',
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
    previewNote: 'Nothing has been changed yet.',
    estimatePreviewNote:
      'Nothing has been changed yet. The offline summariser wrote this summary. When you apply the strategy, this session’s model writes its own, so the result will differ.',
    back: 'Back to all strategies',
    apply: 'Apply',
    applyAnew: 'Write summary and apply',
    isApplying: 'Writing summary…',
    applyStale: 'The conversation has changed. Run the comparison again before applying.',
    isApplied: 'Applied',
    appliedNote: 'Applied. You can undo it in the chat or under Compactions.',
    otherApplied: (strategy: string) =>
      `${strategy} has since been applied. Undo it, or run the comparison again, before you apply this one.`,
    use: 'Use in this workspace',
    isUsed: 'Used in this workspace',
  },
};

/** The texts about compactions, in any language. */
export type CompactionsStrings = typeof compactionsEnglish;
