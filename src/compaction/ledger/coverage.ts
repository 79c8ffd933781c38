import {
  type Fact,
  filterLedger,
  isCommandFact,
  type Ledger,
  type LedgerSection,
  ledgerSections,
  textOfFact,
} from '../messages/ledger.ts';
import { isTyped, type Message, textOf, typedText } from '../messages/message.ts';
import { distinctFiles, wholePath } from '../text/file-names.ts';
import { changedIn, messagesById } from '../messages/message-index.ts';
import { memoisedByList } from '../messages/memoise.ts';
import type { Coverage, CoverageCount } from '../records/record.ts';
import { extractLedger, factsSaidBy } from './extract.ts';
import { keptIn } from './kept-facts.ts';
import { lineOf } from './render.ts';
import { mentionsIn } from './mentions.ts';
import { requestIn } from './request-state.ts';
import { workFacts } from './work-facts.ts';

/** Maximum number of missing facts listed in a record. The counts include all. */
const namedMissing = 50;

/** Kinds of facts that a record counts. */
type CoveredKind = 'files' | 'commands' | 'errors' | 'identifiers' | 'userMessages';

/**
 * Finds the facts of one view that are missing from another, by the rule of `keptIn`. Typed messages are
 * compared by id. A typed message is kept if it is still in the view, or if all of its facts are.
 *
 * @param folder absolute folder against which file names are resolved
 */
export function missingFacts(
  before: readonly Message[],
  after: readonly Message[],
  folder?: string,
): Readonly<Record<CoveredKind, readonly string[]>> {
  return comparison(before, after, folder).missing;
}

/** Counts the facts of one view that another view still contains, by the rule of `missingFacts`. */
export function coverageOf(before: readonly Message[], after: readonly Message[], folder?: string): Coverage {
  const { total, missing } = comparison(before, after, folder);
  const kept = (kind: CoveredKind): CoverageCount => ({
    kept: total[kind].length - missing[kind].length,
    total: total[kind].length,
    missing: missing[kind].slice(0, namedMissing),
  });
  return {
    files: kept('files'),
    commands: kept('commands'),
    errors: kept('errors'),
    identifiers: kept('identifiers'),
    userMessages: kept('userMessages'),
  };
}

type Facts = Readonly<Record<CoveredKind, readonly string[]>>;

function comparison(
  before: readonly Message[],
  after: readonly Message[],
  folder: string | undefined,
): { readonly total: Facts; readonly missing: Facts } {
  const facts = factsOf(before);
  const total: Facts = { ...facts, files: distinctFiles(facts.files, folder) };
  // If no call was removed, only results can have lost facts.
  const hasSameCalls =
    before.length === after.length &&
    changedIn(before, after).every(
      ({ message, original }) =>
        original?.tool_calls === message.tool_calls && original?.carried === message.carried,
    );
  const isKept = keptIn(after, folder);
  const missing = (section: 'filesRead' | 'commands' | 'identifiers', all: readonly string[]) =>
    hasSameCalls ? [] : all.filter((fact) => !isKept(section, fact));
  const [messageBefore, messageAfter] = [messagesById(before), messagesById(after)];
  return {
    total,
    missing: {
      files: missing('filesRead', total.files),
      commands: missing('commands', total.commands),
      errors: total.errors.filter((text) => !isKept('errors', text)),
      identifiers: missing('identifiers', total.identifiers),
      userMessages: total.userMessages.filter((id) => {
        const [was, is] = [messageBefore(id), messageAfter(id)];
        if (was === is || was === undefined) return false;
        if (is !== undefined && typedText(is) === typedText(was)) return false;
        const said = factsSaidBy(was);
        return saidSections.some((section) =>
          said[section].some((fact) => requestIn(fact) !== '' && !isKept(section, fact)),
        );
      }),
    },
  };
}

/** Sections with statements of the user. */
const saidSections = ['requests', 'constraints', 'decisions', 'preferences'] as const;

const factsOf: (view: readonly Message[]) => Facts = memoisedByList((view) => {
  const { filesModified, filesRead, commands, errors, identifiers } = workFacts(view);
  return {
    files: [...filesModified.map(textOfFact), ...filesRead],
    commands: commands.map(({ command }) => command),
    errors: errors.map(({ text }) => text),
    identifiers,
    userMessages: view.filter(isTyped).map(({ id }) => id),
  };
});

/**
 * Finds the facts to copy when messages are removed: the facts of the history that the remaining messages
 * lack. A mere mention of a fact counts only in a summary, because other messages may be removed later.
 */
export function factsToCopy(history: Ledger, staying: readonly Message[]): Ledger {
  const isHeld = factsIn(extractLedger(staying));
  const summaries = mentionsIn(
    staying.filter(({ kind }) => kind === 'summary').map(({ content }) => textOf(content)),
  );
  // A remaining message may contain the sentence without its mark.
  const copiedMarks = extractLedger(staying.filter(({ kind }) => kind === 'summary')).marked;
  return filterLedger(history, (section, fact) => {
    if (section === 'replaced') return true;
    if (section === 'marked') return !copiedMarks.some((copied) => lineOf(copied) === lineOf(fact));
    if (isHeld(section, fact)) return false;
    if (isCommandFact(fact)) return !summaries.hasCommand(fact.command);
    const text = textOfFact(fact);
    return !(isFileSection(section) ? summaries.hasFile(text) : summaries.has(text));
  });
}

function isFileSection(section: LedgerSection): boolean {
  return section === 'filesRead' || section === 'filesModified';
}

/** Returns a test for the facts of a ledger. A file is one fact, whether read or changed. */
function factsIn(ledger: Ledger): (section: LedgerSection, fact: Fact) => boolean {
  const keys = new Map<LedgerSection, ReadonlySet<string>>();
  for (const section of ledgerSections) {
    const facts: readonly Fact[] =
      section === 'filesRead' ? [...ledger.filesRead, ...ledger.filesModified] : ledger[section];
    keys.set(section, new Set(facts.map((fact) => keyOf(section, fact))));
  }
  return (section, fact) =>
    keys.get(section === 'filesModified' ? 'filesRead' : section)?.has(keyOf(section, fact)) === true;
}

function keyOf(section: LedgerSection, fact: Fact): string {
  if (typeof fact === 'object' && 'what' in fact) return `${fact.text}\n${fact.end}`;
  return isFileSection(section) ? wholePath(textOfFact(fact)) : textOfFact(fact);
}
