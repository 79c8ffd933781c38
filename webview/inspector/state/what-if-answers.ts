import type { WhatIfNotification, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';

/** A message of the extension without its type and session. */
type Answer<Type> = Omit<Extract<WhatIfNotification, { type: Type }>, 'type' | 'sessionId'>;

/** The comparison of strategies in a session, as the extension reported it. */
export interface WhatIfAnswers {
  readonly sessionId?: string;
  readonly view?: WhatIfView;
  /** The facts that a strategy would lose, as last requested. */
  readonly lost?: Answer<'what-if-lost'> | undefined;
  /** The open preview of a strategy. */
  readonly preview?: Answer<'what-if-preview'> | undefined;
}

/** Adds a notification to the known answers. Answers about another session are dropped. */
export function receiveWhatIf(
  known: WhatIfAnswers,
  { sessionId, ...answer }: WhatIfNotification,
): WhatIfAnswers {
  const same = known.sessionId === sessionId ? known : { sessionId };
  switch (answer.type) {
    case 'what-if':
      // The names of lost facts belong to the comparison that found them.
      return { ...same, view: answer.view, ...(answer.view.phase === 'running' && { lost: undefined }) };
    case 'what-if-lost':
      return { ...same, lost: { strategy: answer.strategy, lost: answer.lost } };
    case 'what-if-preview':
      return { ...same, preview: { strategy: answer.strategy, record: answer.record } };
  }
}
