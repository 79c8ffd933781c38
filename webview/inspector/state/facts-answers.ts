import type { FactFilter, FactView, LedgerNotification } from '../../../src/protocol/inspector-ledger.ts';

type Answer<Type> = Omit<Extract<LedgerNotification, { type: Type }>, 'type' | 'sessionId'>;

/** The text of a message, or its beginning. */
export type SaidText = Omit<Answer<'archive-text'>, 'messageId'>;

/** Facts that pass a filter, as far as they have arrived, with the counts of all facts. */
export interface KnownFacts extends Omit<Answer<'facts'>, 'from'> {
  /** Number of facts from the newest answers. All later facts in the list are from an earlier answer. */
  readonly arrived: number;
}

/** The facts of a session, as the extension reported them. */
export interface FactsAnswers {
  readonly sessionId?: string;
  readonly facts?: KnownFacts;
  readonly hits?: Answer<'archive-hits'>;
  /** Texts by the ids of their messages. */
  readonly texts?: ReadonlyMap<string, SaidText>;
}

/**
 * Adds a notification to the known answers. Answers about another session are dropped. Facts arrive in portions. A new
 * portion replaces only its part of the list, so that a long list stays in place while it is read again.
 */
export function receiveFacts(
  known: FactsAnswers,
  { sessionId, ...answer }: LedgerNotification,
): FactsAnswers {
  const same: FactsAnswers = known.sessionId === sessionId ? known : { sessionId };
  switch (answer.type) {
    case 'facts': {
      const { type: _, from, ...page } = answer;
      const before =
        same.facts !== undefined && isSameFilter(same.facts.filter, page.filter) ? same.facts.facts : [];
      const arrived = from + page.facts.length;
      const facts = [...before.slice(0, from), ...page.facts, ...before.slice(arrived)].slice(0, page.total);
      return { ...same, facts: { ...page, facts: distinct(facts), arrived } };
    }
    case 'archive-hits': {
      const { query, hits, hasMore } = answer;
      return { ...same, hits: { query, hits, hasMore } };
    }
    case 'archive-text': {
      const { messageId, text, isCut } = answer;
      return { ...same, texts: new Map(same.texts).set(messageId, { text, isCut }) };
    }
  }
}

export function isSameFilter(one: FactFilter, other: FactFilter): boolean {
  return one.text === other.text && one.kind === other.kind && one.presence === other.presence;
}

/** Identifies a fact while it is in the list. */
export function factKey({ section, text }: FactView): string {
  return `${section} ${text}`;
}

/** A fact that moved between two answers is in both. */
function distinct(facts: readonly FactView[]): readonly FactView[] {
  const byKey = new Map<string, FactView>();
  for (const fact of facts) if (!byKey.has(factKey(fact))) byKey.set(factKey(fact), fact);
  return [...byKey.values()];
}
