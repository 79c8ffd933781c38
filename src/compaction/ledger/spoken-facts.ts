import { isTyped, typedText, type Message } from '../message.ts';
import { factText } from './fact-text.ts';
import type { Ledger } from './ledger.ts';
import { standingStatements } from './replacement.ts';
import { sentencesIn, withoutHarnessText } from './sentences.ts';
import { decisionsOfModel, isEnding, statementsIn, type Statement, type Statements } from './statements.ts';

/** What one message, or the ledger in a summary, adds to a conversation. */
export interface Spoken {
  /** Texts of requests as the person wrote them. */
  readonly requests: readonly string[];
  readonly statements: Statements;
}

const nothing: Spoken = { requests: [], statements: { statements: [], retraction: 'none' } };

/** What a person or a model says in a message; nothing for every other message. */
export function spokenIn(message: Message): Spoken {
  if (isTyped(message)) {
    const text = withoutHarnessText(typedText(message));
    return text.trim() === '' ? nothing : { requests: [text], statements: statementsIn(text) };
  }
  if (message.role === 'assistant' && message.kind === undefined && typeof message.content === 'string') {
    return { requests: [], statements: decisionsOfModel(message.content) };
  }
  return nothing;
}

/** What the ledger of a summary carries on: its requests are read again, for a later message may replace them. */
export function spokenInLedger({
  requests,
  decisions,
  choices,
  constraints,
  values,
}: Ledger): readonly Spoken[] {
  const carried = (kind: Statement['kind'], texts: readonly string[]) =>
    texts.map((text): Statement => ({ text, kind, isChange: false }));
  const listed: Statements = {
    statements: [
      ...carried('decision', decisions),
      ...choices.map((text): Statement => ({ text, kind: 'decision', isChange: false, isOfModel: true })),
      ...carried('constraint', constraints),
      ...carried('value', values),
    ],
    retraction: 'none',
  };
  return [
    ...requests.map((text): Spoken => ({ requests: [text], statements: statementsIn(text) })),
    { requests: [], statements: listed },
  ];
}

/** The sections of a ledger that come from what was said. */
export type SpokenSections = Pick<
  Ledger,
  'requests' | 'decisions' | 'choices' | 'constraints' | 'values' | 'replaced'
>;

/** Sorts what was said into sections. What was replaced stands in no section but its own, requests included. */
export function spokenFacts(spoken: readonly Spoken[]): SpokenSections {
  const { statements, replaced } = standingStatements(spoken.map((one) => one.statements));
  const gone = new Set(replaced.map(({ text }) => text));
  const of = (kind: Statement['kind'], isOfModel = false) =>
    statements
      .filter((statement) => statement.kind === kind && (statement.isOfModel === true) === isOfModel)
      .map(({ text }) => text);
  return {
    requests: spoken.flatMap(({ requests }) => requests.flatMap((text) => standingRequest(text, gone) ?? [])),
    decisions: of('decision'),
    choices: of('decision', true),
    constraints: of('constraint'),
    values: of('value'),
    replaced,
  };
}

/** A request without the sentences that were replaced; undefined where nothing is left of it. */
function standingRequest(text: string, gone: ReadonlySet<string>): string | undefined {
  if (gone.size === 0) return factText(text);
  const sentences = sentencesIn(text);
  const left = sentences.filter((sentence) => !gone.has(sentence) && !isEnding(sentence));
  if (left.length === sentences.length) return factText(text);
  return left.length === 0 ? undefined : factText(left.join(' '));
}
