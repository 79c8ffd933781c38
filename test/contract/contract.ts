import { expect } from 'vitest';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import { toChatMessage, type Message } from '../../src/compaction/messages/message.ts';
import { memoryIds, protectedIds } from '../../src/compaction/messages/protection.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { append, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { applyRecord } from '../../src/compaction/transcript/view.ts';
import { runCompaction, type Run } from '../support/engine.ts';
import { entriesOf } from '../support/messages.ts';

/** The contract of every strategy, for any history. Throws if it is broken. */
export async function holdToContract(run: Run, meter: UsageMeter): Promise<CompactionRecord> {
  const text = JSON.stringify(run.view);
  const records = await runCompaction(run, meter);
  const record = records.at(-1)!;
  expect(JSON.stringify(run.view), 'the input was changed').toBe(text);
  const lies = records.filter(({ reason }) => reason?.code === 'change-not-permitted');
  expect(lies, 'a message would say something else').toEqual([]);

  const after = viewAfter(run.view, record);
  expect(findViolations(after), 'a provider would refuse the view').toEqual([]);
  await expectHonestSize(record, run, after, meter);
  expectHardEnd(record, run);
  expectProtected(run, after);
  expectOrder(run.view, after);
  expectPrefix(run.view, after, record);
  expectNoOriginals(record);
  expectUndo(run.view, record);
  return record;
}

/**
 * A second run finds nothing left to do. A strategy of two stages may take its second stage then, but no third step.
 */
export async function expectToSettle(run: Run, meter: UsageMeter, stages: number): Promise<void> {
  let view = run.view;
  for (let stage = 0; stage <= stages; stage++) {
    const record = (await runCompaction({ ...run, view }, meter)).at(-1)!;
    if (record.status !== 'applied') return;
    expect(stage, `run ${stage + 1} still changed the view`).toBeLessThan(stages);
    view = viewAfter(view, record);
  }
}

export function viewAfter(view: readonly Message[], record: CompactionRecord): readonly Message[] {
  return record.status === 'applied' ? repairPairs(applyRecord(view, record)) : view;
}

async function expectHonestSize(
  record: CompactionRecord,
  run: Run,
  after: readonly Message[],
  meter: UsageMeter,
): Promise<void> {
  const counted = await meter.measure(after);
  expect(record.after.tokens, 'the record says another size than the view has').toBe(counted.total);
  expect(record.after.byKind).toEqual(counted.byKind);
  if (record.status === 'applied') {
    expect(record.after.tokens, 'the view did not become smaller').toBeLessThan(record.before.tokens);
    if (run.requirement === 'hard' && run.target !== undefined) {
      expect(record.after.tokens, 'a hard target was missed').toBeLessThanOrEqual(run.target);
    }
    const named = record.actions.flatMap(({ sourceIds }) => sourceIds).toSorted();
    expect(named, 'the record does not name every message once').toEqual(
      run.view.map(({ id }) => id).toSorted(),
    );
    const total = record.actions.reduce((tokens, action) => tokens + action.tokensAfter, 0);
    expect(total, 'the actions do not add up to the view').toBe(record.after.tokens);
  } else expect(after, 'the view changed without an applied record').toBe(run.view);
}

/**
 * A hard requirement ends at or under its target, or reports that nothing can reach it, and the remaining
 * size.
 */
function expectHardEnd(record: CompactionRecord, { requirement, target }: Run): void {
  if (requirement !== 'hard' || target === undefined || record.after.tokens <= target) return;
  expect(record.reason?.code, 'the view is over a hard target').toBe('exhausted');
  const [, floor] = /takes at least ([\d,]+) tokens/.exec(record.reason?.message ?? '') ?? [];
  expect(Number(floor?.replaceAll(',', '')), 'what stays is no reason to give up').toBeGreaterThan(target);
}

function expectProtected(run: Run, after: readonly Message[]): void {
  const pins = run.pins ?? new Set();
  const ids = protectedIds(run.view, { pins, protectFirst: run.protectFirst ?? false });
  const isLoose = run.options?.['preserveMemory'] === false;
  const loose = isLoose ? memoryIds(run.view, pins) : new Set();
  const afterById = new Map(after.map((message) => [message.id, message]));
  for (const message of run.view.filter(({ id }) => ids.has(id) && !loose.has(id))) {
    const kept = afterById.get(message.id);
    const mayBeClipped = run.requirement === 'hard' && kept?.truncation?.fate === 'clip';
    if (!mayBeClipped) expect(kept, `${message.id} is protected`).toEqual(message);
  }
}

function expectOrder(before: readonly Message[], after: readonly Message[]): void {
  const position = new Map(before.map(({ id }, index) => [id, index]));
  const positions = after.flatMap(({ id }) => position.get(id) ?? []);
  expect(positions, 'kept messages changed places').toEqual(positions.toSorted((one, other) => one - other));
}

function expectPrefix(before: readonly Message[], after: readonly Message[], record: CompactionRecord): void {
  const touched = new Set(
    record.actions.flatMap(({ kind, sourceIds }) => (kind === 'keep' ? [] : sourceIds)),
  );
  const insertions = record.actions
    .filter(({ kind }) => kind === 'insert')
    .map(({ after: id }) => id ?? null);
  const inserted = before.findIndex(({ id }) => insertions.includes(id)) + 1;
  const first = before.findIndex(({ id }) => touched.has(id));
  const length = Math.min(
    first < 0 ? before.length : first,
    insertions.includes(null) ? 0 : inserted > 0 ? inserted : before.length,
  );
  expect(after.slice(0, length).map(toChatMessage), 'the prefix changed').toEqual(
    before.slice(0, length).map(toChatMessage),
  );
}

function expectNoOriginals({ outputs }: CompactionRecord): void {
  const carriers = outputs.filter(({ original }) => original !== undefined);
  expect(carriers, 'the record holds what is in the transcript already').toEqual([]);
}

function expectUndo(view: readonly Message[], record: CompactionRecord): void {
  if (record.status !== 'applied') return;
  const start = transcriptOf(entriesOf(view));
  const compacted = append(start, { type: 'compaction', record });
  const undone = append(compacted, { type: 'undo', createdAt: record.createdAt, recordIds: [record.id] });
  expect(JSON.stringify(undone.view), 'undo did not bring the view back').toBe(JSON.stringify(start.view));
}
