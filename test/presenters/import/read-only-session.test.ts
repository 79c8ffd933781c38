import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentSession } from '../../../src/agent/session/agent-session.ts';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { CancelledError } from '../../../src/compaction/signals/cancellation.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf, recordsOf } from '../../../src/compaction/transcript/transcript.ts';
import { readOnlySessionOf } from '../../../src/presenters/import/read-only-session.ts';
import { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import { claudeCodeSession, firstQuestion, summary } from '../../support/claude-code-session.ts';
import { createMeter } from '../../support/engine.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { importTranscript } from '../../../src/transcripts/import-transcript.ts';

describe('opening a session of another agent', () => {
  describe('a read-only session', () => {
    let meter: UsageMeter;
    beforeAll(async () => {
      meter = await createMeter();
    });
    const open = async (text: string, signal = new AbortController().signal) => {
      const budget = () => ({ window: 10_000, triggerRatio: 0.85, targetRatio: 0.5 });
      const ports = { meterOf: () => meter, budget, factsOf: (model: string) => factsOfModel(model) };
      return readOnlySessionOf(importTranscript(text), 'file-name', ports, signal);
    };

    it('has its own messages unchanged, and no system message of ours', async () => {
      const { transcript, title, activity } = await open(claudeCodeSession);
      expect(messagesOf(transcript).every(({ role }) => role !== 'system')).toBe(true);
      expect([title, activity]).toEqual([firstQuestion, 'idle']);
    });

    it('is named after the file if nothing was typed', async () => {
      const { title } = await open(JSON.stringify([{ role: 'assistant', content: 'Hello.' }]));
      expect(title).toBe('file-name');
    });

    it("has the agent's compactions as records, each with the records that its undo would include", async () => {
      const { transcript, compaction } = await open(claudeCodeSession);
      const records = recordsOf(transcript);
      expect(records.map(({ actualStrategy }) => actualStrategy)).toEqual(['claude-code']);
      expect(compaction.undoneWith(records[0]!.id)).toEqual(records);
      expect(compaction.undoneWith('c9')).toEqual([]);
    });

    it('can be inspected', async () => {
      // The inspector needs only the members of a read-only session.
      const session = (await open(claudeCodeSession)) as unknown as AgentSession;
      const inspector = new InspectorModel({
        id: 's1',
        session,
        meterOf: () => meter,
        wording: englishWording,
      });
      const rows = (await inspector.diff('c1'))!;
      const summarised = rows.find(({ fate }) => fate === 'summarise')!;
      expect(summarised.sourceCount).toBeGreaterThan(1);
      expect(summarised.output?.excerpt).toContain(summary.slice(0, 40));
    });

    it('counts what the agent would send, including tool schemas', async () => {
      const tools = [{ type: 'function', function: { name: 'read_file', description: 'Reads a file' } }];
      const messages = [{ role: 'user', content: 'hi' }];
      const bare = await (await open(JSON.stringify({ messages }))).compaction.usage();
      const usage = await (await open(JSON.stringify({ messages, tools }))).compaction.usage();
      expect(bare.byKind).toMatchObject({ tools: 0 });
      expect(usage.byKind.tools).toBeGreaterThan(0);
      expect(usage.total - bare.total).toBe(usage.byKind.tools);
    });

    describe('is measured against', () => {
      const session = (document: object) =>
        open(JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], ...document }));
      const said = (model: string, input: number) => ({
        role: 'assistant',
        content: 'Hello.',
        model,
        usage: { inputTokens: input, outputTokens: 5 },
      });

      it('the window in the file, with the shares in the settings', async () => {
        const { compaction } = await session({ window: 100_000 });
        expect(compaction.budget).toMatchObject({ window: 100_000, trigger: 85_000, target: 50_000 });
      });

      it('the window of the model in the file, never that of the model chosen here', async () => {
        const named = await session({ messages: [said('claude-sonnet-4-5', 9_000)] });
        expect(named.foreign.model).toBe('claude-sonnet-4-5');
        expect(named.compaction.budget.window).toBe(200_000);
        expect((await session({})).compaction.budget.window).toBeUndefined();
      });

      it('no listed window that a request exceeded', async () => {
        const longer = await session({ messages: [said('claude-sonnet-4-5', 350_000)] });
        expect(longer.compaction.budget.window).toBe(1_000_000);
        const { compaction } = await session({ messages: [said('claude-opus-4-5', 350_000)] });
        expect(compaction.budget.window).toBeUndefined();
      });

      it('no reserve for the reply, because only the agent knows it', async () => {
        const { compaction } = await session({ messages: [said('claude-opus-4-5', 9_000)] });
        expect(compaction.budget.reservedOutput).toBe(0);
      });

      it('the size at which the agent compacted automatically', async () => {
        const rows = [
          { type: 'user', uuid: 'a', parentUuid: null, sessionId: 's', message: { content: 'hi' } },
          {
            type: 'system',
            subtype: 'compact_boundary',
            uuid: 'b',
            logicalParentUuid: 'a',
            compactMetadata: { trigger: 'auto', preTokens: 167_000 },
          },
          {
            type: 'user',
            uuid: 'c',
            parentUuid: 'b',
            isCompactSummary: true,
            message: { content: 'They said hi.' },
          },
          {
            type: 'assistant',
            uuid: 'd',
            parentUuid: 'c',
            message: { model: 'claude-opus-4-5', content: [{ type: 'text', text: 'Hello.' }] },
          },
        ];
        const { compaction } = await open(rows.map((row) => JSON.stringify(row)).join('\n'));
        expect(compaction.budget).toMatchObject({ window: 200_000, trigger: 167_000 });
      });
    });

    it('shows reported and counted tokens, the tokens that are not in the file, and the cost', async () => {
      const reply = {
        role: 'assistant',
        content: 'Hello.',
        model: 'claude-opus-4-5',
        usage: { inputTokens: 1_000_000, cachedInputTokens: 500_000, cacheWriteTokens: 0, outputTokens: 0 },
      };
      const { foreign } = await open(JSON.stringify([{ role: 'user', content: 'hi' }, reply]));
      const report = await foreign.report();
      expect(report).toMatchObject({
        reported: 1_000_000,
        missing: ['system', 'tools'],
        cachedShare: 0.5,
        dollars: 2.75,
        isPartOfCost: false,
      });
      expect(report?.counted).toBeLessThan(10);
      expect(await (await open('[{"role":"user","content":"hi"}]')).foreign.report()).toBeUndefined();
    });

    it('reports unreadable parts', async () => {
      const { problems } = await open(`${claudeCodeSession}{"type":"us`);
      expect(problems).toEqual([expect.stringMatching(/^Line \d+ was skipped/)]);
    });

    it.each([
      ['dear diary', /not a transcript in a known format/],
      ['{"sessionId":"s","projectHash":"h",\n"messages":3}', /^Line 2: expected a Gemini CLI session/],
      ['{"messages":[]}', /There are no messages/],
    ])('is refused with the expected form: %j', async (text, message) => {
      await expect(open(text)).rejects.toThrow(message);
    });

    it('is not read further after cancellation', async () => {
      await expect(open(claudeCodeSession, AbortSignal.abort())).rejects.toThrow(CancelledError);
    });
  });
});
