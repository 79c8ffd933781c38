import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { handoffOf } from '../../src/insights/handoff/handoff.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { titleOf } from '../../src/transcripts/reading/typed-title.ts';
import { hostileSessions } from '../support/injection/hostile-sessions.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { conversationWith, places } from '../support/injection/placed-texts.ts';
import { harmInAnswer } from './support/answer-measures.ts';
import { fault } from './support/fault.ts';
import { answersAbout, givenBack, hookAgents } from './support/hostile-answers.ts';

const harmless = 'a line of a file';
const byCharacters = (texts: readonly string[]) =>
  Promise.resolve(texts.map(({ length }) => Math.ceil(length / 4)));
const shortened = (text: string) => JSON.stringify(text.slice(0, 80));

for (const agent of hookAgents) {
  fault(`the output of hooks for ${agent[0]} holds foreign text as data`, async (count) => {
    const before = await givenBack(agent, harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const given = await givenBack(agent, text);
      const harm = harmInAnswer(given, before);
      if (harm !== undefined) count.harmed(`${kind}: ${shortened(text)}: ${harm}`);
    }
  });
}

for (const session of Object.keys(hostileSessions)) {
  fault(`the server’s answers about a session of ${session} hold foreign text as data`, async (count) => {
    const folder = await mkdtemp(join(tmpdir(), 'answers-'));
    const before = await answersAbout(session, harmless, folder);
    for (const { kind, text } of allInjectionTexts) {
      for (const [tool, given] of Object.entries(await answersAbout(session, text, folder))) {
        count.tried();
        const harm = harmInAnswer(given, before[tool] ?? '');
        if (harm !== undefined) count.harmed(`${tool}, ${kind}: ${shortened(text)}: ${harm}`);
      }
    }
    await rm(folder, { recursive: true });
  });
}

async function handoffOfConversation(place: string, text: string): Promise<string> {
  const messages = conversationWith(place, text);
  return (
    (await handoffOf(
      { title: titleOf(text), messages, folder: '/projects/printer' },
      100_000,
      byCharacters,
    )) ?? ''
  );
}

fault('a handoff holds foreign text as data', async (count) => {
  for (const place of Object.keys(places)) {
    const before = await handoffOfConversation(place, harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const written = await handoffOfConversation(place, text);
      const harm = harmInAnswer(written, before);
      if (harm !== undefined) count.harmed(`${place}, ${kind}: ${shortened(text)}: ${harm}`);
    }
  }
});

fault('a handoff of another agent’s session holds foreign text as data', async (count) => {
  for (const [agent, write] of Object.entries(hostileSessions)) {
    const of = async (text: string) => {
      const messages = messagesOf(importTranscript(write(text).session).transcript);
      return (await handoffOf({ title: 't', messages }, 100_000, byCharacters)) ?? '';
    };
    const before = await of(harmless);
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const written = await of(text);
      const harm = harmInAnswer(written, before);
      if (harm !== undefined) count.harmed(`${agent}, ${kind}: ${shortened(text)}: ${harm}`);
    }
  }
});
