import { beforeAll, describe, expect, it } from 'vitest';
import type { SentMessage } from '../../src/agent/governed/history-change.ts';
import { rewritingRecord } from '../../src/agent/governed/rewriting.ts';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import type { Message, ToolSchema } from '../../src/compaction/messages/message.ts';
import { emptyUsage, type UsageMeter } from '../../src/compaction/tokens/usage.ts';
import {
  sameToolsThroughout,
  type ToolHistory,
  type TranscriptEntry,
} from '../../src/compaction/transcript/transcript-entry.ts';
import { project } from '../../src/compaction/transcript/view.ts';
import { breakSentence } from '../../src/insights/break-sentence.ts';
import { type BreakGroup, cacheBreaks } from '../../src/insights/cache-breaks.ts';
import { createTimeline, type TimelineCall } from '../../src/insights/session-timeline.ts';
import { createMeter } from '../support/engine.ts';
import { entriesOf, said, system, textOfTokens, typed } from '../support/messages.ts';

const createdAt = '2026-01-01T00:00:00.000Z';
const factsOf = (model: string) => factsOfModel(model);
const tool = (description: string): ToolSchema => ({
  type: 'function',
  function: { name: 'read', parameters: { properties: { path: { description } } } },
});
const none = sameToolsThroughout([]);

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

async function breaksOf(entries: readonly TranscriptEntry[], tools: ToolHistory = none) {
  const { calls } = await createTimeline(meter, tools)(entries);
  return cacheBreaks(calls, { factsOf });
}

/** A client's requests. Each begins with the system prompt, which may differ, and ends with a new message. */
async function clientSession(prompts: readonly string[]): Promise<readonly TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  for (const [index, prompt] of prompts.entries()) {
    const sent = prompts[index - 1];
    if (sent === undefined) entries.push(...entriesOf([system('s', prompt)]));
    else if (sent !== prompt) {
      const changed: SentMessage = { role: 'system', content: prompt, origin: 'harness' };
      const record = await rewritingRecord(
        { rewritten: new Map([['s', changed]]), gone: new Set(), insertions: [] },
        {
          recordId: `k${index}`,
          createdAt,
          view: project(entries),
          tools: [],
          client: undefined,
          folder: undefined,
          meter,
        },
      );
      entries.push({ type: 'compaction', record: record! });
    }
    entries.push(...entriesOf([typed(`u${index}`, textOfTokens(100)), said(`a${index}`, 'done')]));
  }
  return entries;
}

const words = (groups: readonly BreakGroup[]) =>
  groups.map(({ breaks }) => `${breaks.length} × ${breakSentence(breaks[0]!).english}`);

describe('the cache breaks of a client', () => {
  it('are counted together if the same part of the system prompt changes', async () => {
    const prompts = [1, 2, 3, 4].map((day) => `Be brief.\n<env>\nToday: 2026-11-0${day}\n</env>`);
    const groups = await breaksOf(await clientSession(prompts));
    expect(words(groups)).toEqual(['3 × System, “env”: date']);
    expect(groups[0]?.breaks.map(({ request }) => request)).toEqual([4, 3, 2]);
    expect(groups[0]?.breaks[2]?.place?.change).toMatchObject({
      before: expect.stringMatching(/Today: 2026-11-01\n<\/env>$/u) as string,
      after: expect.stringMatching(/Today: 2026-11-02\n<\/env>$/u) as string,
    });
  });

  it('cost what was sent before, without the new message', async () => {
    const [group] = await breaksOf(await clientSession(['Day 1', 'Day 2']));
    const again = [system('s', 'Day 2'), typed('u0', textOfTokens(100)), said('a0', 'done')];
    // The reply is new in the second request.
    expect(group?.tokens).toBe((await meter.measure(again.slice(0, 2))).total);
  });

  it('are apart if another part changes', async () => {
    const groups = await breaksOf(await clientSession(['Day 1. Hi', 'Day 2. Hi', 'Day 2. Hello']));
    expect(words(groups)).toEqual(['1 × System: text', '1 × System: number']);
  });

  it('are none if the conversation only grows', async () => {
    expect(await breaksOf(await clientSession(['Day 1', 'Day 1', 'Day 1']))).toEqual([]);
  });
});

