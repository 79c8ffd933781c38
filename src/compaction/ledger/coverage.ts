import { isTyped, textOf, type Message } from '../message.ts';
import type { Coverage, Kept } from '../record.ts';
import { factsOf, type Facts } from './facts.ts';

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
  const total = factsOf(before);
  const left = factsOf(after);
  const written = outputs.map((message) => textOf(message.content)).join('\n');
  const compare = (name: keyof Facts): Kept =>
    kept([...total[name]], (fact) => left[name].has(fact) || written.includes(fact));

  const typedBefore = before.filter(isTyped);
  const textsAfter = new Map(after.map((message) => [message.id, textOf(message.content)]));
  return {
    files: compare('files'),
    commands: compare('commands'),
    errors: compare('errors'),
    identifiers: compare('identifiers'),
    userMessages: kept(
      typedBefore.map((message) => message.id),
      (id) => {
        const text = textOf(typedBefore.find((message) => message.id === id)?.content ?? '');
        return textsAfter.get(id) === text || written.includes(text);
      },
    ),
  };
}

function kept(facts: readonly string[], isKept: (fact: string) => boolean): Kept {
  const missing = facts.filter((fact) => !isKept(fact));
  return {
    kept: facts.length - missing.length,
    total: facts.length,
    missing: missing.slice(0, namedMissing),
  };
}
