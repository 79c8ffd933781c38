import { summarySentences } from '../../language/english/summary-english.ts';
import { factText } from '../ledger/call-facts.ts';
import type { ConceptFacts } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import { escapeTags } from '../quoting/quoted.ts';
import { framed, type TagSuffix } from '../quoting/session-tags.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { Phrase, SummaryReport } from '../records/record.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import { parseShallow } from '../text/parse-json.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { type SummaryTask, writeSummary } from './write-summary.ts';
import { noteRules, type SummaryForm } from './summary-form.ts';
import { type FactConcept, type SummaryModel, wrappedModel } from './summary-model.ts';
import { cleaned } from './summary-request.ts';
import { isRecord } from '../../language/is-record.ts';

/** Maximum number of tokens in a reply about a concept, and of facts kept about a concept. */
const largestReply = 4_000;
const mostFacts = 50;
/** Maximum number of brackets in a reply that are tried as the beginning of JSON with facts. */
const mostTries = 100;

function factsForm({ keyword, description, factType }: FactConcept): SummaryForm {
  const isSingle = factType === 'SINGLE';
  const shape = isSingle ? '{"fact": "…"}' : '{"facts": ["…", "…"]}';
  const none = isSingle ? '{"fact": ""}' : '{"facts": []}';
  const wanted = isSingle
    ? 'Find the one fact about it that matters most for going on.'
    : 'Find every fact about it that may matter for going on: short sentences that can be understood alone, none of them twice.';
  return {
    instructions: `${noteRules('You look for facts in a conversation that is about to leave the context of a coding assistant.')}

Look for one thing only:
<concept>
<keyword>${escapeTags(keyword)}</keyword>
<description>${escapeTags(description)}</description>
</concept>
${wanted} Write down only what the conversation says, and where it says nothing about it, ${none}.

Answer with JSON inside <facts> tags and nothing else:
<facts>${shape}</facts>`,
    task: `Write down the ${isSingle ? 'fact' : 'facts'} about ${JSON.stringify(escapeTags(keyword))} now, as JSON inside <facts> tags.`,
    tag: 'facts',
    needsTag: false,
    isJson: true,
    largest: largestReply,
  };
}

/** Reads the facts of a reply, each once, even from JSON in prose or a code block; undefined without JSON. */
export function parseFacts(
  text: string,
  { factType }: Pick<FactConcept, 'factType'>,
): readonly string[] | undefined {
  const lists = listsIn(text);
  const found = lists.find((list) => list.length > 0) ?? lists[0];
  if (found === undefined) return undefined;
  const facts = new Set(found.map(factText).filter((fact) => fact !== ''));
  return [...facts].slice(0, factType === 'SINGLE' ? 1 : mostFacts);
}

/** Extracts the lists of facts from JSON in a text. JSON or tags within a fact are part of the fact. */
function listsIn(text: string): readonly (readonly string[])[] {
  const lists: (readonly string[])[] = [];
  let start = nextJson(text, 0);
  for (let tries = 0; start >= 0 && tries < mostTries; tries++) {
    const end = endOfJson(text, start);
    const list = end === undefined ? undefined : factsIn(parseShallow(text.slice(start, end))?.value);
    if (list !== undefined) lists.push(list);
    start = nextJson(text, list === undefined || end === undefined ? start + 1 : end);
  }
  return lists;
}

function nextJson(text: string, from: number): number {
  const position = text.slice(from).search(/[[{]/u);
  return position < 0 ? position : from + position;
}

/** Finds the index after the bracket that closes the one at `start`. Ignores brackets in JSON strings. */
function endOfJson(text: string, start: number): number | undefined {
  const tokens = /"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gsu;
  tokens.lastIndex = start;
  let depth = 0;
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    if (/^[[{]/u.test(match[0])) depth++;
    else if (/^[\]}]/u.test(match[0])) depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

function factsIn(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => factIn(entry));
  if (!isRecord(value)) return undefined;
  if ('facts' in value) return factsIn(value['facts']) ?? factIn(value['facts']);
  return 'fact' in value ? factIn(value['fact']) : undefined;
}

function factIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isRecord(value) && 'fact' in value ? factIn(value['fact']) : [];
}

/** Writes facts. Escapes everything, so that text of a conversation cannot become an instruction. */
export function renderFacts(concepts: readonly ConceptFacts[], tagSuffix: TagSuffix): string {
  const clean = (text: string) => cleaned(text, tagSuffix);
  const written = concepts.map(({ concept, facts }) =>
    [
      '<concept>',
      `<keyword>${clean(concept.keyword)}</keyword>`,
      `<description>${clean(concept.description)}</description>`,
      '<facts>',
      ...facts.map((fact) => `<fact>${clean(fact)}</fact>`),
      '</facts>',
      '</concept>',
    ].join('\n'),
  );
  return framed('compressed_facts', tagSuffix, written.join('\n'));
}

export function earlierFacts(messages: readonly Message[]): readonly ConceptFacts[] {
  return messages.flatMap(({ kind, carried }) => (kind === 'summary' ? (carried?.concepts ?? []) : []));
}

/** Merges the earlier and new facts of each concept, each once. A new single fact replaces the earlier one. */
export function mergeFacts(
  earlier: readonly ConceptFacts[],
  found: readonly ConceptFacts[],
  concepts: readonly FactConcept[],
): readonly ConceptFacts[] {
  const isSingle = new Set(
    concepts.filter(({ factType }) => factType === 'SINGLE').map(({ keyword }) => keyword),
  );
  const merged = new Map<string, ConceptFacts>();
  for (const { concept, facts } of [...earlier, ...found]) {
    const known = merged.get(concept.keyword)?.facts ?? [];
    const all = isSingle.has(concept.keyword)
      ? (facts.length > 0 ? facts : known).slice(-1)
      : [...known.filter((fact) => !facts.includes(fact)), ...facts].slice(-mostFacts);
    merged.set(concept.keyword, { concept, facts: all });
  }
  return [...merged.values()].filter(({ facts }) => facts.length > 0);
}

/** Asks a model about each concept in turn, even after failures. @throws {CompactionFailure} `no-model` */
export async function askForEach(
  concepts: readonly FactConcept[],
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
) {
  const found: ConceptFacts[] = [];
  const failures: CompactionFailure[] = [];
  const reports: SummaryReport[] = [];
  const warnings: Phrase[] = [];
  for (const concept of concepts) {
    try {
      const model = task.model && askingAbout(concept, task.model);
      const reply = await writeSummary({ ...task, model, form: factsForm(concept) }, meter, signal);
      reports.push(reply.report);
      warnings.push(...reply.warnings);
      const facts = parseFacts(reply.body, concept);
      if (facts === undefined) {
        throw new CompactionFailure('summary-empty', summarySentences.say('noFactsToRead'));
      }
      found.push({ concept, facts });
    } catch (error) {
      if (!(error instanceof CompactionFailure) || error.code === 'no-model') throw error;
      failures.push(error);
      warnings.push(
        summarySentences.say('nothingFoundAbout', {
          concept: JSON.stringify(concept.keyword),
          error: error.phrase,
        }),
      );
    }
  }
  return { found, failures, reports, warnings };
}

/** Wraps a model so that requests also have the concept as a field, for models that do not read prompts. */
function askingAbout(concept: FactConcept, model: SummaryModel): SummaryModel {
  return wrappedModel(model, (request, signal) => model.summarise({ ...request, concept }, signal));
}
