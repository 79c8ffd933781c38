import fc from 'fast-check';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { createBudget, defaultTargetRatio, defaultTriggerRatio } from '../../src/compaction/budget/budget.ts';
import { hideSelection } from '../../src/compaction/manual-edits/hide.ts';
import { rewind } from '../../src/compaction/manual-edits/rewind.ts';
import { partOf } from '../../src/compaction/service/part.ts';
import { compact } from '../../src/compaction/service/compact.ts';
import { pairCalls } from '../../src/compaction/messages/exchange.ts';
import type { ToolSchema } from '../../src/compaction/messages/message.ts';
import { undoneTogether } from '../../src/compaction/records/record.ts';
import {
  append,
  emptyTranscript,
  messagesOf,
  nextRecordIds,
  recordsOf,
  restoredTogether,
  type Transcript,
} from '../../src/compaction/transcript/transcript.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { recordsInForce } from '../../src/compaction/transcript/view.ts';
import { histories, type History } from './histories.ts';

/** An event of a session that is not a message. */
interface Happening {
  readonly kind: 'compact' | 'hide' | 'rewind' | 'undo' | 'restore' | 'pin';
  /** Position in the session, modulo the number of positions. */
  readonly place: number;
  /** Index of the target, modulo the number of candidates. */
  readonly choice: number;
  readonly strategy: StrategyId;
  readonly window: number;
}

export interface SessionStory {
  readonly history: History;
  readonly happenings: readonly Happening[];
}

/** All strategies except custom strategies, which need a module. */
export const ownStrategyIds = strategyIds.filter((id) => id !== 'custom');

/** Sessions of any shape, with compactions, undos, restored messages and pins. */
export const sessionStories: fc.Arbitrary<SessionStory> = fc.record({
  history: histories,
  happenings: fc.array(
    fc.record({
      kind: fc.constantFrom('compact', 'compact', 'compact', 'hide', 'rewind', 'undo', 'restore', 'pin'),
      place: fc.nat(),
      choice: fc.nat(),
      strategy: fc.constantFrom(...ownStrategyIds),
      window: fc.constantFrom(500, 2_000, 8_000),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

const createdAt = '2026-01-01T00:00:00.000Z';
const never = new AbortController().signal;

/** Returns the transcript of a story. Compactions take place only between exchanges. */
export async function tell({ history, happenings }: SessionStory, meter: UsageMeter): Promise<Transcript> {
  const { messages } = history;
  const { callerOf } = pairCalls(messages);
  const places = Array.from({ length: messages.length }, (_, index) => index + 1).filter(
    (place) => ![...callerOf].some(([result, caller]) => caller < place && result >= place),
  );
  let transcript = emptyTranscript;
  let said = 0;
  for (const happening of happenings.toSorted(
    (one, other) => placeOf(one, places) - placeOf(other, places),
  )) {
    const place = placeOf(happening, places);
    for (; said < place; said++)
      transcript = append(transcript, { type: 'message', message: messages[said]! });
    transcript = await happen(transcript, happening, meter);
  }
  for (const message of messages.slice(said)) transcript = append(transcript, { type: 'message', message });
  return transcript;
}

function placeOf({ place }: Happening, places: readonly number[]): number {
  return places[place % places.length] ?? 0;
}

async function happen(
  transcript: Transcript,
  { kind, choice, strategy: id, window }: Happening,
  meter: UsageMeter,
): Promise<Transcript> {
  if (kind === 'compact' || kind === 'hide' || kind === 'rewind') {
    const said = messagesOf(transcript);
    const { id: chosenId = '' } = said[choice % Math.max(1, said.length)] ?? {};
    const strategy =
      kind === 'compact'
        ? strategyOf(id)
        : kind === 'hide'
          ? hideSelection({ messages: [chosenId] })
          : rewind;
    const part = kind === 'rewind' ? partOf(transcript, { from: chosenId, rewinds: true }) : undefined;
    if (kind === 'rewind' && part === undefined) return transcript;
    const { total } = await meter.measure(transcript.view);
    const budget = createBudget({
      window,
      triggerRatio: defaultTriggerRatio,
      targetRatio: defaultTargetRatio,
    });
    const records = await compact(
      {
        view: transcript.view,
        history: messagesOf(transcript),
        tools: [],
        pins: transcript.pins,
        protectFirst: choice % 2 === 0,
        trigger: { source: 'ratio', requirement: choice % 3 === 0 ? 'hard' : 'soft', tokens: total },
        budget,
        target: budget.target,
        strategy,
        part,
        options: resolveOptions(strategy.options, {}).options,
      },
      {
        meter,
        model: () => new OfflineModel({ window: 32_000 }),
        clock: { now: () => 0 },
        nextRecordId: nextRecordIds(transcript),
      },
      never,
    );
    return records.reduce((now, record) => append(now, { type: 'compaction', record }), transcript);
  }
  if (kind === 'undo') {
    const inForce = recordsInForce(transcript.entries);
    const chosen = inForce[choice % Math.max(1, inForce.length)];
    if (chosen === undefined) return transcript;
    const recordIds = undoneTogether(inForce, chosen.id).map((record) => record.id);
    return append(transcript, { type: 'undo', createdAt, recordIds });
  }
  const messages = messagesOf(transcript);
  const { id: messageId = '' } = messages[choice % messages.length] ?? {};
  const messageIds = kind === 'restore' ? restoredTogether(transcript, messageId) : [messageId];
  return append(
    transcript,
    kind === 'restore'
      ? { type: 'restore', createdAt, messageIds }
      : { type: 'pin', createdAt, messageIds, pinned: true },
  );
}

/** The text of a session's file. */
export function sessionText(transcript: Transcript, tools: readonly ToolSchema[] = []): string {
  const events = [
    { type: 'session', version: 1, id: 's1', createdAt },
    ...(tools.length === 0 ? [] : [{ type: 'tools', tools }]),
    ...transcript.entries,
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** All ids in the transcript. */
export function idsIn(transcript: Transcript): readonly string[] {
  const records = recordsOf(transcript);
  return [...messagesOf(transcript), ...records, ...records.flatMap(({ outputs }) => outputs)].map(
    ({ id }) => id,
  );
}
