import type { Quotes } from './quote.ts';
import type { RequestState, WorkState } from './where-it-stands.ts';

/**
 * Facts that an agent may need again, found without a model. They are copied, never reworded, so however often a
 * history is compacted, what was written down once stays as it was.
 *
 * Every section is in the order in which its facts were last met, oldest first.
 */
export interface Ledger {
  /** Sentences that the user marked, in their words where they reworded one. */
  readonly marked: readonly MarkedFact[];
  /** Requests of the person, the beginning of each message. */
  readonly requests: readonly string[];
  readonly filesModified: readonly FileFact[];
  /** Files looked at. One that was also modified is there only. */
  readonly filesRead: readonly string[];
  /** Commands that ran, or at least started. */
  readonly commands: readonly CommandFact[];
  /** Commands and edits that did not run, or are not known to have run. Excludes those that ran later. */
  readonly notRun: readonly NotRunFact[];
  /** Lines of tool output that name an error. */
  readonly errors: readonly ErrorFact[];
  /** Search terms, and ids that calls named. */
  readonly identifiers: readonly string[];
  /** Sentences of the person in which something was decided, as far as it still stands. */
  readonly decisions: readonly string[];
  /** Quotes of the model in which it says what it chose; found by a model only. */
  readonly choices: readonly string[];
  /** Sentences of the person that set a rule, as far as it still stands. */
  readonly constraints: readonly string[];
  /** Sentences of the user about how they like things, as far as they still stand. */
  readonly preferences: readonly string[];
  /** Questions of the user or the model that were open at the newest compaction. */
  readonly questions: readonly string[];
  /** Open steps of the newest plan. */
  readonly nextSteps: readonly string[];
  /** Sentences of the person that a later one took the place of. */
  readonly replaced: readonly ReplacedFact[];
}

/**
 * Ends of a call, as the agent recorded them in its result.
 *
 * `refused`: by the user. `notAllowed`: by a rule, a hook, a mode or a classifier. `skipped`: never started, because
 * its arguments were wrong or a parallel call failed. `cancelled`: stopped while running, by the user or a time limit.
 * `running`: continued in the background. `unanswered`: the agent wrote a placeholder for a missing result.
 */
export const toldEnds = ['refused', 'notAllowed', 'skipped', 'cancelled', 'running', 'unanswered'] as const;
export type ToldEnd = (typeof toldEnds)[number];

/** A file that was changed, with what happened to it. */
export interface FileFact {
  readonly path: string;
  /** Number of calls that edited it. */
  readonly edits?: number;
  readonly created?: true;
  /** Absent if it was written again later. */
  readonly deleted?: true;
}

export interface CommandFact {
  readonly command: string;
  /** Exit status, if its output told one. */
  readonly status?: number;
  /** Absent for a call that completed, and for one that failed with an exit status. */
  readonly end?: 'failed' | Extract<ToldEnd, 'cancelled' | 'running'>;
}

/** A call that is not known to have run. */
export interface NotRunFact {
  /** The command line, or the path of the file to be changed. */
  readonly text: string;
  readonly what: 'command' | 'edit';
  /** `pending`: no result yet. */
  readonly end: Exclude<ToldEnd, 'cancelled' | 'running'> | 'pending';
}

/** A line that a tool printed: never words of the person. */
export interface ErrorFact {
  /** The first line of an output that names an error. */
  readonly text: string;
  /** Further lines of the same output that do. */
  readonly more?: number;
  /** Name of the tool. */
  readonly tool: string;
  /** The command that printed it, if one did. */
  readonly command?: string;
}

export interface ReplacedFact {
  readonly text: string;
  /** The sentence that holds instead. */
  readonly by: string;
}

/** Ways to mark a sentence that stay facts. `note`: reworded, and neither a rule nor a decision nor done. */
export const markedWays = ['rule', 'decision', 'done', 'note'] as const;
export type MarkedAs = (typeof markedWays)[number];

