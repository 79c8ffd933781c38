import { textOf, type Message } from '../message.ts';
import { extractLedger } from './extract.ts';
import { filterLedger, textOfFact, type Fact, type Ledger, type LedgerSection } from './ledger.ts';
import { mentionsIn } from './mentions.ts';

/**
 * The facts to copy when messages leave: all of the history that the messages which stay do not hold. A text that
 * mentions a fact in passing does not hold it, for it leaves one day, too; a summary that names it does.
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
