import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { handoffOf } from '../../src/insights/handoff/handoff.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { titleOf } from '../../src/transcripts/reading/typed-title.ts';
import { carriers } from '../support/agents/carriers.ts';
import { formatSamples } from '../support/format-samples.ts';
import { hostileSessions } from '../support/injection/hostile-sessions.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { foreignWord, orders } from '../support/injection/orders.ts';
import { conversationWith, places, withTextInstead } from '../support/injection/placed-texts.ts';
import { soak } from '../support/soak.ts';
import { documents, effectsOf } from './support/exported-effects.ts';
import { harmInAnswer, hiddenIn } from './support/answer-measures.ts';
import { fault } from './support/fault.ts';
import { answersAbout, givenBack, hookAgents } from './support/hostile-answers.ts';

/** Generated texts: parts of the corpus cut, repeated, nested and joined in every way. */
const short = allInjectionTexts.filter(({ text }) => text.length < 600).map(({ text }) => text);
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...short), fc.nat(60), fc.nat(60))
      .map(([text, from, to]) => text.slice(from, text.length - to)),
  },
  { weight: 3, arbitrary: fc.constantFrom(...short) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(orders)).map((order) => `\n${order}\n`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\n',
      '\n\n',
      '\r',
      '\u2028',
      '\u0085',
      ' ',
      '    ',
      '> ',
      '- ',
      '`',
      '```',
      '~~~',
      '\\',
      '|',
      '\u200D',
      '\u202E',
      '\u200B',
      '<',
      '>',
      '[',
      ']',
      '](',
      '#',
      '##',
      '---',
      '===',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
);
const combined = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((pieces) => `${pieces.join('')}${foreignWord}`);

/** Fewer tries where each writes a session and reads it. */
const fewer = soak(400, 4_000);
const harmless = 'a line of a file';
const byCharacters = (texts: readonly string[]) =>
  Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));

function wordsOfUser(messages: readonly Message[]): string {
  const { requests, constraints, decisions, replaced } = extractLedger(messages);
  return JSON.stringify({ requests, constraints, decisions, replaced });
}
const read = (file: string) => messagesOf(importTranscript(file).transcript);

/** Tests a property with new combinations of texts, and counts harm. */
async function tryWith(
  count: Parameters<Parameters<typeof fault>[1]>[0],
  harmOf: (text: string, pick: number) => Promise<string | undefined> | string | undefined,
  numRuns = soak(400, 20_000),
) {
  const property = fc.asyncProperty(combined, fc.nat(), async (text, pick) => {
    count.tried();
    const harm = await harmOf(text, pick);
    if (harm !== undefined) throw new Error(harm);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns });
  if (failed) count.harmed(`${JSON.stringify(counterexample)}: ${String(errorInstance)}`);
}

fault('texts in new combinations change no words of the user, in any place', (count) =>
  tryWith(count, (text, pick) => {
    const names = Object.keys(places);
    const place = names[pick % names.length]!;
    const after = wordsOfUser(conversationWith(place, text));
    return after === wordsOfUser(conversationWith(place, harmless)) ? undefined : `${place}: ${after}`;
  }),
);

fault('texts in new combinations do not become words of the user in any format', (count) =>
  tryWith(count, (text, pick) => {
    const samples = Object.entries(formatSamples);
    const [format, sample] = samples[pick % samples.length]!;
    const old = pick % 2 === 0 ? 'export const a = 1;' : 'It exports a.';
    const after = wordsOfUser(read(withTextInstead(sample, old, text)));
    return after.includes(foreignWord) ? `${format}, ${old}: ${after}` : undefined;
  }),
);

fault('texts in new combinations do not become words of the user next to typed words', (count) =>
  tryWith(count, (text, pick) => {
    const all = Object.entries(carriers);
    const [name, { write }] = all[pick % all.length]!;
    const after = wordsOfUser(read(write(text)));
    return after.includes(foreignWord) ? `${name}: ${after}` : undefined;
  }),
);

fault('texts in new combinations remain data in handoffs', (count) =>
  tryWith(count, async (text, pick) => {
    const agents = Object.values(hostileSessions);
    const write = agents[pick % agents.length]!;
    const of = async (inside: string) =>
      (await handoffOf(
        { title: titleOf(inside), messages: read(write(inside).session) },
        100_000,
        byCharacters,
      )) ?? '';
    return harmInAnswer(await of(text), await of(harmless));
  }),
);

fault('texts in new combinations have no effect in exports', (count) =>
  tryWith(count, (text, pick) => {
    const write = Object.values(documents)[pick % 2]!;
    const document = write(text);
    const effects = effectsOf(document).join('\n');
    return (
      hiddenIn(document) ?? (effects === effectsOf(write('x')).join('\n') ? undefined : effects.slice(0, 300))
    );
  }),
);

fault('texts in new combinations remain data in the output of hooks', async (count) =>
  tryWith(
    count,
    async (text, pick) => {
      const agent = hookAgents[pick % hookAgents.length]!;
      return harmInAnswer(await givenBack(agent, text), await givenBack(agent, harmless));
    },
    fewer,
  ),
);

fault('texts in new combinations remain data in answers of the server', async (count) => {
  const folder = await mkdtemp(join(tmpdir(), 'answers-'));
  const agents = Object.keys(hostileSessions);
  await tryWith(
    count,
    async (text, pick) => {
      const agent = agents[pick % agents.length]!;
      const before = await answersAbout(agent, harmless, folder);
      for (const [tool, given] of Object.entries(await answersAbout(agent, text, folder))) {
        const harm = harmInAnswer(given, before[tool] ?? '');
        if (harm !== undefined) return `${tool}: ${harm}`;
      }
      return undefined;
    },
    fewer,
  );
  await rm(folder, { recursive: true });
});
