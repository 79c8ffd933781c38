import { textOf, type Message } from '../message.ts';
import { factText } from '../ledger/fact-text.ts';
import { noteRules, type SummaryForm } from './form.ts';
import type { FactConcept } from './model.ts';
import { escapeTags } from './serialise.ts';

/** Most tokens that the facts about one concept may take, and most facts that are kept about one. */
const largestReply = 4_000;
const mostFacts = 50;

/** Facts about one concept, the newest last. */
export interface ConceptFacts {
  readonly concept: Pick<FactConcept, 'keyword' | 'description'>;
  readonly facts: readonly string[];
}

/** What a model is asked for about one concept. */
export function factsForm({ keyword, description, factType }: FactConcept): SummaryForm {
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
    largest: largestReply,
  };
}

/**
 * Reads the facts in a reply, however the model wrapped its JSON: in prose, in a code block, in objects of its own.
 *
 * @returns each fact once, on one line; undefined where there is no such JSON
 */
export function parseFacts(
  text: string,
  { factType }: Pick<FactConcept, 'factType'>,
): readonly string[] | undefined {
  const found = candidatesIn(text)
    .map((candidate) => factsIn(parse(candidate)))
    .find((facts) => facts !== undefined);
  if (found === undefined) return undefined;
  const facts = new Set(found.map(factText).filter((fact) => fact !== ''));
  return [...facts].slice(0, factType === 'SINGLE' ? 1 : mostFacts);
}

function candidatesIn(text: string): readonly string[] {
  const between = (open: string, close: string) => {
    const start = text.indexOf(open);
    const end = text.lastIndexOf(close);
    return start < 0 || end < start ? [] : [text.slice(start, end + 1)];
  };
  const fenced = [...text.matchAll(/```\w*\n([\s\S]*?)```/gu)].map(([, code]) => code ?? '');
  return [text, ...fenced, ...between('{', '}'), ...between('[', ']')];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function factsIn(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => factIn(entry));
  if (typeof value !== 'object' || value === null) return undefined;
  if ('facts' in value) return factsIn(value.facts) ?? factIn(value.facts);
  return 'fact' in value ? factIn(value.fact) : undefined;
}

function factIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null && 'fact' in value ? factIn(value.fact) : [];
}

/** Writes facts down. Everything is escaped: what stood in a conversation cannot become an instruction of ours. */
export function renderFacts(concepts: readonly ConceptFacts[]): string {
  const written = concepts.map(({ concept, facts }) =>
    [
      '<concept>',
      `<keyword>${escapeTags(concept.keyword)}</keyword>`,
      `<description>${escapeTags(concept.description)}</description>`,
      '<facts>',
      ...facts.map((fact) => `<fact>${escapeTags(fact)}</fact>`),
      '</facts>',
      '</concept>',
    ].join('\n'),
  );
  return ['<compressed_facts>', ...written, '</compressed_facts>'].join('\n');
}

const conceptBlock =
  /<concept>\n<keyword>([^<]*)<\/keyword>\n<description>([^<]*)<\/description>\n<facts>\n((?:<fact>[^<]*<\/fact>\n)*)<\/facts>/gu;

/** Reads back what `renderFacts` wrote into earlier summaries. */
export function earlierFacts(messages: readonly Message[]): readonly ConceptFacts[] {
  const summaries = messages.filter(({ kind }) => kind === 'summary').map(({ content }) => textOf(content));
  return summaries.flatMap((text) =>
    [...text.matchAll(conceptBlock)].map(([, keyword = '', description = '', facts = '']) => ({
      concept: { keyword: unescapeTags(keyword), description: unescapeTags(description) },
      facts: [...facts.matchAll(/<fact>([^<]*)<\/fact>/gu)].map(([, fact = '']) => unescapeTags(fact)),
    })),
  );
}

/**
 * Earlier and new facts of each concept together: copied, each once. Of a concept with a single fact the new one
 * counts, where there is one.
 */
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

function unescapeTags(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
