import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { carriers } from '../support/agents/carriers.ts';
import { formatSamples } from '../support/format-samples.ts';
import { allInjectionTexts } from '../support/injection/injection-texts.ts';
import { foreignWord } from '../support/injection/orders.ts';
import { conversationWith, places, withTextInstead } from '../support/injection/placed-texts.ts';
import { subAgentCarriers } from '../support/agents/sub-agent-carriers.ts';
import { fault } from './support/fault.ts';

const harmless = 'A line of a file that says nothing of note.';

/** The sections with the words of the user. */
function wordsOfUser(messages: readonly Message[]): string {
  const { requests, constraints, decisions, replaced } = extractLedger(messages);
  return JSON.stringify({ requests, constraints, decisions, replaced }, undefined, 1);
}

fault('the words of the user stay unchanged, wherever foreign text is in a conversation', (count) => {
  for (const place of Object.keys(places)) {
    const before = wordsOfUser(conversationWith(place, harmless));
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const after = wordsOfUser(conversationWith(place, text));
      if (after !== before) count.harmed(`${place}, ${kind}: ${JSON.stringify(text.slice(0, 80))}: ${after}`);
    }
  }
});

const read = (file: string, conversation?: string) =>
  messagesOf(importTranscript(file, 'auto', conversation).transcript);

fault('the words of the user stay unchanged, whatever tools of other agents return', (count) => {
  for (const [format, sample] of Object.entries(formatSamples)) {
    for (const old of ['export const a = 1;', 'It exports a.']) {
      const before = wordsOfUser(read(withTextInstead(sample, old, harmless)));
      for (const { kind, text } of allInjectionTexts) {
        count.tried();
        const after = wordsOfUser(read(withTextInstead(sample, old, text)));
        if (after !== before)
          count.harmed(`${format}, ${old}, ${kind}: ${JSON.stringify(text.slice(0, 80))}: ${after}`);
      }
    }
  }
});

fault('text that other agents add to messages of their user does not become words of the user', (count) => {
  for (const [name, { write }] of Object.entries(carriers)) {
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const after = wordsOfUser(read(write(text)));
      if (after.includes(foreignWord))
        count.harmed(`${name}, ${kind}: ${JSON.stringify(text.slice(0, 80))}: ${after}`);
    }
  }
});

fault('the task that a model gives a sub-agent does not become words of the user', (count) => {
  for (const [name, { write, conversation }] of Object.entries(subAgentCarriers)) {
    for (const { kind, text } of allInjectionTexts) {
      count.tried();
      const after = wordsOfUser(read(write(text), conversation));
      if (after.includes(foreignWord))
        count.harmed(`${name}, ${kind}: ${JSON.stringify(text.slice(0, 80))}: ${after}`);
    }
  }
});
