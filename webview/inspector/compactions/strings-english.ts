import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';

/** Every text that the Compactions tab has beside the shared ones, in English. */
export const englishStrings = {
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
};

/** The texts of the Compactions tab, in any language. */
export type CompactionStrings = typeof englishStrings;
