import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTools } from '../../src/agent/tools/catalogue.ts';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { factsOfModel } from '../../src/compaction/budget/model-table.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { resolveOptions } from '../../src/compaction/strategies/contract/options.ts';
import { llmSummary } from '../../src/compaction/strategies/llm-summary.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { recordsOf } from '../../src/compaction/transcript/transcript.ts';
import { createTimeline } from '../../src/insights/session-timeline.ts';
import { englishWording } from '../../src/language/translated/wording.ts';
import { ChatFeed } from '../../src/presenters/chat/chat-feed.ts';
import { startsOf, usageSentence } from '../../src/presenters/chat/usage-sentence.ts';
import { budgetView } from '../../src/presenters/inspector/budget-view.ts';
import { InspectorModel, recordView } from '../../src/presenters/inspector/inspector-model.ts';
import type { InspectorState } from '../../src/protocol/inspector.ts';
import type * as Words from '../../webview/shared/compaction-words.ts';
import { SessionHarness, settingsFor } from '../agent/session/session-harness.ts';
import { createMeter } from '../support/engine.ts';
import { textOfTokens } from '../support/messages.ts';

const labels = { chatId: 's', otherSessions: [], model: '', strategy: 'llm-summary' };

/** Every number of at least four digits in a text. */
const sizesIn = (text: string) =>
  (text.match(/\d{1,3}(?:,\d{3})+/gu) ?? []).map((size) => Number(size.replaceAll(',', '')));

/** A chat, and every place that states when it compacts. */
class Places {
  private readonly chat: SessionHarness;
  private readonly feed: ChatFeed;
  private readonly inspector: InspectorModel;
  private readonly meter: UsageMeter;
  private readonly sentences: (state: InspectorState) => readonly string[];

  constructor(chat: SessionHarness, meter: UsageMeter, sentences: Places['sentences']) {
    this.chat = chat;
    this.meter = meter;
    this.sentences = sentences;
    this.feed = new ChatFeed(chat.session, {
      meterOf: () => meter,
      wording: englishWording,
      changed: () => {},
      failed: () => {},
    });
    this.inspector = new InspectorModel({
      id: 's1',
      session: chat.session,
      meterOf: () => meter,
      wording: englishWording,
    });
  }

  async all() {
    const { session } = this.chat;
    const state = await this.inspector.state(labels);
    const meter = await this.feed.meter();
    const timeline = await createTimeline(this.meter, session.toolHistory)(session.transcript.entries);
    const { health, schemas, floor } = await budgetView(session, this.meter, {
      timeline,
      mode: 'auto',
      protectFirst: false,
      model: undefined,
      factsOf: factsOfModel,
      wording: englishWording,
    });
    const { usage } = state;
    return {
      tokens: { meter: meter.tokens, inspector: usage.tokens },
      tools: { meter: meter.byKind.tools, inspector: usage.byKind.tools, list: schemas.tokens },
      floor: floor.total,
      slider: usage.triggerRange!.ratio * usage.window!,
      meter: [meter.background, meter.trigger],
      mark: [usage.background, usage.trigger],
      statusBar: startsOf(meter).map(({ tokens }) => tokens),
      statusBarText: sizesIn(englishWording.text(usageSentence(meter))).slice(-2),
      health: sizesIn(health.find(({ id }) => id === 'trigger')!.finding),
      emptyTab: this.sentences(state).flatMap(sizesIn),
    };
  }

  /** Sends a long message and waits for the answer. */
  say(tokens: number): Promise<boolean> {
    return this.chat.session.send(textOfTokens(tokens));
  }

  /** A later turn takes over a background compaction. */
  async record(): Promise<CompactionRecord> {
    for (;;) {
      const [record] = recordsOf(this.chat.session.transcript);
      if (record !== undefined) return record;
      await this.say(5);
    }
  }
}

describe('the size at which a chat compacts', () => {
  let meter: UsageMeter;
  let words: Pick<typeof Words, 'outlookSentences' | 'startSentence'>;

  beforeAll(async () => {
    meter = await createMeter();
    // The strings of pages are in the language of their document.
    vi.stubGlobal('document', { documentElement: { lang: 'en' } });
    words = await import('../../webview/shared/compaction-words.ts');
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });

  /** @param more factor between the provider's count and ours; undefined if it reports nothing */
  async function open(window: number, more: number | undefined) {
    const settings = {
      ...settingsFor(llmSummary),
      options: resolveOptions(llmSummary.options, {}).options,
      budget: { window, triggerRatio: 0.85, targetRatio: 0.5, backgroundRatio: 0.75 },
    };
    const chat = await SessionHarness.start(meter, {
      settings: () => settings,
      tools: () => createTools({ workspace: new Workspace([]), recall: () => undefined }),
      systemPrompt: () => textOfTokens(300),
    });
    chat.server.replyWith(async () => {
      const reply = { text: '<summary>It was long.</summary>' };
      if (more === undefined) return reply;
      const { total } = await chat.session.compaction.usage();
      return { ...reply, usage: { inputTokens: Math.round(total * more), outputTokens: 10 } };
    });
    const places = new Places(chat, meter, ({ usage }) => words.outlookSentences(usage));
    return { places, chat };
  }

  it.each([
    [10_000, undefined],
    [10_000, 1],
    [10_000, 1.1],
    [10_000, 0.9],
    [200_000, undefined],
    [200_000, 1.1],
  ] as const)(
    'is stated alike in every place for a window of %d if the provider counts × %s',
    async (window, more) => {
      const { places, chat } = await open(window, more);
      await using _ = chat;
      const starts = [window * 0.75, window * 0.85];
      for (const turn of [0, 1, 2]) {
        if (turn > 0) await places.say(window * 0.1);
        const { slider, tokens, tools, floor: _floor, ...others } = await places.all();
        expect({ turn, slider }).toEqual({ turn, slider: starts[1] });
        for (const [place, said] of Object.entries(others))
          expect({ turn, [place]: said }).toEqual({ turn, [place]: starts });
        expect(tokens.inspector).toBe(tokens.meter);
        expect(new Set(Object.values(tools)).size).toBe(1);
      }
    },
  );

  it('is shown with the size of the first request before the first message', async () => {
    const { places, chat } = await open(10_000, undefined);
    await using _ = chat;
    const { tokens, tools, floor } = await places.all();
    expect(floor).toBe(tokens.meter);
    await places.say(10);
    const { total } = await meter.measure(chat.session.transcript.view.slice(0, 1));
    expect(tools.meter).toBeGreaterThan(100);
    expect(tokens.meter).toBe(total + tools.meter);
  });

  it.each([
    ['background', undefined, 7_500],
    ['due', undefined, 8_500],
    ['due', 1.1, 8_500],
  ] as const)(
    'is in the record of a compaction that started %s if the provider counts × %s',
    async (start, more, threshold) => {
      const { places, chat } = await open(10_000, more);
      await using _ = chat;
      let { meter: tokens } = (await places.all()).tokens;
      for (; tokens < 6_000; { meter: tokens } = (await places.all()).tokens) await places.say(1_000);
      await places.say(threshold - tokens + 100);
      const record = await places.record();
      expect(record.trigger).toMatchObject({ start, threshold });
      expect(record.trigger.tokens).toBeGreaterThanOrEqual(threshold);
      const { trigger, tokensBefore: counted } = recordView(record, false, [], englishWording);
      const sentence = words.startSentence({ ...record.trigger, source: trigger, counted });
      expect(sizesIn(sentence ?? '')).toEqual(
        more === undefined ? [counted, threshold] : [record.trigger.tokens, counted, threshold],
      );
    },
  );
});
