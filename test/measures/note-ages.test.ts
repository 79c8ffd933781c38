import { describe, expect, it } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { createBudget } from '../../src/compaction/budget/budget.ts';
import { isTyped, type Message, textOf } from '../../src/compaction/messages/message.ts';
import { notesIn, saidIn } from '../../src/compaction/summary/note-sections.ts';
import type { SummaryModel } from '../../src/compaction/summary/summary-model.ts';
import { proseSentences } from '../../src/compaction/ledger/own-sentences.ts';
import { requestTurns } from '../../src/compaction/ledger/request-turns.ts';
import { type StrategyId, strategyOf } from '../../src/compaction/strategies/index.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { compactAt } from '../../src/measures/compare-strategies.ts';
import { importTranscript } from '../../src/transcripts/import-transcript.ts';
import { createMeter } from '../support/engine.ts';
import { said, typed } from '../support/messages.ts';
import { readTranscriptText, realSessions } from '../support/transcripts.ts';

const meter = await createMeter();

/** Place of the newest removed message with the words of each note, from 0 to 1. */
function noteAges(messages: readonly Message[], view: readonly Message[]): readonly number[] {
  const left = new Set(view.map(({ id }) => id));
  const texts = messages.filter(({ id }) => !left.has(id)).map(({ content }) => foldedText(textOf(content)));
  const ends: number[] = [];
  for (const { length } of texts) ends.push((ends.at(-1) ?? 0) + length);
  const whole = ends.at(-1) ?? 0;
  return view
    .filter(({ kind }) => kind === 'summary')
    .map(({ content }) => notesIn(textOf(content)))
    .flatMap(({ soFar, since }) => [...soFar, ...since])
    .map((line) => foldedText(proseSentences(saidIn(line))[0] ?? line))
    .map((said) => texts.findLastIndex((text) => text.includes(said)))
    .filter((index) => index >= 0)
    .map((index) => (ends[index] ?? 0) / whole);
}

/** Compacts a growing transcript at the ends of parts of equal text length. */
async function viewAfterRounds(
  messages: readonly Message[],
  rounds: number,
  compactView: (view: readonly Message[], history: readonly Message[]) => Promise<readonly Message[]>,
): Promise<readonly Message[]> {
  let view: readonly Message[] = [];
  let start = 0;
  for (const end of endsOfParts(messages, rounds)) {
    view = await compactView([...view, ...messages.slice(start, end)], messages.slice(0, end));
    start = end;
  }
  return view;
}

/** Ends of equal parts, ascending; none within an exchange. */
function endsOfParts(messages: readonly Message[], parts: number): readonly number[] {
  const sizes = messages.map(({ content, tool_calls: calls = [] }) =>
    calls.reduce((sum, { function: called }) => sum + called.arguments.length, textOf(content).length),
  );
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const ends: number[] = [];
  let said = 0;
  for (const [index, size] of sizes.entries()) {
    said += size;
    const isDue = said >= (whole * (ends.length + 1)) / parts;
    if (isDue && messages[index + 1]?.role !== 'tool') ends.push(index + 1);
  }
  if (ends.at(-1) !== messages.length) ends.splice(Math.min(ends.length, parts - 1), 1, messages.length);
  return ends;
}

