import { type Fact, filterLedger, type Ledger, type LedgerSection, textOfFact } from '../messages/ledger.ts';
import { isTyped, type Message, textOf, typedText } from '../messages/message.ts';
import { changedIn, messagesById } from '../messages/positions.ts';
import type { Coverage, Kept } from '../records/record.ts';
import { extractLedger } from './extract.ts';
import { mentionsIn } from './mentions.ts';

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
  const left = factsOf(after);
  const written = changedIn(before, after)
    .filter(({ message, original }) => original?.content !== message.content)
    .map(({ message }) => textOf(message.content));
  const mentions = mentionsIn(written);
  const missing = (kind: CoveredKind, isNamed: (fact: string) => boolean): readonly string[] => {
    const there = new Set(left[kind]);
    return total[kind].filter((fact) => !there.has(fact) && !isNamed(fact));
  };
  const [messageBefore, messageAfter] = [messagesById(before), messagesById(after)];
  const text = (message: Message | undefined) => (message === undefined ? undefined : typedText(message));
  return {
    total,
    missing: {
      files: missing('files', mentions.has),
      commands: missing('commands', mentions.hasCommand),
      errors: missing('errors', mentions.has),
      identifiers: missing('identifiers', mentions.has),
      userMessages: total.userMessages.filter((id) => {
        const typed = text(messageBefore(id)) ?? '';
        return text(messageAfter(id)) !== typed && !mentions.has(typed.replace(/\s+/gu, ' ').trim());
      }),
    },
  };
}

function factsOf(view: readonly Message[]): Facts {
  const { filesModified, filesRead, commands, errors, identifiers }: Ledger = extractLedger(view);
  return {
    files: [...new Set([...filesModified, ...filesRead])],
    commands: commands.map(({ command }) => command),
    errors: errors.map(({ text }) => text),
    identifiers,
    userMessages: view.filter(isTyped).map(({ id }) => id),
  };
}

/**
 * The facts to copy when messages are removed: all facts of the history that the remaining messages do not hold. A
 * message that only mentions a fact does not hold it, because it may be removed later; a summary that names it does.
 */
export function factsToCopy(history: Ledger, staying: readonly Message[]): Ledger {
  const held = factKeysOf(extractLedger(staying));
  const summaries = mentionsIn(
    staying.filter(({ kind }) => kind === 'summary').map(({ content }) => textOf(content)),
  );
  return filterLedger(history, (section, fact) => {
    if (section === 'replaced') return true;
    if (held.has(factKey(section, fact))) return false;
    return typeof fact === 'object' && 'command' in fact
      ? !summaries.hasWithStatus(fact)
      : !summaries.has(textOfFact(fact));
  });
}

/** Keys under which the facts of a ledger are the same: a file is one fact, whether it was read or changed. */
export function factKeysOf(ledger: Ledger): ReadonlySet<string> {
  const entries = Object.entries(ledger) as readonly [LedgerSection, readonly Fact[]][];
  return new Set(entries.flatMap(([section, facts]) => facts.map((fact) => factKey(section, fact))));
}

/** See `factKeysOf`. A command that ended with another status is another fact. */
export function factKey(section: LedgerSection, fact: Fact): string {
  const status = typeof fact === 'object' && 'command' in fact ? (fact.status ?? '') : '';
  return `${section === 'filesModified' ? 'filesRead' : section}\n${textOfFact(fact)}\n${status}`;
}
