import { extractLedger } from '../../compaction/ledger/extract.ts';
import type { Ledger } from '../../compaction/ledger/ledger.ts';
import { isTyped, textOf, type Message } from '../../compaction/message.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import { applyRecord } from '../../compaction/view.ts';
import type { MissingKind } from '../protocol/inspector-compactions.ts';

/** Characters of a message that was typed, by which it is named where it is missing. */
const namedCharacters = 160;

/** What messages say, counted as a record's coverage counts it. */
export type Facts = Readonly<Record<Exclude<MissingKind, 'userMessages'>, readonly string[]>>;

/**
 * Names of all that one view says and another does not, by the same rule as a record's coverage, which names only the
 * first of them. Messages that a person typed go by their ids.
 *
 * @param written texts that the compaction wrote: what stands in one of them is not missing
 */
export function missingFacts(
  before: readonly Message[],
  after: readonly Message[],
  written: readonly Message[],
): Readonly<Record<MissingKind, readonly string[]>> {
  const total = factsIn(extractLedger(before));
  const left = factsIn(extractLedger(after));
  const texts = written.map(({ content }) => folded(content)).join('\n');
  const missing = (kind: keyof Facts): readonly string[] => {
    const there = new Set(left[kind]);
    return total[kind].filter((fact) => !there.has(fact) && !texts.includes(fact));
  };
  const textsAfter = new Map(after.map(({ id, content }) => [id, textOf(content)]));
  return {
    files: missing('files'),
    commands: missing('commands'),
    errors: missing('errors'),
    identifiers: missing('identifiers'),
    userMessages: before
      .filter(isTyped)
      .filter(({ id, content }) => textsAfter.get(id) !== textOf(content) && !texts.includes(folded(content)))
      .map(({ id }) => id),
  };
}

/**
 * Names of all that a compaction lost. Messages that a person typed go by how they begin.
 *
 * @param before the view that the record was made for
 */
export function missingNames({
  record,
  before,
}: {
  readonly record: CompactionRecord;
  readonly before: readonly Message[];
}): Readonly<Record<MissingKind, readonly string[]>> {
  const missing = missingFacts(before, applyRecord(before, record), record.outputs);
  const ids = new Set(missing.userMessages);
  const userMessages = before
    .filter(({ id }) => ids.has(id))
    .map(({ content }) => folded(content).slice(0, namedCharacters));
  return { ...missing, userMessages };
}

function factsIn(ledger: Ledger): Facts {
  return {
    files: [...new Set([...ledger.filesModified, ...ledger.filesRead])],
    commands: ledger.commands.map(({ command }) => command),
    errors: ledger.errors,
    identifiers: ledger.identifiers,
  };
}

function folded(content: Message['content']): string {
  return textOf(content).replace(/\s+/gu, ' ').trim();
}
