import { isTyped, textOf, typedText, type Message } from '../message.ts';
import type { Coverage, Kept } from '../record.ts';
import { extractLedger } from './extract.ts';
import type { Ledger } from './ledger.ts';

/** Missing facts named in a record; the numbers count all of them. */
const namedMissing = 50;

/**
 * How many facts of one view another one still holds. A fact is held where the same field holds it still, or where
 * its text stands in a message that the compaction wrote.
 *
 * @param outputs the messages of the view after that are not in the view before
 */
export function coverageOf(
  before: readonly Message[],
  after: readonly Message[],
  outputs: readonly Message[],
): Coverage {
  const total = factsOf(extractLedger(before));
  const left = factsOf(extractLedger(after));
  const written = outputs.map((message) => foldSpace(textOf(message.content))).join('\n');
  const compare = (name: keyof Facts): Kept =>
    kept([...total[name]], (fact) => left[name].has(fact) || written.includes(fact));

  const typedBefore = before.filter(isTyped);
  const typedTexts = new Map(typedBefore.map((message) => [message.id, typedText(message)]));
  const textsAfter = new Map(after.map((message) => [message.id, typedText(message)]));
  return {
    files: compare('files'),
    commands: compare('commands'),
    errors: compare('errors'),
    identifiers: compare('identifiers'),
    userMessages: kept([...typedTexts.keys()], (id) => {
      const text = typedTexts.get(id) ?? '';
      return textsAfter.get(id) === text || written.includes(foldSpace(text));
    }),
  };
}

interface Facts {
  readonly files: ReadonlySet<string>;
  readonly commands: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

function factsOf(ledger: Ledger): Facts {
  return {
    files: new Set([...ledger.filesModified, ...ledger.filesRead]),
    commands: new Set(ledger.commands.map(({ command }) => command)),
    errors: new Set(ledger.errors),
    identifiers: new Set(ledger.identifiers),
  };
}

/** Facts are kept on one line each; so that they are found, so is what they are looked for in. */
function foldSpace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function kept(facts: readonly string[], isKept: (fact: string) => boolean): Kept {
  const missing = facts.filter((fact) => !isKept(fact));
  return {
    kept: facts.length - missing.length,
    total: facts.length,
    missing: missing.slice(0, namedMissing),
  };
}
