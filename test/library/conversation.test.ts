import { beforeEach, describe, expect, it } from 'vitest';
import { ChangedHistoryError, Conversation } from '../../src/library/conversation.ts';
import { toOpenai, type OpenaiInput } from '../../src/library/openai-messages.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import { unchanged } from '../../src/compaction/strategies/contract/strategy.ts';
import { none } from '../../src/compaction/strategies/none.ts';
import { toolResultHiding } from '../../src/compaction/strategies/tool-result-hiding.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';
import { SummaryModelDouble } from '../support/engine.ts';
import { textOfTokens } from '../support/messages.ts';

const budget = { window: 4_000, reservedOutput: 400 };

/** A request and a file read for it, in the form of the openai package. */
function exchange(number: number): readonly OpenaiInput[] {
  const call = { id: `call_${number}`, type: 'function', function: { name: 'read_file', arguments: '{}' } };
  return [
    { role: 'user', content: `Read file ${number}.` },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: textOfTokens(600) },
    { role: 'assistant', content: `File ${number} is read.` },
  ];
}

const exchanges = (count: number) => Array.from({ length: count }, (_, index) => exchange(index + 1)).flat();

describe('Conversation', () => {
  let conversation: Conversation;
  beforeEach(() => {
    conversation = new Conversation({ strategy: toolResultHiding, budget });
  });

  it('sends the messages unchanged while they fit', async () => {
    await conversation.append(...exchange(1));
    expect((await conversation.fit()).map(toOpenai)).toEqual(exchange(1));
    expect(conversation.records).toEqual([]);
  });

  it('compacts once the next request would be too large, and keeps the whole history', async () => {
    await conversation.append(...exchanges(6));
    const { total } = await conversation.usage();
    const view = await conversation.fit();
    expect(conversation.records.at(-1)?.status).toBe('applied');
    expect((await conversation.usage()).total).toBeLessThan(total);
    expect(view).toHaveLength(24);
    expect(conversation.history.map(toOpenai)).toEqual(exchanges(6));
  });

  it('shows the effect of a compaction message by message, and can undo it', async () => {
    await conversation.append(...exchanges(6));
    const { id } = await conversation.compact();
    const hidden = conversation.diff(id).filter(({ action }) => action.kind === 'hide');
    expect(hidden[0]?.sources.map(toOpenai)).toEqual([exchange(1)[2]]);
    expect(hidden[0]?.output?.content).not.toBe(hidden[0]?.sources[0]?.content);
    await conversation.undo(id);
    expect(conversation.view.map(toOpenai)).toEqual(exchanges(6));
  });

  it('returns an empty diff for an unknown compaction', () => {
    expect(conversation.diff('c1')).toEqual([]);
  });

  it('restores single messages, and keeps pinned messages', async () => {
    await conversation.append(...exchanges(6));
    await conversation.pin('m7');
    const { id } = await conversation.compact();
    expect(conversation.view.find((message) => message.id === 'm7')?.truncation).toBeUndefined();
    expect(conversation.view.find((message) => message.id === 'm3')?.truncation).toBeDefined();
    expect(await conversation.restore('m3')).toEqual(['m3']);
    expect(conversation.view.find((message) => message.id === 'm3')?.truncation).toBeUndefined();
    expect(conversation.records.map((record) => record.id)).toEqual([id]);
  });

  it('writes summaries with the given model', async () => {
    const model = new SummaryModelDouble('<summary>The files were read.</summary>');
    const summarising = new Conversation({ strategy: llmSummary, budget, model });
    await summarising.append(...exchanges(6));
    await summarising.fit();
    expect(model.requests).toHaveLength(1);
    expect(summarising.view.some(({ kind }) => kind === 'summary')).toBe(true);
  });

  it('compacts after a provider refused a request', async () => {
    const large = new Conversation({ strategy: toolResultHiding, budget: { window: 100_000 } });
    await large.append(...exchanges(6));
    expect(await large.recover({ limit: 3_000, actual: 4_000 })).toBe(true);
    expect(large.records.at(-1)?.trigger.source).toBe('overflow');
  });

  it("estimates sizes from the provider's report", async () => {
    const reporting = new Conversation({ strategy: toolResultHiding, budget: { window: 6_000 } });
    await reporting.append(...exchanges(6));
    await reporting.fit();
    expect(reporting.records).toEqual([]);
    reporting.noteUsage({ inputTokens: 5_500, outputTokens: 10 });
    await reporting.fit();
    expect(reporting.records.map(({ status }) => status)).toEqual(['applied']);
  });

  describe('is stored', () => {
    it('with each entry saved before it takes effect', async () => {
      const stored: TranscriptEntry[] = [];
      const counted: number[] = [];
      const storing = new Conversation({
        strategy: toolResultHiding,
        budget,
        onEntry: (entry) => {
          stored.push(entry);
          counted.push(storing.entries.length);
        },
      });
      await storing.append(...exchange(1));
      expect(stored).toEqual(storing.entries);
      expect(counted).toEqual([0, 1, 2, 3]);
    });

    it('before every change, so that a failed write changes nothing', async () => {
      const full = new Conversation({
        strategy: toolResultHiding,
        budget,
        onEntry: () => Promise.reject(new Error('The disk is full.')),
      });
      await expect(full.append(...exchange(1))).rejects.toThrow('The disk is full.');
      expect(full.entries).toEqual([]);
    });

    it('so that it can be continued later without reusing ids', async () => {
      await conversation.append(...exchanges(6));
      await conversation.compact();
      const entries = JSON.parse(JSON.stringify(conversation.entries)) as TranscriptEntry[];
      const resumed = new Conversation({ strategy: toolResultHiding, budget, entries });
      expect(resumed.view).toEqual(conversation.view);
      const [added] = await resumed.append({ role: 'user', content: 'Go on.' });
      expect(added?.id).toBe('m25');
      await resumed.append(...exchanges(3));
      await resumed.compact();
      expect(resumed.records.map(({ id }) => id)).toEqual(['c1', 'c2']);
    });
  });

  describe('follows a history that another program keeps', () => {
    it('by adding only new messages', async () => {
      await conversation.follow(exchange(1));
      await conversation.follow(exchanges(2));
      expect(conversation.history.map(toOpenai)).toEqual(exchanges(2));
    });

    it('even if the fields of a message are in another order', async () => {
      await conversation.follow([{ role: 'user', content: 'Hello.' }]);
      await conversation.follow([{ content: 'Hello.', role: 'user' }]);
      expect(conversation.history).toHaveLength(1);
    });

    it('even after a compaction, and from a stored log', async () => {
      await conversation.follow(exchanges(6));
      await conversation.fit();
      const { entries } = conversation;
      const resumed = new Conversation({ strategy: toolResultHiding, budget, entries });
      await resumed.follow(exchanges(7));
      expect(resumed.history).toHaveLength(28);
    });

    it('even if it contains objects that JSON stores as text', async () => {
      const picture = (name: string) => [
        { role: 'user', content: [{ type: 'image', image: new URL(name, 'https://example.com') }] },
      ];
      await conversation.follow(picture('one.png'));
      const entries = JSON.parse(JSON.stringify(conversation.entries)) as TranscriptEntry[];
      const resumed = new Conversation({ strategy: none, budget, entries });
      await resumed.follow(picture('one.png'));
      expect(resumed.history).toHaveLength(1);
      await expect(resumed.follow(picture('two.png'))).rejects.toEqual(new ChangedHistoryError(0));
    });

    it('but throws if earlier messages change or disappear', async () => {
      await conversation.follow(exchanges(2));
      const changed = exchanges(2).with(3, { role: 'assistant', content: 'Something else.' });
      await expect(conversation.follow(changed)).rejects.toEqual(new ChangedHistoryError(3));
      await expect(conversation.follow(exchange(1))).rejects.toEqual(new ChangedHistoryError(4));
      expect(conversation.history).toHaveLength(8);
    });
  });

  it('accepts a strategy that plans synchronously', async () => {
    const reason = 'It is short enough.';
    const strategy = { ...none, id: 'at-once', plan: () => unchanged(reason) as never };
    await conversation.append(...exchange(1));
    expect(await conversation.compact({ strategy })).toMatchObject({ status: 'unchanged' });
  });

  describe('refuses', () => {
    it('all messages of a call if one of them is invalid', async () => {
      const wrong = [{ role: 'user', content: 'Hello.' }, { role: 'narrator' }];
      await expect(conversation.append(...wrong)).rejects.toThrow(TypeError);
      expect(conversation.entries).toEqual([]);
    });

    it('an invalid window', () => {
      const windowOf = (window: number) => () => new Conversation({ strategy: none, budget: { window } });
      expect(windowOf(0)).toThrow(RangeError);
      expect(windowOf(Number.NaN)).toThrow(RangeError);
    });

    it.each([
      ['no options', undefined, 'needs a strategy and a budget'],
      ['no budget', { strategy: none }, 'needs a strategy and a budget'],
      ['no strategy', { budget }, 'A strategy must be one'],
      ['the name of a strategy', { strategy: 'ladder', budget }, 'A strategy must be one'],
      ['a window that is a string', { strategy: none, budget: { window: '4000' } }, 'The window must be'],
      [
        'a ratio in percent',
        { strategy: none, budget: { window: 1, triggerRatio: 85 } },
        'triggerRatio must be',
      ],
      [
        'entries that are not of a transcript',
        { strategy: none, budget, entries: [{ type: 'x' }] },
        'The entries must be',
      ],
      ['entries that are not an array', { strategy: none, budget, entries: 'x' }, 'The entries must be'],
    ])('invalid options, with an explanation: %s', (_what, settings, sentence) => {
      expect(() => new Conversation(settings as never)).toThrow(sentence);
    });

    it('a nested list of messages, an invalid history and an invalid strategy', async () => {
      await expect(conversation.append(exchange(1) as never)).rejects.toThrow('one by one');
      await expect(conversation.follow(undefined as never)).rejects.toThrow('A history must be an array');
      await expect(conversation.compact({ strategy: 'ladder' as never })).rejects.toThrow(
        'A strategy must be one',
      );
    });

    it('unknown options of the strategy', async () => {
      const options = { hideEverything: true };
      expect(() => new Conversation({ strategy: toolResultHiding, budget, options })).toThrow(TypeError);
      await expect(conversation.compact({ options })).rejects.toThrow(/hideEverything/);
    });
  });
});
