import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactionEvent } from '../../../src/compaction/service/service-ports.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { called, result, textOfTokens, typed } from '../../support/messages.ts';
import { ServiceHarness, settle } from './service-harness.ts';

const meter = await createMeter();

/** Events that can happen around a compaction, in any order. Those that have to wait are not awaited. */
interface Around {
  readonly harness: ServiceHarness;
  stop: AbortController;
  readonly running: Promise<unknown>[];
}

type Happening = (around: Around, size: number) => void;

const happenings: Readonly<Record<string, Happening>> = {
  check: ({ harness, stop, running }) => running.push(harness.service.check(stop.signal)),
  turn: ({ harness }, size) => harness.fill(size),
  step: ({ harness }, size) => {
    const count = harness.host.transcript.entries.length;
    harness.host.say(called(`m${count}`, [`call${count}`, 'run_command', { command: `make ${count}` }]));
    harness.host.say(result(`r${count}`, `call${count}`, textOfTokens(size)));
  },
  interrupted: ({ harness }) => {
    const count = harness.host.transcript.entries.length;
    harness.host.say(called(`m${count}`, [`call${count}`, 'run_command', {}]));
  },
  typed: ({ harness }) => harness.host.say(typed(`t${harness.host.transcript.entries.length}`, 'go on')),
  answer: ({ harness }) => harness.model.answer(),
  fail: ({ harness }) => harness.model.answer(new Error('503')),
  manual: ({ harness, stop, running }) => running.push(harness.service.compactNow({}, stop.signal)),
  agent: ({ harness, stop, running }) =>
    running.push(harness.service.compactForAgent(undefined, stop.signal)),
  planStep: ({ harness, stop, running }) => running.push(harness.service.compactAfterStep(stop.signal)),
  overflow: ({ harness, stop, running }) =>
    running.push(harness.service.recoverFromOverflow({ limit: undefined, actual: undefined }, stop.signal)),
  take: ({ harness, stop, running }) => running.push(harness.service.takeBackground(stop.signal)),
  stop: (around) => {
    around.stop.abort();
    around.stop = new AbortController();
  },
  undo: ({ harness, running }) => {
    const applied = harness.records.filter(({ status }) => status === 'applied');
    const last = applied.at(-1);
    if (last !== undefined) running.push(harness.service.undo(last.id));
  },
  restore: ({ harness, running }, size) => {
    const said = messagesOf(harness.host.transcript);
    const message = said[size % Math.max(1, said.length)];
    if (message !== undefined) running.push(harness.service.restore(message.id));
  },
  pinned: ({ harness, running }, size) => {
    const said = messagesOf(harness.host.transcript);
    const message = said[size % Math.max(1, said.length)];
    if (message === undefined) return;
    const { id, createdAt } = message;
    running.push(harness.host.append({ type: 'pin', pinned: true, messageIds: [id], createdAt }));
  },
  reported: ({ harness }, size) => harness.service.noteReported({ inputTokens: size * 3, outputTokens: 9 }),
};

const stories = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('check', 'turn', 'answer') },
      { weight: 2, arbitrary: fc.constantFrom('undo', 'restore', 'pinned', 'stop') },
      { weight: 2, arbitrary: fc.constantFrom(...Object.keys(happenings)) },
    ),
    size: fc.integer({ min: 1, max: 3_000 }),
    /** True if all pending work is finished before the next event. */
    isSettled: fc.boolean(),
  }),
  { minLength: 10, maxLength: 60 },
);

describe('compactions with events in any order', () => {
  it('run one at a time, change only their own view, and only add to the transcript', async () => {
    const told = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const harness = new ServiceHarness(meter);
        // A wide range, so that most generated stories reach it.
        const budget = { ...harness.settings.budget, targetRatio: 0.3, backgroundRatio: 0.35 };
        harness.settings = { ...harness.settings, budget, afterPlanStep: true };
        const around: Around = { harness, stop: new AbortController(), running: [] };
        for (const { what, size, isSettled } of story) {
          const before = harness.host.transcript.entries;
          happenings[what]!(around, size);
          if (isSettled) await settle();
          const { entries, view } = harness.host.transcript;
          expect(entries.slice(0, before.length), 'the transcript lost something').toEqual(before);
          expect(findViolations(view), 'a provider would refuse the view').toEqual([]);
        }
        await finish(around);
        expect(findViolations(harness.host.transcript.view)).toEqual([]);
        expect(harness.model.mostAtOnce, 'two at once').toBeLessThanOrEqual(1);
        expectPairs(harness.events);
        expectPhases(harness.events);
        await expectOwnViews(harness);
        for (const name of harness.told) told.set(name, (told.get(name) ?? 0) + 1);
      }),
      { numRuns: 400 },
    );
    for (const name of ['start', 'end', '(start)', '(end)', '(cancelled)', '(base-changed)']) {
      expect(told.get(name), `there was hardly a story with ${name}`).toBeGreaterThan(5);
    }
  });
});

/** Waits for all started work. */
async function finish({ harness, running }: Around): Promise<void> {
  await harness.answering(Promise.allSettled(running));
  await harness.service.stopBackground();
}

/** Every announced compaction has one end, and none begins while another has not ended. */
function expectPairs(events: readonly CompactionEvent[]): void {
  let running: 'nothing' | 'background' | 'foreground' = 'nothing';
  for (const event of events) {
    if (event.type === 'compaction-proposed' || event.type === 'compaction-phase') continue;
    const isBackground = event.isBackground === true;
    if (event.type === 'compaction-start') {
      // Background work may be awaited later.
      expect(running === 'nothing' || (running === 'background' && !isBackground), 'two at once').toBe(true);
      running = isBackground ? 'background' : 'foreground';
    } else {
      expect(running, 'an end of what had not begun').toBe(isBackground ? 'background' : 'foreground');
      running = 'nothing';
    }
  }
  expect(running, 'a compaction without an end').toBe('nothing');
}

/** An applied record names its whole view, message by message, and has its size. */
async function expectOwnViews(harness: ServiceHarness): Promise<void> {
  for (const [record, { view, pins }] of harness.host.appliedTo) {
    const named = new Set(record.actions.flatMap(({ sourceIds }) => sourceIds));
    const base = view.slice(0, named.size);
    expect(
      base.filter(({ id }) => !named.has(id)),
      'applied to another view',
    ).toEqual([]);
    const touched = record.actions
      .filter(({ kind }) => kind !== 'keep' && record.trigger.requirement === 'soft')
      .flatMap(({ sourceIds }) => sourceIds);
    expect(
      touched.filter((id) => pins.has(id)),
      'a pinned message was touched',
    ).toEqual([]);
    expect(record.before.tokens, 'applied to a view that was changed').toBe(await harness.sizeOf(base));
  }
}

/** Each compaction reports its start first and its end last, and closes every phase in between. */
function expectPhases(events: readonly CompactionEvent[]): void {
  const told = new Map<number, string[]>();
  for (const event of events) {
    if (event.type !== 'compaction-phase') continue;
    const phases = told.get(event.compaction) ?? [];
    told.set(event.compaction, phases);
    if (event.phase === 'tier-end' || event.phase === 'summary-end') {
      expect(phases.pop(), 'an end of what had not begun').toBe(event.phase.replace('end', 'start'));
    } else if (event.phase === 'done') {
      expect(phases, 'over while something of it goes on').toEqual(['before']);
      phases.push('done');
    } else if (event.phase !== 'rollback') phases.push(event.phase);
  }
  for (const phases of told.values()) expect(phases).toEqual(['before', 'done']);
}