describe('the cache breaks of tools', () => {
  const messages = [typed('u1', 'hi'), said('a1', 'yes'), typed('u2', 'go on'), said('a2', 'done')];
  const breaksWith = (later: readonly ToolSchema[]) =>
    breaksOf(entriesOf(messages), [
      { entries: 0, tools: [tool('a path')] },
      { entries: 2, tools: later },
    ]);

  it('name the tool and the field that changed', async () => {
    expect(words(await breaksWith([tool('a file')]))).toEqual([
      '1 × Tool read, parameters.properties.path.description: text',
    ]);
  });

  it('name tools that were added or removed', async () => {
    const added: ToolSchema = { type: 'function', function: { name: 'run' } };
    expect(words(await breaksWith([tool('a path'), added]))).toEqual(['1 × Tools changed. Added: run']);
    expect(words(await breaksWith([]))).toEqual(['1 × Tools changed. Removed: read']);
  });
});

describe("the cache breaks in a provider's numbers", () => {
  const call = (
    minute: number,
    cached: number | undefined,
    more: Partial<TimelineCall> = {},
  ): TimelineCall => ({
    messageId: `a${minute}`,
    createdAt: new Date(Date.parse(createdAt) + minute * 60_000).toISOString(),
    tokens: 1_000,
    byKind: emptyUsage.byKind,
    keptTokens: 1_000,
    ...(cached !== undefined && {
      reported: { inputTokens: 50_000, cachedInputTokens: cached, outputTokens: 1 },
    }),
    ...more,
  });
  const found = (...calls: readonly TimelineCall[]) =>
    cacheBreaks(calls, { factsOf }).map(({ breaks, tokens }) => [breaks[0]?.cause.type, tokens]);

  it('are expired entries after more than five minutes', () => {
    expect(found(call(0, 0), call(1, 49_000), call(7, 4_000))).toEqual([['expired', 46_000]]);
  });

  it('are unexplained in between, whether the provider read nothing or only the beginning', () => {
    const calls = [call(0, 0), call(1, 49_000), call(2, 0), call(3, 4_000)];
    expect(found(...calls)).toEqual([['unexplained', 96_000]]);
  });

  it('are none if the provider has no cache, or reads all but a block', () => {
    expect(found(call(0, 0), call(1, 0), call(2, 0))).toEqual([]);
    expect(found(call(0, 0), call(1, 49_000), call(2, 48_000))).toEqual([]);
  });

  it('take only what was written to the cache as lost, if that is reported', () => {
    const reported = {
      inputTokens: 50_000,
      cachedInputTokens: 20_000,
      cacheWriteTokens: 0,
      outputTokens: 1,
    };
    const written = { reported: { ...reported, cachedInputTokens: 10_000, cacheWriteTokens: 10_000 } };
    expect(found(call(0, 0, written), call(1, 0, { reported }), call(2, 0, { reported }))).toEqual([]);
    expect(found(call(0, 0, written), call(1, 0, written))).toEqual([['unexplained', 10_000]]);
  });

  it('are measured from the last report, because a request without one mostly failed', () => {
    expect(found(call(0, 0), call(1, 49_000), call(8, undefined), call(9, 0))).toEqual([['expired', 50_000]]);
  });

  it('are not told apart from a change of the content in the same request', () => {
    const broken = { cause: { type: 'undo', recordIds: ['k'] }, tokens: 500 } as const;
    expect(found(call(0, 0), call(1, 49_000), call(2, 0, { broken }))).toEqual([['undo', 500]]);
  });

  it('cost the difference between reading and writing', () => {
    const modelId = 'claude-opus-4-6';
    const calls = [call(0, 0, { modelId }), call(1, 49_000, { modelId }), call(2, 0, { modelId })];
    const { price, cache } = factsOf(modelId);
    const [group] = cacheBreaks(calls, { factsOf });
    expect(group?.dollars).toBeCloseTo((50_000 * price!.input * (cache!.write - cache!.read)) / 1_000_000);
  });
});

describe('a long session', () => {
  it('is read in time that grows with its length', async () => {
    /** Number of messages that are read while one more request is added to a session. */
    async function reads(requests: number): Promise<number> {
      let count = 0;
      const watched = (message: Message): Message =>
        new Proxy(message, {
          get(target, name) {
            if (name === 'content') count++;
            return Reflect.get(target, name) as unknown;
          },
        });
      const messages = Array.from({ length: requests }, (_, index) => [
        typed(`u${index}`, 'go on'),
        said(`a${index}`, 'done'),
      ]).flat();
      await breaksOf(entriesOf(messages.map(watched)));
      return count;
    }
    expect((await reads(5_000)) / (await reads(500))).toBeLessThan(11);
  });
});
