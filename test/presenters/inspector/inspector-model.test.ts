import { beforeEach, describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/agent/model/chat-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import { type BudgetSettings, createBudget } from '../../../src/compaction/budget/budget.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { llmSummary } from '../../../src/compaction/strategies/llm-summary.ts';
import { toolResultHiding } from '../../../src/compaction/strategies/tool-result-hiding.ts';
import type { Fullness } from '../../../src/insights/context-fullness.ts';
import { InspectorModel, triggerRange } from '../../../src/presenters/inspector/inspector-model.ts';
import { allowAll } from '../../agent/session/session-harness.ts';
import { createMeter, SummaryModelDouble } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

describe('the state of the inspector', () => {
  const history: readonly Message[] = [
    system('m1', 'rules'),
    typed('m2', 'look around'),
    ...[3, 6, 9, 12].flatMap((id): readonly Message[] => [
      called(`m${id}`, [`a${id}`, 'read_file', { path: `f${id}.ts` }]),
      result(`m${id + 1}`, `a${id}`, textOfTokens(300)),
    ]),
    { ...said('m15', 'done'), usage: { inputTokens: 1_500, outputTokens: 20 } },
    typed('m16', 'thanks'),
  ];

  const labels = { chatId: 's1', otherSessions: [], model: 'double', strategy: 'test' };

  describe('InspectorModel', () => {
    let session: AgentSession;
    let inspector: InspectorModel;
    let strategy: Strategy;

    beforeEach(async () => {
      const meter = await createMeter();
      strategy = toolResultHiding;
      const model = new SummaryModelDouble('<summary>notes</summary>') as unknown as ChatModel;
      session = new AgentSession(
        { title: 'A title', entries: entriesOf(history), tools: [], lastTurn: undefined },
        {
          log: () => Promise.resolve(),
          models: () => Promise.resolve({ chat: model, named: () => model }),
          tools: () => [],
          settings: () => ({
            strategy,
            options: resolveOptions(
              strategy.options,
              strategy === toolResultHiding ? { preserveRecentGroups: 2 } : {},
            ).options,
            budget: { window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 },
            mode: 'auto',
            protectFirst: false,
          }),
          meter,
          approvals: allowAll,
          systemPrompt: () => 'rules',
          now: () => 0,
        },
        () => {},
      );
      inspector = new InspectorModel({ id: 's1', session, meterOf: () => meter, wording: englishWording });
    });

    it('shows kinds that add up to the total', async () => {
      const { usage } = await inspector.state(labels);
      expect(Object.values(usage.byKind).reduce((sum, tokens) => sum + tokens, 0)).toBe(usage.tokens);
      expect(usage).toMatchObject({ window: 10_000, trigger: 8_500, target: 5_000, reserved: 1_250 });
    });

    it('shows only the observed compaction size as a limit of another agent', async () => {
      const fullness: Fullness = { tokens: 9_000, basis: 'reported', alternatives: [] };
      const foreign = {
        agent: undefined,
        model: undefined,
        report: () => Promise.resolve(undefined),
        fullness: () => Promise.resolve(fullness),
      };
      const meter = await createMeter();
      const usageWith = async (budget: Partial<BudgetSettings>) => {
        const { transcript, title, activity, tools } = session;
        const compaction = {
          usage: () => session.compaction.usage(),
          budget: createBudget({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5, ...budget }),
          undoneWith: () => [],
        };
        const opened = { transcript, title, activity, tools, foreign, compaction };
        const shown = { id: 's1', session: opened, meterOf: () => meter, wording: englishWording };
        return (await new InspectorModel(shown).state(labels)).usage;
      };
      expect(await usageWith({})).toMatchObject({ window: 10_000, reserved: 0, fullness });
      expect(await usageWith({})).not.toHaveProperty('target');
      expect((await usageWith({})).trigger).toBeUndefined();
      const seen = await usageWith({ triggerTokens: 7_800, reservedOutput: 2_200 });
      expect(seen).toMatchObject({ trigger: 7_800, reserved: 0 });
    });

    it("shows the provider's report until a compaction makes it out of date", async () => {
      expect((await inspector.state(labels)).usage.reported).toEqual({ tokens: 1_520, messagesSince: 1 });
      await session.compactNow();
      expect((await inspector.state(labels)).usage.reported).toBeUndefined();
    });

    it('lists compactions, newest first, each with the compactions that its undo would include', async () => {
      await session.compactNow();
      strategy = llmSummary;
      await session.compactNow();
      const { records } = await inspector.state(labels);
      expect(records.map(({ id, undoneWith }) => [id, undoneWith])).toEqual([
        ['c2', []],
        ['c1', ['c2']],
      ]);
      await session.undo('c1');
      expect((await inspector.state(labels)).records.map(({ isUndone }) => isUndone)).toEqual([true, true]);
    });

    it('sends the lines of a diff, never whole messages', async () => {
      await session.compactNow();
      const rows = (await inspector.diff('c1'))!;
      expect(rows.map(({ fate, sourceCount }) => [fate, sourceCount])).toEqual([
        ['keep', 3],
        ['hide', 1],
        ['keep', 1],
        ['hide', 1],
        ['keep', 6],
      ]);
      const hidden = rows[1]!;
      expect(hidden.sources[0]).toMatchObject({ id: 'm4', kind: 'toolResult', title: 'Result' });
      expect(hidden.sources[0]!.label).toContain('f3.ts');
      expect(hidden.sources[0]!.excerpt.length).toBeLessThanOrEqual(200);
      expect(hidden.output!.tokens).toBe(hidden.tokensAfter);
      expect(rows.reduce((sum, row) => sum + row.tokensAfter, 0)).toBe(
        (await inspector.state(labels)).usage.tokens,
      );
    });

    it('sends the kept messages between two changes only on request', async () => {
      await session.compactNow();
      expect((await inspector.diff('c1'))![0]!.sources).toEqual([]);
      expect((await inspector.sources('c1', 0))!.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    });

    it('returns an original message and its replacement, and clips both on request', async () => {
      await session.compactNow();
      const texts = (await inspector.texts('c1', 'm4'))!;
      expect(texts.before).toBe(textOfTokens(300));
      expect(texts.after).toContain('recall("m4")');
      expect((await inspector.texts('c1', 'm4', 10))!.before).toHaveLength(10);
      expect(await inspector.texts('c1', 'm2')).toEqual({ before: 'look around', after: 'look around' });
    });

    it('marks messages that were restored later', async () => {
      await session.compactNow();
      await session.restore('m4');
      const rows = (await inspector.diff('c1'))!;
      expect(rows[1]!.sources[0]!.isRestored).toBe(true);
      expect(rows[3]!.sources[0]!.isRestored).toBe(false);
    });

    it('returns all messages as lines, starting from any message', async () => {
      await session.compactNow();
      const lines = await inspector.messages(0);
      expect(lines).toHaveLength(history.length);
      expect(lines.slice(1, 4)).toMatchObject([
        { id: 'm2', kind: 'user', title: 'You', excerpt: 'look around' },
        { id: 'm3', kind: 'toolCall', title: 'read_file', label: 'f3.ts' },
        { id: 'm4', kind: 'toolResult', label: 'read_file f3.ts' },
      ]);
      expect(lines[3]!.tokens).toBeGreaterThan(299);
      expect((await inspector.messages(10)).map(({ id }) => id)).toEqual(
        history.slice(10).map(({ id }) => id),
      );
      expect(await inspector.messages(history.length)).toEqual([]);
    });

    it('returns a whole message, and clips it on request', () => {
      expect(inspector.text('m4', 10_000)).toBe(textOfTokens(300));
      expect(inspector.text('m4', 10)).toHaveLength(10);
      expect(inspector.text('m99', 10)).toBeUndefined();
    });

    it('returns nothing for a record outside the session', async () => {
      expect(await inspector.diff('c9')).toBeUndefined();
      expect(await inspector.sources('c9', 0)).toBeUndefined();
      expect(await inspector.texts('c9', 'm1')).toBeUndefined();
    });
  });
});

describe('the limits of the trigger', () => {
  const rangeOf = (changes: Partial<BudgetSettings> = {}) =>
    triggerRange(createBudget({ window: 100_000, triggerRatio: 0.85, targetRatio: 0.5, ...changes }));

  describe('the range for the trigger', () => {
    it('is above the target and below the room for the reply', () => {
      expect(rangeOf()).toEqual({
        ratio: 0.85,
        least: 0.51,
        most: 0.87,
        leastReason: 'target',
        mostReason: 'reserve',
      });
    });

    it('has the limits of the setting if nothing else limits it', () => {
      expect(rangeOf({ targetRatio: 0.05, reservedOutput: 0 })).toMatchObject({
        least: 0.1,
        most: 0.99,
        leastReason: 'setting',
        mostReason: 'setting',
      });
    });

    it('ends at the number of tokens that always starts a compaction', () => {
      expect(rangeOf({ triggerTokens: 70_000, targetRatio: 0.4 })).toMatchObject({
        most: 0.7,
        mostReason: 'tokens',
      });
    });

    it('includes the configured value, even above the room for the reply', () => {
      expect(rangeOf({ triggerRatio: 0.95 })).toMatchObject({ ratio: 0.95, most: 0.87 });
    });

    it('is empty if the window is unknown', () => {
      expect(rangeOf({ window: undefined, triggerTokens: 9_000 })).toBeUndefined();
    });
  });
});
