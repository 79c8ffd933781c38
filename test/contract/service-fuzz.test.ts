import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { protectedIds } from '../../src/compaction/messages/protection.ts';
import { hideSelection } from '../../src/compaction/manual-edits/hide.ts';
import { rewind } from '../../src/compaction/manual-edits/rewind.ts';
import { partOf, type PartRange } from '../../src/compaction/service/part.ts';
import { CompactionService } from '../../src/compaction/service/service.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import {
  append,
  emptyTranscript,
  messagesOf,
  transcriptOf,
} from '../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { recordsInForce } from '../../src/compaction/transcript/view.ts';
import { createMeter } from '../support/engine.ts';
import { entriesOf, textOfTokens } from '../support/messages.ts';
import { soak } from '../support/soak.ts';

const meter = await createMeter();

/** A session as it really is, and the service that compacts it. */
class Session {
  transcript = emptyTranscript;
  readonly tools = [];
  readonly service: CompactionService;
  strategy: StrategyId = 'ladder';
  window = 4_000;
  /** Grows when somebody else changes the files. */
  diskVersion = 0;
  private messages = 0;
  private records = 0;

  constructor(meter: UsageMeter) {
    const ports = {
      meter,
      model: () => new OfflineModel({ window: 32_000 }),
      readFile: (path: string) =>
        Promise.resolve({
          path,
          lines: [`// ${path}, version ${this.diskVersion}`, textOfTokens(path.length)],
          modifiedAt: Date.parse('2026-01-01T00:00:00.000Z') + this.diskVersion,
        }),
      clock: { now: () => 0 },
      nextRecordId: () => `c${++this.records}`,
    };
    this.service = new CompactionService(this, ports, () => {
      const strategy = strategyOf(this.strategy);
      const budget = { window: this.window, triggerRatio: 0.85, targetRatio: 0.5, reservedOutput: 300 };
      const { options } = resolveOptions(strategy.options, {});
      const restoreFiles = { files: 2, tokens: 400 };
      return { strategy, options, budget, mode: 'auto', protectFirst: false, restoreFiles };
    });
  }

  append(entry: TranscriptEntry): Promise<void> {
    this.transcript = append(this.transcript, entry);
    return Promise.resolve();
  }

  async say(message: Omit<Message, 'id' | 'createdAt'>): Promise<void> {
    const id = `m${++this.messages}`;
    await this.append({
      type: 'message',
      message: { ...message, id, createdAt: '2026-01-01T00:00:00.000Z' },
    });
  }

  /** The message at a position among all messages. */
  at(position: number): Message | undefined {
    const all = messagesOf(this.transcript);
    return all[position % Math.max(1, all.length)];
  }
}

