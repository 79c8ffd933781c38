import {
  type Fact,
  filterLedger,
  type Ledger,
  type LedgerSection,
  ledgerSections,
  textOfFact,
} from '../messages/ledger.ts';
import { isTyped, type Message, textOf, typedText } from '../messages/message.ts';
import { cutOf } from '../text/cuts.ts';
import { changedIn, messagesById } from '../messages/positions.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import type { Coverage, Kept } from '../records/record.ts';
import { extractLedger } from './extract.ts';
import { mentionsIn } from './mentions.ts';
import { errorTexts, workFacts, workTexts, type WorkTexts } from './work-facts.ts';

/** Missing facts named in a record; the numbers count all of them. */
const namedMissing = 50;

export const coveredKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type CoveredKind = (typeof coveredKinds)[number];

/**
 * The facts that one view holds and another lacks. This is the only rule for what a compaction kept: records,
 * health, the inspector and "bring back" all use it. A fact is kept if a message still holds it in the same field,
 * or if a text that is not in the view before names it as a whole. Messages that a person typed go by their ids.
 *
 * @param after any later view; text it has that `before` lacks counts as written since
 */
export function missingFacts(
  before: readonly Message[],
  after: readonly Message[],
): Readonly<Record<CoveredKind, readonly string[]>> {
  return comparison(before, after).missing;
}

/** Counts the facts of one view that another one still holds, by the rule of `missingFacts`. */
export function coverageOf(before: readonly Message[], after: readonly Message[]): Coverage {
  const { total, missing } = comparison(before, after);
  const kept = (kind: CoveredKind): Kept => ({
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
): { readonly total: Facts; readonly missing: Facts } {
  const total = factsOf(before);
  const changed = changedIn(before, after);
  const written = changed
    .filter(({ message, original }) => original?.content !== message.content)
    .map(({ message }) => cutOf(message) ?? textOf(message.content));
  const mentions = mentionsIn(written);
  // What was called is the same as long as no call is: only results can have lost something.
  const hasSameCalls =
    before.length === after.length &&
    changed.every(
      ({ message, original }) =>
        original?.tool_calls === message.tool_calls && original?.carried === message.carried,
    );
  const left: Partial<WorkTexts> & Pick<WorkTexts, 'errors'> = hasSameCalls
    ? { errors: errorTexts(after) }
    : workTexts(after);
  const missing = (kind: keyof WorkTexts, isNamed: (fact: string) => boolean): readonly string[] => {
    const there = left[kind];
    return there === undefined ? [] : total[kind].filter((fact) => !there.has(fact) && !isNamed(fact));
  };
  const [messageBefore, messageAfter] = [messagesById(before), messagesById(after)];
  return {
    total,
    missing: {
      files: missing('files', mentions.has),
      commands: missing('commands', mentions.hasCommand),
      errors: missing('errors', mentions.has),
      identifiers: missing('identifiers', mentions.has),
      userMessages: total.userMessages.filter((id) => {
        const [was, is] = [messageBefore(id), messageAfter(id)];
        if (was === is || was === undefined) return false;
        const isKept = is !== undefined && typedText(is) === typedText(was);
        return !isKept && !mentions.has(foldedTyped(was));
      }),
    },
  };
}

/** The text of a typed message as facts are written. */
const foldedTyped = remembered((message: Message) => typedText(message).replace(/\s+/gu, ' ').trim());

const factsOf: (view: readonly Message[]) => Facts = rememberedList((view) => {
  const { filesModified, filesRead, commands, errors, identifiers } = workFacts(view);
  return {
    files: [...new Set([...filesModified, ...filesRead])],
    commands: commands.map(({ command }) => command),
    errors: errors.map(({ text }) => text),
    identifiers,
    userMessages: view.filter(isTyped).map(({ id }) => id),
  };
});

/**
 * The facts to copy when messages are removed: all facts of the history that the remaining messages do not hold. A
 * message that only mentions a fact does not hold it, because it may be removed later; a summary that names it does.
 */
export function factsToCopy(history: Ledger, staying: readonly Message[]): Ledger {
  const isHeld = factsIn(extractLedger(staying));
  const summaries = mentionsIn(
    staying.filter(({ kind }) => kind === 'summary').map(({ content }) => textOf(content)),
  );
  return filterLedger(history, (section, fact) => {
    if (section === 'replaced') return true;
    if (isHeld(section, fact)) return false;
    return typeof fact === 'object' && 'command' in fact
      ? !summaries.hasWithStatus(fact)
      : !summaries.has(textOfFact(fact));
  });
}

/**
 * Tells which facts a ledger has. A file is one fact, whether it was read or changed; a command that ended with another
 * status is another fact.
 */
export function factsIn(ledger: Ledger): (section: LedgerSection, fact: Fact) => boolean {
  const keys = new Map<LedgerSection, ReadonlySet<string>>();
  for (const section of ledgerSections) {
    const facts = section === 'filesRead' ? [...ledger.filesRead, ...ledger.filesModified] : ledger[section];
    keys.set(section, new Set(facts.map(keyOf)));
  }
  return (section, fact) =>
    keys.get(section === 'filesModified' ? 'filesRead' : section)?.has(keyOf(fact)) === true;
}

function keyOf(fact: Fact): string {
  return typeof fact === 'object' && 'command' in fact
    ? `${fact.command}\n${fact.status ?? ''}`
    : textOfFact(fact);
}
