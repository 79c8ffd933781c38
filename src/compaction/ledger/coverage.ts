import { isTyped, textOf, typedText, type Message } from '../message.ts';
import type { Coverage, Kept } from '../record.ts';
import { extractLedger } from './extract.ts';
import type { Ledger } from './ledger.ts';
import { mentionsIn } from './mentions.ts';

/** Missing facts named in a record; the numbers count all of them. */
const namedMissing = 50;

export const coveredKinds = ['files', 'commands', 'errors', 'identifiers', 'userMessages'] as const;
export type CoveredKind = (typeof coveredKinds)[number];

/**
 * What one view says and another one does not. This is the one rule for what a compaction kept: records, health,
 * the inspector and "bring back" all ask it. A fact is kept where a message still holds it in the same field, or
 * where a text that is not in the view before names it as a whole. Messages that a person typed go by their ids.
 *
 * @param after any later view: what it holds that the view before does not is taken as written since
 */
export function missingFacts(
  before: readonly Message[],
  after: readonly Message[],
): Readonly<Record<CoveredKind, readonly string[]>> {
  return comparison(before, after).missing;
}

/** How many facts of one view another one still holds, by the rule of `missingFacts`. */
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
  const contentBefore = new Map(before.map(({ id, content }) => [id, content]));
  const written = after
    .filter(({ id, content }) => contentBefore.get(id) !== content)
    .map(({ content }) => textOf(content));
  const mentions = mentionsIn(written);
  const missing = (kind: CoveredKind, isNamed: (fact: string) => boolean): readonly string[] => {
    const there = new Set(left[kind]);
    return total[kind].filter((fact) => !there.has(fact) && !isNamed(fact));
  };
  const typedBefore = new Map(before.filter(isTyped).map((message) => [message.id, typedText(message)]));
  const textAfter = new Map(after.map((message) => [message.id, typedText(message)]));
  return {
    total,
    missing: {
      files: missing('files', mentions.has),
      commands: missing('commands', mentions.hasCommand),
      errors: missing('errors', mentions.has),
      identifiers: missing('identifiers', mentions.has),
      userMessages: total.userMessages.filter((id) => {
        const text = typedBefore.get(id) ?? '';
        return textAfter.get(id) !== text && !mentions.has(text.replace(/\s+/gu, ' ').trim());
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
