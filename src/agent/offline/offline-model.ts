import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { proseSentences } from '../../compaction/ledger/own-sentences.ts';
import { type ToolCall, isPrompt, textOf } from '../../compaction/messages/message.ts';
import type { SummaryReply, SummaryRequest, FactConcept } from '../../compaction/summary/summary-model.ts';
import { type ChatModel, type ModelEvent, type ModelRequest, throwIfStopped } from '../model/chat-model.ts';
import { mostTokensOf, createTextRoom, extractiveSummary } from './extractive-summary.ts';
import { nextStep } from './next-step.ts';
import { readTurn } from './offline-turn.ts';
import { extractLedger } from '../../compaction/ledger/extract.ts';
import { factText } from '../../compaction/ledger/call-facts.ts';
import { lineOf } from '../../compaction/ledger/render.ts';
import { textOfFact, type Fact, type Ledger } from '../../compaction/messages/ledger.ts';
import { comparedWords } from './offline-terms.ts';
import { stemOf } from '../../compaction/text/question-words.ts';

interface OfflineModelOptions {
  readonly window?: number | undefined;
}

const defaultWindow = 32_000;
/** Characters for one token. The estimate is low, so that a limit on the output holds. */
const charactersPerToken = 3;
const wordsPerDelta = 3;

/**
 * The model without key, network or weights. It quotes the results of tools, and summarises by selecting
 * text. It keeps no state.
 */
export class OfflineModel implements ChatModel {
  readonly id = 'offline';
  readonly label = 'Offline model';
  readonly readsSources = true;
  readonly window: number;

  constructor(options: OfflineModelOptions = {}) {
    this.window = options.window ?? defaultWindow;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    throwIfStopped(signal);
    const tools = new Set(request.tools.map((tool) => tool.function.name));
    const step = nextStep(readTurn(request.messages), tools);
    if ('calls' in step) {
      const toolCalls = step.calls.map(({ tool, input }): ToolCall => ({
        id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      }));
      yield { type: 'end', reply: { content: '', reasoning: '', toolCalls, finishReason: 'tool-calls' } };
      return;
    }
    const longest = (request.maxOutputTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken;
    const content = headOf(step.answer, longest);
    for (const text of content.match(new RegExp(`(?:\\s*\\S+){1,${wordsPerDelta}}\\s*`, 'guy')) ?? []) {
      await setImmediate();
      throwIfStopped(signal);
      yield { type: 'text-delta', text };
    }
    const finishReason = content === step.answer ? 'stop' : 'length';
    yield { type: 'end', reply: { content, reasoning: '', toolCalls: [], finishReason } };
  }

  async summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply> {
    const { concept } = request;
    const content =
      concept === undefined
        ? await extractiveSummary(request, signal)
        : await offlineFacts(request, concept, signal);
    return { content, finishReason: 'stop' };
  }
}

/** Maximum size of the facts about one concept, as a share of the characters read. */
const largestShare = 1 / 12;
const mostFacts = 20;
/** Weight of a word from a concept's keyword. A word from its description weighs 1. */
const weightOfKeyword = 2;
/** Minimum score of a sentence. A single word from the description is not enough. */
const leastScore = 2;
/** Number of messages processed before other work may run. */
const messagesPerBreath = 64;

/** Sections of the ledger, each with the beginnings of keywords that select it. */
const sections: readonly (readonly [section: keyof Ledger, word: RegExp])[] = [
  ['requests', /^(?:goal|task|request|intent|objective)/u],
  ['constraints', /^(?:constraint|rule|requirement)/u],
  ['preferences', /^preference/u],
  ['questions', /^question/u],
  ['decisions', /^(?:decision|choice)/u],
  ['choices', /^(?:decision|choice)/u],
  ['nextSteps', /^(?:next|step|todo|plan|remaining)/u],
  ['filesModified', /^(?:file|artifact|path|change)/u],
  ['filesRead', /^(?:file|path)/u],
  ['commands', /^(?:command|test|build)/u],
  ['errors', /^(?:error|failure|problem|bug)/u],
];

/** Selects facts on a concept from ledger and sentences. @returns JSON in the tag @throws {CancelledError} */
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
    if (!isPrompt(message) && (message.role !== 'assistant' || message.kind !== undefined)) continue;
    for (const sentence of proseSentences(text)) {
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
  const room = createTextRoom(characters * largestShare, maxOutputTokens - mostTokensOf(frame) - 1);
  const most = concept.factType === 'SINGLE' ? 1 : mostFacts;
  const chosen: string[] = [];
  for (const fact of facts) {
    if (chosen.length === most) break;
    if (room.take(`${JSON.stringify(fact)},`)) chosen.push(fact);
  }
  // Escaped, so that no fact can close the tag.
  const json = JSON.stringify({ facts: chosen }).replaceAll('<', String.raw`\u003c`);
  return `<${tag}>${json}</${tag}>`;
}

/** Returns facts from the sections that the keyword selects, the newest of each section first. */
function knownFacts(sources: SummaryRequest['sources'], { keyword }: FactConcept): readonly string[] {
  const words = comparedWords(keyword);
  const ledger = extractLedger(sources);
  return sections
    .filter(([, named]) => words.some((word) => named.test(word)))
    .flatMap(([section]) => {
      const facts: readonly Fact[] = ledger[section];
      // Facts from tool output keep their labels.
      return facts.map(section === 'errors' || section === 'commands' ? lineOf : textOfFact).toReversed();
    });
}

function weightsOf({ keyword, description }: FactConcept): ReadonlyMap<string, number> {
  return new Map([
    ...comparedWords(description).map((word) => [stemOf(word), 1] as const),
    ...comparedWords(keyword).map((word) => [stemOf(word), weightOfKeyword] as const),
  ]);
}
