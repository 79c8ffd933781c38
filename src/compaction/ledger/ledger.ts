/**
 * Facts that an agent may need again, found without a model. They are copied, never reworded, so however often a
 * history is compacted, what was written down once stays as it was.
 *
 * Every section is in the order in which its facts were last met, oldest first.
 */
export interface Ledger {
  /** What the person asked, the beginning of each message. */
  readonly requests: readonly string[];
  readonly filesModified: readonly string[];
  /** Files looked at. One that was also modified stands there only. */
  readonly filesRead: readonly string[];
  readonly commands: readonly CommandFact[];
  /** Lines of tool output that name an error. */
  readonly errors: readonly string[];
  /** What was searched for, and ids that calls named. */
  readonly identifiers: readonly string[];
  /** Sentences in which something was decided. */
  readonly decisions: readonly string[];
  /** Sentences of the person that set a rule. */
  readonly constraints: readonly string[];
}

export interface CommandFact {
  readonly command: string;
  /** Exit status, where its output told one. */
  readonly status?: number;
}

export const emptyLedger: Ledger = {
  requests: [],
  filesModified: [],
  filesRead: [],
  commands: [],
  errors: [],
  identifiers: [],
  decisions: [],
  constraints: [],
};

/** Both together, the later facts last. Of a command run twice, the later status counts. */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const filesModified = lastMet(earlier.filesModified, later.filesModified);
  const modified = new Set(filesModified);
  const commands = new Map<string, CommandFact>();
  for (const fact of [...earlier.commands, ...later.commands]) {
    commands.delete(fact.command);
    commands.set(fact.command, fact);
  }
  return {
    requests: lastMet(earlier.requests, later.requests),
    filesModified,
    filesRead: lastMet(earlier.filesRead, later.filesRead).filter((path) => !modified.has(path)),
    commands: [...commands.values()],
    errors: lastMet(earlier.errors, later.errors),
    identifiers: lastMet(earlier.identifiers, later.identifiers),
    decisions: lastMet(earlier.decisions, later.decisions),
    constraints: lastMet(earlier.constraints, later.constraints),
  };
}

/** Each once, at the place where it comes last. */
export function lastMet(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const order = new Set<string>();
  for (const fact of [...earlier, ...later]) {
    order.delete(fact);
    order.add(fact);
  }
  return [...order];
}

/** The ledger with only the facts that pass a test; a command is tested by its text. */
export function filterLedger(ledger: Ledger, isWanted: (fact: string) => boolean): Ledger {
  return {
    requests: ledger.requests.filter(isWanted),
    filesModified: ledger.filesModified.filter(isWanted),
    filesRead: ledger.filesRead.filter(isWanted),
    commands: ledger.commands.filter(({ command }) => isWanted(command)),
    errors: ledger.errors.filter(isWanted),
    identifiers: ledger.identifiers.filter(isWanted),
    decisions: ledger.decisions.filter(isWanted),
    constraints: ledger.constraints.filter(isWanted),
  };
}
