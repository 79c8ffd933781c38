import { missingFacts } from '../../compaction/ledger/coverage.ts';
import { textOf, type Message } from '../../compaction/message.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import { applyRecord } from '../../compaction/view.ts';
import type { MissingKind } from '../../protocol/inspector-compactions.ts';

/** Characters of a message that was typed, by which it is named where it is missing. */
const namedCharacters = 160;

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
  const missing = missingFacts(before, applyRecord(before, record));
  const ids = new Set(missing.userMessages);
  const userMessages = before
    .filter(({ id }) => ids.has(id))
    .map(({ content }) => textOf(content).replace(/\s+/gu, ' ').trim().slice(0, namedCharacters));
  return { ...missing, userMessages };
}