const text = fc
  .tuple(fc.constantFrom('', 'Error: EBUSY </conversation_summary> ', '仓库 😀 '), fc.nat({ max: 500 }))
  .map(([start, tokens]) => `${start}${textOfTokens(tokens + 1)}`);
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const content = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: text.map((each) => [{ type: 'text', text: each }, image]) },
);
const exchange = fc.array(
  fc.record({
    id: fc.constantFrom('a', 'b'),
    path: fc.constantFrom('src/a.ts', 'src/b.ts', 'src/folder/c.ts'),
    content,
    isAnswered: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
);
const chosenByPeople = strategyIds.filter((id) => id !== 'custom' && id !== 'none');
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ step: fc.constant('ask' as const), content }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('answer' as const), content: text }) },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constant('system' as const), content: fc.constant('Rules.') }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('orphan' as const), content: text }) },
  {
    weight: 5,
    arbitrary: fc.record({ step: fc.constant('call' as const), calls: exchange, argument: text }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('compact' as const),
      strategy: fc.constantFrom(...chosenByPeople),
      window: fc.constantFrom(1_500, 3_000, 6_000, 20_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('check' as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('restore' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('pin' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('hide' as const), which: fc.array(fc.nat(), { maxLength: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('part' as const),
      strategy: fc.constantFrom(...chosenByPeople, 'rewind' as const),
      first: fc.option(fc.nat(), { nil: undefined }),
      length: fc.nat({ max: 20 }),
      rewinds: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('edit' as const), words: text }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('disk' as const) }) },
);
type Step = ReturnType<typeof steps.generate>['value'];

const never = new AbortController().signal;

async function take(session: Session, step: Step): Promise<void> {
  const { service } = session;
  switch (step.step) {
    case 'ask':
      return session.say({ role: 'user', origin: 'person', content: step.content });
    case 'answer':
      return session.say({ role: 'assistant', origin: 'model', content: step.content });
    case 'system':
      return session.say({ role: 'system', origin: 'harness', content: step.content });
    case 'orphan':
      return session.say({ role: 'tool', origin: 'tool', tool_call_id: 'nope', content: step.content });
    case 'call': {
      const calls = step.calls.map(({ id, path }) => ({
        id,
        type: 'function' as const,
        function: { name: 'write_file', arguments: JSON.stringify({ path, content: step.argument }) },
      }));
      await session.say({ role: 'assistant', origin: 'model', content: null, tool_calls: calls });
      for (const { id, content: answer, isAnswered } of step.calls) {
        if (isAnswered)
          await session.say({ role: 'tool', origin: 'tool', tool_call_id: id, content: answer });
      }
      return;
    }
    case 'compact': {
      session.strategy = step.strategy;
      session.window = step.window;
      const { view, pins } = session.transcript;
      const isProtected = protectedIds(view, { pins, protectFirst: false });
      const record = await service.compactNow({}, never);
      expect(record.reason?.code).not.toBe('strategy-failed');
      expect(record.reason?.code, record.reason?.message).not.toBe('protected-changed');
      if (record.status !== 'applied') return;
      expect(record.after.tokens).toBe((await service.usage()).total);
      const after = new Map(session.transcript.view.map((message) => [message.id, message]));
      for (const message of view.filter(({ id }) => isProtected.has(id))) {
        const kept = after.get(message.id);
        const isClipped = record.trigger.requirement === 'hard' && kept?.truncation?.fate === 'clip';
        if (!isClipped) expect(kept).toEqual(message);
      }
      return;
    }
    case 'disk':
      session.diskVersion++;
      return;
    case 'check':
      await service.check(never);
      return;
    case 'undo': {
      const inForce = recordsInForce(session.transcript.entries);
      const record = inForce[step.which % Math.max(1, inForce.length)];
      if (record !== undefined) await service.undo(record.id);
      return;
    }
    case 'restore': {
      const message = session.at(step.which);
      if (message !== undefined) await service.restore(message.id);
      return;
    }
    case 'pin': {
      const message = session.at(step.which);
      if (message === undefined) return;
      await session.append({ type: 'pin', createdAt: '', messageIds: [message.id], pinned: true });
      return;
    }
    case 'hide': {
      const messages = step.which.flatMap((which) => session.at(which)?.id ?? []);
      const record = await service.compactNow(
        { strategy: hideSelection({ messages, pictures: messages.slice(2) }) },
        never,
      );
      expect(record.reason?.code).not.toBe('strategy-failed');
      expect(record.actualStrategy).toBe('hide');
      return;
    }
    case 'part': {
      const said = messagesOf(session.transcript);
      const first = step.first === undefined ? undefined : step.first % Math.max(1, said.length);
      const range = {
        from: first === undefined ? undefined : said[first]?.id,
        to: said[Math.min((first ?? 0) + step.length, said.length - 1)]?.id,
        rewinds: step.rewinds,
      };
      await compactPart(session, range, step.strategy === 'rewind' ? rewind : strategyOf(step.strategy));
      return;
    }
    case 'edit': {
      const request = { strategy: llmSummary };
      const preview = await service.preview(request, never);
      const entries = session.transcript.entries.length;
      const edits = preview.record.outputs.map(({ id }) => ({ outputId: id, text: step.words }));
      const edited = await service.previewEdited(preview, edits, request, never);
      expect(session.transcript.entries.length, 'a preview wrote something down').toBe(entries);
      expect(edited.record.reason?.code).not.toBe('strategy-failed');
      if (edited.record.status === 'applied') await service.applyRecord(edited.record, edited.base);
    }
  }
}

/** Compacts a part, outside which no strategy may change anything. */
async function compactPart(session: Session, range: PartRange, strategy: Strategy): Promise<void> {
  const { view } = session.transcript;
  const part = partOf(session.transcript, range);
  if (part === undefined) return;
  const record = await session.service.compactNow({ strategy, part: range }, never);
  expect(record.reason?.code).not.toBe('strategy-failed');
  expect(record.reason?.code, record.reason?.message).not.toBe('protected-changed');
  const after = new Map(session.transcript.view.map((message) => [message.id, message]));
  const outside = [...view.slice(0, part.start), ...view.slice(part.end)];
  for (const message of outside) expect(after.get(message.id), 'outside the part').toEqual(message);
}

function expectSound({ transcript }: Session): void {
  expect(findViolations(transcript.view), 'a provider would refuse the view').toEqual([]);
  const ids = transcript.view.map(({ id }) => id);
  expect(new Set(ids).size, 'a message stands twice in the view').toBe(ids.length);
  const copies = transcript.view.flatMap(({ kind, source }) => (kind === 'file' ? [source] : []));
  expect(new Set(copies).size, 'a file came back twice').toBe(copies.length);
  const again = transcriptOf(JSON.parse(JSON.stringify(transcript.entries)) as TranscriptEntry[]);
  expect(JSON.stringify(again.view), 'read again, it is another view').toBe(JSON.stringify(transcript.view));
}

describe('a session after any events in any order', () => {
  it('is valid and complete, and undoing everything restores its original state', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 40, size: 'max' }), async (taken) => {
        const session = new Session(meter);
        for (const step of taken) {
          await take(session, step);
          expectSound(session);
        }
        for (const { id } of recordsInForce(session.transcript.entries).toReversed()) {
          const isInForce = recordsInForce(session.transcript.entries).some((record) => record.id === id);
          if (isInForce) await session.service.undo(id);
        }
        const plain = transcriptOf(entriesOf(messagesOf(session.transcript)));
        expect(JSON.stringify(session.transcript.view)).toBe(JSON.stringify(plain.view));
      }),
      { numRuns: soak(25, 150) },
    );
  });
});
