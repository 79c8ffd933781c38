import type { Quotes } from './quote.ts';
import type { RequestState, WorkState } from './where-it-stands.ts';

/**
 * Facts that an agent may need again, found without a model. They are copied and never reworded, so they
 * survive any number of compactions unchanged.
 *
 * Every section lists its facts by their latest mention, oldest first.
 */
export interface Ledger {
  /** Sentences that the user marked, in the user's new words if reworded. */
  readonly marked: readonly MarkedFact[];
  readonly requests: readonly string[];
  readonly filesModified: readonly FileFact[];
  /** Files that were read and not modified. */
  readonly filesRead: readonly string[];
  /** Steps of command lines that installed, published, deployed, migrated or set something. */
  readonly commands: readonly CommandFact[];
  /** Commands and edits that did not run, or are not known to have run. Excludes what ran later. */
  readonly notRun: readonly NotRunFact[];
  readonly errors: readonly ErrorFact[];
  readonly identifiers: readonly string[];
  /** Sentences in which the user decided something that is still valid. */
  readonly decisions: readonly string[];
  /** Quotes in which the model states a choice. Only a model finds them. */
  readonly choices: readonly string[];
  /** Sentences in which the user set a rule that is still valid. */
  readonly constraints: readonly string[];
  /** Sentences about preferences that the user still has. */
  readonly preferences: readonly string[];
  /** Questions of the user or the model that were open at the newest compaction. */
  readonly questions: readonly string[];
  readonly nextSteps: readonly string[];
  readonly replaced: readonly ReplacedFact[];
}

/**
 * Ends of a call, as the agent recorded them in its result.
 *
 * `refused`: by the user. `notAllowed`: by a rule, a hook, a mode or a classifier. `skipped`: never started, because
 * its arguments were wrong or a parallel call failed. `cancelled`: stopped while running, by the user or a time limit.
 * `running`: continued in the background. `unanswered`: the agent wrote a placeholder for a missing result.
 */
export const reportedEnds = [
  'refused',
  'notAllowed',
  'skipped',
  'cancelled',
  'running',
  'unanswered',
] as const;
export type ReportedEnd = (typeof reportedEnds)[number];

export interface FileFact {
  readonly path: string;
  readonly edits?: number;
  readonly created?: true;
  readonly deleted?: true;
}

export interface CommandFact {
  readonly command: string;
  readonly status?: number;
}

export interface NotRunFact {
  readonly text: string;
  readonly what: 'command' | 'edit';
  readonly end: Exclude<ReportedEnd, 'cancelled' | 'running'> | 'pending';
}

/** A line that a tool printed, never words of the user. */
export interface ErrorFact {
  readonly text: string;
  /** Number of further lines of the same output that name an error. */
  readonly more?: number;
  readonly tool: string;
  readonly command?: string;
}

export interface ReplacedFact {
  readonly text: string;
  readonly by: string;
}

/** Kinds of marks whose sentences remain facts. `note`: the user only reworded the sentence. */
export const markedWays = ['rule', 'decision', 'done', 'note'] as const;
export type MarkedAs = (typeof markedWays)[number];

export interface MarkedFact {
  readonly text: string;
  readonly as: MarkedAs;
  readonly said?: string;
}

export type LedgerSection = keyof Ledger;

/** The sections that come from calls and their results. */
export type WorkSections = Pick<
  Ledger,
  'filesModified' | 'filesRead' | 'commands' | 'notRun' | 'errors' | 'identifiers'
>;

export const emptyLedger: Ledger = {
  marked: [],
  requests: [],
  filesModified: [],
  filesRead: [],
  commands: [],
  notRun: [],
  errors: [],
  identifiers: [],
  decisions: [],
  choices: [],
  constraints: [],
  preferences: [],
  questions: [],
  nextSteps: [],
  replaced: [],
};

export const ledgerSections = Object.keys(emptyLedger) as readonly LedgerSection[];

/** A ledger that this version or an earlier version wrote. */
type WrittenLedger = Partial<Omit<Ledger, 'filesModified'>> & {
  readonly filesModified?: readonly (FileFact | string)[];
};

/** Completes a ledger of an earlier version. Leaves out discontinued sections. */
export function wholeLedger(written: WrittenLedger): Ledger {
  const filesModified = written.filesModified?.map((file) =>
    typeof file === 'string' ? { path: file } : file,
  );
  const now: Partial<Ledger> = { ...written, filesModified: filesModified ?? [] };
  const sections = ledgerSections.map((section) => [section, now[section] ?? emptyLedger[section]]);
  return Object.fromEntries(sections) as Ledger;
}

export type Fact = string | FileFact | CommandFact | NotRunFact | ErrorFact | ReplacedFact | MarkedFact;

/** Returns the text that identifies a fact: a file's path, a command's line, or any other fact's text. */
export function textOfFact(fact: Fact): string {
  if (typeof fact === 'string') return fact;
  if ('path' in fact) return fact.path;
  return isCommandFact(fact) ? fact.command : fact.text;
}

export function isCommandFact(fact: Fact): fact is CommandFact {
  return typeof fact === 'object' && 'command' in fact && !('tool' in fact);
}

