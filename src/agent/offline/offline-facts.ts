import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled, type CancellationSignal } from '../../compaction/signals/cancellation.ts';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { factText } from '../../compaction/ledger/call-facts.ts';
import { lineOf } from '../../compaction/ledger/render.ts';
import { textOfFact, type Fact, type Ledger } from '../../compaction/messages/ledger.ts';
import { isTyped, textOf } from '../../compaction/messages/message.ts';
import type { FactConcept, SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { costOf, createTextRoom, sentencesOf } from './key-sentences.ts';
import { comparedWords, stemOf } from './offline-terms.ts';

/** Maximum size of the facts about one concept, as a share of the characters read. */
const largestShare = 1 / 12;
const mostFacts = 20;
/** Weight of a word of the keyword, relative to a word of the description. */
const weightOfKeyword = 2;
/** A sentence with a single word of the description says nothing about the concept yet. */
const leastScore = 2;
/** Messages after which other work gets its turn. */
const messagesPerBreath = 64;

/** Sections of the ledger that a keyword names, by the beginnings of its words. */
const sections: readonly (readonly [section: keyof Ledger, word: RegExp])[] = [
  ['requests', /^(?:goal|task|request|intent|objective)/u],
  ['constraints', /^(?:constraint|rule|requirement)/u],
  ['decisions', /^(?:decision|choice)/u],
  ['choices', /^(?:decision|choice)/u],
  ['values', /^(?:value|name|date|number|setting)/u],
  ['nextSteps', /^(?:next|step|todo|plan|remaining)/u],
  ['filesModified', /^(?:file|artifact|path|change)/u],
  ['filesRead', /^(?:file|path)/u],
  ['commands', /^(?:command|test|build)/u],
  ['errors', /^(?:error|failure|problem|bug)/u],
];

/**
 * Finds facts about a concept by selecting text, never by writing its own: what the ledger knows of it, and sentences
 * with the words of its keyword and description. Same messages, same facts.
 *
 * @returns JSON in the tag that was asked for
 * @throws {CancelledError} if the signal was aborted
 */
export async function offlineFacts(
  request: SummaryRequest,
  concept: FactConcept,
  signal: CancellationSignal,
): Promise<string> {
  const { sources, tag, maxOutputTokens } = request;
  const weights = weightsOf(concept);
  const best = new Map<string, { readonly score: number; readonly index: number }>();
  let characters = 0;
  for (const [index, message] of sources.entries()) {
    if (index % messagesPerBreath === 0) await setImmediate();
    throwIfCancelled(signal);
    const text = textOf(message.content);
    characters += text.length;
    if (!isTyped(message) && (message.role !== 'assistant' || message.kind !== undefined)) continue;
    for (const sentence of sentencesOf(text)) {
      const words = new Set(comparedWords(sentence).map(stemOf));
      const score = [...words].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      if (score >= leastScore) best.set(factText(sentence), { score, index });
    }
  }
  const sentences = [...best]
    .sort(([, one], [, other]) => other.score - one.score || other.index - one.index)
    .map(([text]) => text);
  const facts = [...new Set([...knownFacts(sources, concept), ...sentences])];

  const frame = `<${tag}>{"facts":[]}</${tag}>`;
  const room = createTextRoom(characters * largestShare, maxOutputTokens - costOf(frame) - 1);
  const most = concept.factType === 'SINGLE' ? 1 : mostFacts;
  const chosen: string[] = [];
  for (const fact of facts) {
    if (chosen.length === most) break;
    if (room.take(`${JSON.stringify(fact)},`)) chosen.push(fact);
  }
  // Written as an escape, no fact can close the tag.
  const json = JSON.stringify({ facts: chosen }).replaceAll('<', String.raw`\u003c`);
  return `<${tag}>${json}</${tag}>`;
}

/** Facts of the ledger about what the keyword names, in each section the newest first. */
function knownFacts(sources: SummaryRequest['sources'], { keyword }: FactConcept): readonly string[] {
  const words = comparedWords(keyword);
  const ledger = extractLedger(sources);
  return sections
    .filter(([, named]) => words.some((word) => named.test(word)))
    .flatMap(([section]) => {
      const facts: readonly Fact[] = ledger[section];
      // A line that a tool printed says so, also as a fact.
      return facts.map(section === 'errors' ? lineOf : textOfFact).toReversed();
    });
}

function weightsOf({ keyword, description }: FactConcept): ReadonlyMap<string, number> {
  return new Map([
    ...comparedWords(description).map((word) => [stemOf(word), 1] as const),
    ...comparedWords(keyword).map((word) => [stemOf(word), weightOfKeyword] as const),
  ]);
}
