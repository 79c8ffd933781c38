import type { FactSectionName, PresenceName } from '../../../src/extension/protocol/inspector-ledger.ts';

/** Every text of the Ledger tab in English. */
export const englishStrings = {
  search: {
    title: 'Search everything that was said',
    label: 'Search everything that was said in this session',
    placeholder: 'Words, a file, an error…',
    none: 'Nothing was found.',
    found: (count: number, text: string) => (count === 1 ? '1 place' : `${text} places`),
    best: (count: number, text: string) => (count === 1 ? 'the best place' : `the best ${text} places`),
    more: 'Show more places',
    searching: 'Searching…',
    results: 'Places',
  },
  facts: {
    title: 'Ledger',
    none: 'No fact was found yet.',
    noneMatches: 'No fact matches.',
    loading: 'Reading the session…',
    label: 'Filter the facts',
    placeholder: 'Filter',
    section: 'Kind of fact',
    anySection: (count: string) => `all facts (${count})`,
    presence: 'Where it is now',
    anyPresence: 'anywhere',
    option: (name: string, count: string) => `${name} (${count})`,
    shown: (shown: string, total: string) => `${shown} of ${total}`,
    more: 'Show more',
    list: 'Facts',
    status: (status: string) => `exit ${status}`,
    sources: (count: number, text: string) => (count === 1 ? '1 source' : `${text} sources`),
    notNamed: (text: string) => `and ${text} earlier ones`,
  },
  sections: {
    requests: 'Your messages',
    constraints: 'Your rules',
    decisions: 'Decisions',
    filesModified: 'Files modified',
    filesRead: 'Files read',
    commands: 'Commands',
    errors: 'Errors',
    identifiers: 'Identifiers',
  } satisfies Record<FactSectionName, string>,
  presences: {
    verbatim: 'in view',
    ledger: 'in view, copied',
    summary: 'in a summary',
    archive: 'in the archive only',
  } satisfies Record<PresenceName, string>,
  message: {
    inView: 'in view',
    inArchive: 'in the archive',
    pinned: 'pinned',
    place: (parts: readonly string[]) => parts.join(', '),
    tokens: (text: string) => `${text} tokens`,
    loading: 'Loading the text…',
    noText: 'No text.',
    cut: 'This is the beginning. The editor shows all of it.',
    restore: 'Restore this message',
    pin: 'Pin',
    unpin: 'Unpin',
    open: 'Open in editor',
  },
};

/** The texts of the Ledger tab, in any language. */
export type LedgerStrings = typeof englishStrings;
