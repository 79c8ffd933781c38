import { pairCalls } from '../../compaction/messages/exchange.ts';
import { missingFacts } from '../../compaction/ledger/coverage.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { append, messagesOf, recordsOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import { isStrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { applyRecord } from '../../compaction/transcript/view.ts';
import { type FactSection, sessionFacts } from '../../insights/session-facts.ts';
import { type MissingKind, missingKinds } from '../../protocol/inspector-compactions.ts';
import type { RecordDiff } from './record-diff.ts';
import type { ChangeableSession } from './inspector-target.ts';
import { shownWords } from '../../transcripts/reading/typed-title.ts';

/**
 * Undoes a compaction and compacts with another strategy. Restores the first compaction if the second changes nothing.
 *
 * @returns undefined if the strategy does not exist
 * @throws {TranscriptError} if the record is not in force
 */
export async function rerun(
  session: Pick<ChangeableSession, 'transcript' | 'undo' | 'compactNow' | 'applyRecord'>,
  recordId: string,
  strategyId: string,
): Promise<CompactionRecord | undefined> {
  if (!isStrategyId(strategyId)) return undefined;
  const focus = recordsOf(session.transcript).find(({ id }) => id === recordId)?.focus;
  const undone = await session.undo(recordId);
  let done = false;
  try {
    const record = await session.compactNow({ focus, strategy: strategyOf(strategyId) });
    done = record.status === 'applied';
    return record;
  } finally {
    if (!done) {
      for (const record of undone) await session.applyRecord(record, session.transcript);
    }
  }
}

/** Restores messages, and the messages that they need. Restores each message only once. */
export async function restoreAll(
  session: Pick<ChangeableSession, 'restore'>,
  messageIds: readonly string[],
): Promise<void> {
  const restored = new Set<string>();
  for (const id of messageIds) {
    if (restored.has(id)) continue;
    for (const back of await session.restore(id)) restored.add(back);
  }
}

/**
 * Finds a small set of messages with the facts that a compaction lost. Repeatedly takes the message with the most
 * facts left; if several have as many, the smallest. Results come with their calls. Changes nothing.
 */
export async function planBringBack(
  transcript: Transcript,
  diff: RecordDiff,
  meter: UsageMeter,
  pause: () => Promise<void>,
) {
  const { held, unreachable, missing } = await stillMissing(transcript, diff, pause);
  const messages = messagesOf(transcript).filter(({ id }) => held.has(id));
  const usages = await meter.measureEach(messages);
  const candidates = messages.map((message, index) => ({
    message,
    facts: held.get(message.id) ?? new Set<string>(),
    tokens: usages[index]?.total ?? 0,
  }));
  const togetherWith = companions(transcript);
  const chosen = new Map<string, readonly string[]>();
  const byId = new Map(candidates.map((candidate) => [candidate.message.id, candidate]));
  const open = new Set(candidates.flatMap(({ facts }) => [...facts]));
  while (open.size > 0) {
    await pause();
    const next = candidates.reduce((best, candidate) => {
      const gain = sizeOfCommon(candidate.facts, open) - sizeOfCommon(best.facts, open);
      return gain > 0 || (gain === 0 && candidate.tokens < best.tokens) ? candidate : best;
    });
    const brought = togetherWith(next.message.id)
      .flatMap((id) => [...(byId.get(id)?.facts ?? [])])
      .filter((fact) => open.has(fact));
    for (const fact of brought) open.delete(fact);
    chosen.set(next.message.id, [...new Set(brought)].map(nameOf));
  }
  const together = new Set([...chosen.keys()].flatMap(togetherWith));
  return {
    messages: candidates.flatMap(({ message }) => {
      const facts = chosen.get(message.id);
      return facts === undefined ? [] : [{ message, facts }];
    }),
    missing,
    unreachable,
    addedTokens: await addedTokens(transcript, [...together], meter),
  };
}

/** Number of tokens that restored messages would add to the view. */
async function addedTokens(
  transcript: Transcript,
  messageIds: readonly string[],
  meter: UsageMeter,
): Promise<number> {
  if (messageIds.length === 0) return 0;
  const restored = append(transcript, { type: 'restore', createdAt: '', messageIds });
  const [before, after] = await Promise.all([meter.measure(transcript.view), meter.measure(restored.view)]);
  return after.total - before.total;
}

/** Returns a function like `restoredTogether`. It pairs calls and results once, because there may be many messages. */
function companions(transcript: Transcript): (messageId: string) => readonly string[] {
  const messages = messagesOf(transcript);
  const indexOf = new Map(messages.map(({ id }, index) => [id, index]));
  const inView = new Set(transcript.view.map(({ id }) => id));
  const { callerOf, resultsOf } = pairCalls(messages);
  return (messageId) => {
    const index = indexOf.get(messageId) ?? -1;
    const caller = callerOf.get(index) ?? index;
    const isWhole = !inView.has(messages[caller]?.id ?? '');
    const positions = isWhole ? [caller, ...(resultsOf.get(caller) ?? [])] : [index];
    return positions.flatMap((position) => messages[position]?.id ?? []);
  };
}

/** Message → the facts in it that a compaction lost and that are still missing. */
async function stillMissing(
  transcript: Transcript,
  { record, before }: RecordDiff,
  pause: () => Promise<void>,
) {
  const lost = missingFacts(before, applyRecord(before, record), record.folder);
  await pause();
  const now = missingFacts(before, transcript.view, record.folder);
  const wanted = new Set(
    missingKinds.flatMap((kind) => {
      const isMissingNow = new Set(now[kind]);
      return lost[kind].filter((fact) => isMissingNow.has(fact)).map((fact) => keyOf(kind, fact));
    }),
  );
  await pause();
  const held = new Map<string, Set<string>>();
  const hold = (messageId: string, key: string) => {
    held.set(messageId, (held.get(messageId) ?? new Set()).add(key));
  };
  const reached = new Set<string>();
  for (const { section, text, sources } of sessionFacts(transcript)) {
    const kind = kindOfSection[section];
    const key = kind === undefined ? '' : keyOf(kind, text);
    if (!wanted.has(key)) continue;
    for (const source of sources) hold(source, key);
    if (sources.length > 0) reached.add(key);
  }
  const typed = new Map(messagesOf(transcript).map((message) => [message.id, message]));
  for (const id of lost.userMessages) {
    const key = keyOf('userMessages', id);
    const message = typed.get(id);
    if (!wanted.has(key) || message === undefined) continue;
    // A user message is also a fact, named by its words.
    const named = keyOf('userMessages', shownWords(message).replace(/\s+/gu, ' ').trim());
    hold(id, named);
    reached.add(key);
  }
  return {
    held,
    missing: wanted.size,
    unreachable: [...wanted].filter((key) => !reached.has(key)).map(nameOf),
  };
}

const kindOfSection: Readonly<Partial<Record<FactSection, MissingKind>>> = {
  filesRead: 'files',
  filesModified: 'files',
  commands: 'commands',
  errors: 'errors',
  identifiers: 'identifiers',
};

function keyOf(kind: MissingKind, fact: string): string {
  return `${kind}\n${fact}`;
}

function nameOf(key: string): string {
  return key.slice(key.indexOf('\n') + 1);
}

function sizeOfCommon(facts: ReadonlySet<string>, open: ReadonlySet<string>): number {
  let size = 0;
  for (const fact of facts) if (open.has(fact)) size++;
  return size;
}