/** A sentence that the user marked. */
export interface MarkedFact {
  readonly text: string;
  readonly as: MarkedAs;
  /** The sentence as it was said; absent if it was not reworded. */
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

/** All sections, in the order of the type. */
export const ledgerSections = Object.keys(emptyLedger) as readonly LedgerSection[];

/** A ledger as this version or an earlier one wrote it. */
type WrittenLedger = Partial<Omit<Ledger, 'filesModified'>> & {
  /** Paths in earlier versions. */
  readonly filesModified?: readonly (FileFact | string)[];
};

/** The ledger of a session. Sections that an earlier version did not write are empty, those that no longer exist are left out. */
export function wholeLedger(written: WrittenLedger): Ledger {
  const filesModified = written.filesModified?.map((file) =>
    typeof file === 'string' ? { path: file } : file,
  );
  const now: Partial<Ledger> = { ...written, filesModified: filesModified ?? [] };
  const sections = ledgerSections.map((section) => [section, now[section] ?? emptyLedger[section]]);
  return Object.fromEntries(sections) as Ledger;
}

/** A fact of any section. */
export type Fact = string | FileFact | CommandFact | NotRunFact | ErrorFact | ReplacedFact | MarkedFact;

/** The text by which a fact is known: of a file its path, of a command its line, of every other fact its text. */
export function textOfFact(fact: Fact): string {
  if (typeof fact === 'string') return fact;
  if ('path' in fact) return fact.path;
  return isCommandFact(fact) ? fact.command : fact.text;
}

/** An error names a command, too: the one that printed it. */
export function isCommandFact(fact: Fact): fact is CommandFact {
  return typeof fact === 'object' && 'command' in fact && !('tool' in fact);
}

/**
 * Merges two ledgers, later facts last. If a command ran twice, the later status counts. A fact that either ledger
 * lists as replaced is not current in the result, and later steps replace earlier ones.
 */
export function mergeLedgers(earlier: Ledger, later: Ledger): Ledger {
  const { filesModified, filesRead, commands, notRun, errors, identifiers } = mergeWork(earlier, later);
  const replaced = [
    ...new Map([...earlier.replaced, ...later.replaced].map((fact) => [fact.text, fact])).values(),
  ];
  const gone = new Set(replaced.map(({ text }) => text));
  const standing = (section: 'decisions' | 'choices' | 'constraints' | 'preferences') =>
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
    decisions: standing('decisions'),
    choices: standing('choices'),
    constraints: standing('constraints'),
    preferences: standing('preferences'),
    questions: later.questions.length > 0 ? later.questions : earlier.questions,
    nextSteps: later.nextSteps.length > 0 ? later.nextSteps : earlier.nextSteps,
    replaced,
  };
}

/** The same of these sections alone. */
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

/** Each once, at the place where it comes last. */
export function lastMet(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const order = new Set<string>();
  for (const fact of [...earlier, ...later]) {
    order.delete(fact);
    order.add(fact);
  }
  return [...order];
}

/** Each file once, with everything that happened to it, at the place where it comes last. */
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

/** The ledger with only the facts that pass a test. */
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

/** Facts about one concept, the newest last. */
export interface ConceptFacts {
  readonly concept: { readonly keyword: string; readonly description: string };
  readonly facts: readonly string[];
}

/** An earlier request, and what came of it. */
export interface EarlierRequest {
  /** As the ledger has it. */
  readonly text: string;
  /** The user's words around what was pasted, or the beginning and the end of a long text. */
  readonly words?: string;
  /** The question of the assistant that a few words answer. */
  readonly question?: string;
  /** `open`: no reply followed. `undone`: nothing that was done for it stands. */
  readonly end: RequestState['end'] | 'undone';
  /** The work for it: files that were edited, checks, a commit; one entry each. */
  readonly work: readonly string[];
  /** The first sentence of the last reply that says what was done or found, in the words of the model. */
  readonly reply?: string;
}

/**
 * Facts that a summary carries, as the program knows them from the messages themselves. They are kept next to the text,
 * which is never read for it: a model wrote parts of the text, and tools what the model read.
 */
export interface Carried {
  /** Facts that were copied into the text. */
  readonly ledger?: Ledger;
  /** Facts that a model found about concepts. */
  readonly concepts?: readonly ConceptFacts[];
  /** The requests in its text, oldest first. */
  readonly requests?: readonly EarlierRequest[];
  /** The state of the work when it was written. */
  readonly state?: WorkState;
  /** The agent's plan, in the words of the call that set it. */
  readonly plan?: string;
  /** State snapshots only: how many messages followed it when it was written. */
  readonly followers?: number;
  /** Passages only: names the request that they were chosen for. */
  readonly request?: string;
  /** Sentences that a model quoted from the messages it summarised. */
  readonly quotes?: Quotes;
}

/** Text of a message that takes the place of others, with what it carries. */
export interface CarriedText {
  readonly text: string;
  readonly carried?: Carried | undefined;
}