/** Merges two ledgers. Later facts come last, commands have their later status, replaced sentences are left out. */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const { filesModified, filesRead, commands, notRun, errors, identifiers } = mergeWork(earlier, later);
  const replaced = [
    ...new Map([...earlier.replaced, ...later.replaced].map((fact) => [fact.text, fact])).values(),
  ];
  const gone = new Set(replaced.map(({ text }) => text));
  const valid = (section: 'decisions' | 'choices' | 'constraints' | 'preferences') =>
    lastMet(earlier[section], later[section]).filter((text) => !gone.has(text));
  return {
    marked: lastByText([...earlier.marked, ...later.marked]),
    requests: lastMet(earlier.requests, later.requests),
    filesModified,
    filesRead,
    commands,
    notRun,
    errors,
    identifiers,
    decisions: valid('decisions'),
    choices: valid('choices'),
    constraints: valid('constraints'),
    preferences: valid('preferences'),
    questions: later.questions.length > 0 ? later.questions : earlier.questions,
    nextSteps: later.nextSteps.length > 0 ? later.nextSteps : earlier.nextSteps,
    replaced,
  };
}

export function mergeWork(earlier: WorkSections, later: WorkSections): WorkSections {
  const filesModified = mergeFiles([...earlier.filesModified, ...later.filesModified]);
  const modified = new Set(filesModified.map(({ path }) => path));
  const done = {
    command: new Set(later.commands.map(({ command }) => command)),
    edit: new Set(later.filesModified.map(({ path }) => path)),
  };
  const stillNotRun = earlier.notRun.filter(({ what, text }) => !done[what].has(text));
  return {
    filesModified,
    filesRead: lastMet(earlier.filesRead, later.filesRead).filter((path) => !modified.has(path)),
    commands: lastRun([...earlier.commands, ...later.commands]),
    notRun: lastByText([...stillNotRun, ...later.notRun]),
    errors: lastByText([...earlier.errors, ...later.errors]),
    identifiers: lastMet(earlier.identifiers, later.identifiers),
  };
}

/** Lists each string once, at its last position. */
export function lastMet(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const order = new Set<string>();
  for (const fact of [...earlier, ...later]) {
    order.delete(fact);
    order.add(fact);
  }
  return [...order];
}

/** Lists each file once, at its last position, with all of its changes. */
export function mergeFiles(files: readonly FileFact[]): readonly FileFact[] {
  const met = new Map<string, FileFact>();
  for (const file of files) {
    const before = met.get(file.path);
    met.delete(file.path);
    met.set(file.path, before === undefined ? file : afterwards(before, file));
  }
  return [...met.values()];
}

function afterwards(before: FileFact, after: FileFact): FileFact {
  const edits = (before.edits ?? 0) + (after.edits ?? 0);
  return {
    path: after.path,
    ...(edits > 0 && { edits }),
    ...((before.created ?? after.created) === true && { created: true }),
    ...(after.deleted === true && { deleted: true }),
  };
}

function lastRun(commands: readonly CommandFact[]): readonly CommandFact[] {
  const runs = new Map<string, CommandFact>();
  for (const fact of commands) {
    runs.delete(fact.command);
    runs.set(fact.command, fact);
  }
  return [...runs.values()];
}

function lastByText<Known extends ErrorFact | NotRunFact | MarkedFact>(
  facts: readonly Known[],
): readonly Known[] {
  const met = new Map<string, Known>();
  for (const fact of facts) {
    met.delete(fact.text);
    met.set(fact.text, fact);
  }
  return [...met.values()];
}

export function filterLedger(
  ledger: Ledger,
  isWanted: (section: LedgerSection, fact: Fact) => boolean,
): Ledger {
  const kept = ledgerSections.map((section) => {
    const facts: readonly Fact[] = wholeLedger(ledger)[section];
    return [section, facts.filter((fact) => isWanted(section, fact))] as const;
  });
  return Object.fromEntries(kept) as unknown as Ledger;
}

export interface ConceptFacts {
  readonly concept: { readonly keyword: string; readonly description: string };
  readonly facts: readonly string[];
}

export interface EarlierRequest {
  readonly text: string;
  /** The user's words around pasted text, or the beginning and the end of a long text. */
  readonly words?: string;
  /** The assistant's question that a short request answers. */
  readonly question?: string;
  /** `open`: without a reply. `undone`: all work for it was undone. */
  readonly end: RequestState['end'];
  /** Work for the request: edited files, checks and a commit, each as one entry. */
  readonly work: readonly string[];
  /** First sentence of the last reply that states what was done or found, in the model's words. */
  readonly reply?: string;
}

/** Facts that a summary carries, stored separately, because a model or a tool may have written its text. */
export interface Carried {
  readonly ledger?: Ledger;
  readonly concepts?: readonly ConceptFacts[];
  readonly requests?: readonly EarlierRequest[];
  readonly state?: WorkState;
  /** The agent's plan, in the words of the call that set it. */
  readonly plan?: string;
  /** State snapshots only: number of messages that followed the snapshot when it was written. */
  readonly followers?: number;
  /** Passages only: the request for which the passages were chosen. */
  readonly request?: string;
  readonly quotes?: Quotes;
}

/** Text of a message that replaces other messages, with the facts that it carries. */
export interface CarriedText {
  readonly text: string;
  readonly carried?: Carried | undefined;
}