function foldedText(text: string): string {
  return text
    .replace(/\[([^[\]\n]+)\]\([^()\n]+\)/gu, '$1')
    .replace(/[\s*#>-]+/gu, ' ')
    .trim();
}

const summary = (text: string): Message => ({ ...typed('s', text), origin: 'strategy', kind: 'summary' });

describe('the ages of notes', () => {
  const messages = [
    typed('u1', 'begin'),
    said('a1', 'The parser was slow.'),
    typed('u2', 'go on'),
    said('a2', 'The lexer is fast now.'),
  ];

  it('are the positions at which their words were last mentioned', () => {
    const view = [
      summary('## So far\n- The parser was slow.\n## Since the last compaction\n- The lexer is fast now.'),
    ];
    expect(noteAges(messages, view)).toEqual([expect.closeTo(0.51, 1), 1]);
  });

  it('are unknown for words that no message contains', () => {
    expect(noteAges(messages, [summary('- Something else was found.')])).toEqual([]);
  });
});

describe('the notes left after ten compactions', () => {
  const window = 32_000;
  /** Answers that no line on a request has, because it names what was done. */
  const telling = (messages: readonly Message[]) =>
    requestTurns(messages).flatMap(({ asked, changed, sentence = [] }) =>
      asked === undefined || !isTyped(asked) || changed.length > 0 ? sentence : [],
    );

  /** Notes of a model that writes the first sentence of each reply and copies everything. */
  const firstSentences = (messages: readonly Message[]) =>
    messages
      .filter(({ role, kind }) => role === 'assistant' && kind === undefined)
      .flatMap(({ content }) => proseSentences(textOf(content)).slice(0, 1));
  const hoarder = (tag: string): SummaryModel => ({
    id: 'scripted',
    window: 8 * window,
    summarise: ({ sources }) => {
      const earlier = sources
        .filter(({ kind }) => kind === 'summary')
        .flatMap(({ content }) => notesIn(textOf(content)).since)
        .map((line) => line.replace(/^(?:Goal|State): /u, ''));
      const lines = [...new Set([...earlier, ...firstSentences(sources)])].map((line) => `- ${line}`);
      const content = `<${tag}>\n## Goal\nthe goal\n## State\n${lines.join('\n')}\n</${tag}>`;
      return Promise.resolve({ content, finishReason: 'stop' });
    },
  });

  const cases: readonly (readonly [StrategyId, SummaryModel, typeof telling])[] = [
    ['ladder', new OfflineModel({ window }), telling],
    ['llm-summary', new OfflineModel({ window }), telling],
    ['llm-summary', hoarder('summary'), firstSentences],
    ['state-snapshot', hoarder('state_snapshot'), firstSentences],
  ];

  describe.each(cases)('%s', (strategy, model, sentencesIn) => {
    /**
     * Notes left after ten compactions of a growing session: all, those from its newest third, and the number
     * that this third could have given.
     */
    async function notesAfterTen(messages: readonly Message[]) {
      let records = 0;
      const budget = createBudget({ window, triggerRatio: 0.85, targetRatio: 0.5 });
      const ports = {
        meter,
        model: () => model,
        clock: { now: () => 0 },
        nextRecordId: () => `r${++records}`,
      };
      const view = await viewAfterRounds(messages, 10, async (before, history) => {
        const run = { view: before, history, tools: [], strategy: strategyOf(strategy), budget };
        const asked = { ...run, requirement: 'soft' as const, target: budget.target };
        return (await compactAt(asked, ports, new AbortController().signal)).view;
      });
      const newest = (ages: readonly number[]) => ages.filter((age) => age > 2 / 3).length;
      const ages = noteAges(messages, view);
      const all = summary([...new Set(sentencesIn(messages))].map((sentence) => `- ${sentence}`).join('\n'));
      const said = newest(noteAges(messages, [...view.filter(({ kind }) => kind !== 'summary'), all]));
      return { all: ages.length, newest: newest(ages), said };
    }

    it('are mostly about the newest third of a generated session', async () => {
      const generated = Array.from({ length: 300 }, (_, index) => [
        {
          ...typed(`u${index}`, `Please look into part number ${index} of the work.`),
          origin: 'model' as const,
        },
        said(
          `a${index}`,
          `Module ${index} of the scheduler lost event ${index * 7} because its queue was full. The handler ${index} retries ${index % 13} times before it gives up.`,
        ),
      ]).flat();
      const notes = await notesAfterTen(generated);
      expect(notes.all).toBeGreaterThanOrEqual(5);
      expect(notes.newest).toBeGreaterThanOrEqual(notes.all / 2);
    });

    it.each(realSessions)('are at least half about the newest third of %s', async (name) => {
      const messages = messagesOf(importTranscript(readTranscriptText(name)).transcript);
      const { all, newest, said } = await notesAfterTen(messages);
      // A few older lines stay if there was little since.
      expect(newest).toBeGreaterThanOrEqual(Math.min(all / 2, said / 2));
    });
  });
});
