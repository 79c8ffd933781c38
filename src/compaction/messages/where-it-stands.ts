/**
 * The state of a session's work, as its messages, calls and results tell by their structure. Nothing in it is guessed:
 * what no call, result or status tells is absent.
 */
export interface WorkState extends Moment {
  /** Id of the last message that it takes into account. */
  readonly upTo?: string;
  readonly request?: RequestState;
  /** The newest run of each check, the newest last. */
  readonly checks: readonly CheckState[];
  readonly repository?: RepositoryState;
  /** All steps of the newest plan, in its order. */
  readonly plan: readonly PlanStep[];
  readonly planAge?: PlanAge;
  readonly awaited: readonly Awaited[];
}

/** A place in a session, as a number of events from its beginning. */
export interface Moment {
  /** Calls that ended, except those that did not run. */
  readonly calls: number;
  /** Calls among them that changed files. */
  readonly edits: number;
}

/** The last request: a typed message, or the task of a sub-agent. */
export interface RequestState {
  /** The beginning, on one line. */
  readonly text: string;
  /** The question of the assistant that a few words answer. */
  readonly question?: string;
  /** True for a task that another agent gave. */
  readonly isTask?: true;
  /**
   * `open`: still being worked on. `refused`: the user refused a call, and nothing was said since. `closed`: thanks or
   * leave of the user followed.
   */
  readonly end: 'open' | 'answered' | 'interrupted' | 'refused' | 'closed';
  /** The newest call for it that did something, if it failed. */
  readonly failed?: string;
  readonly at: Moment;
}

export const checkKinds = ['build', 'typecheck', 'lint', 'format', 'test', 'check'] as const;
/** `check`: several of them, under a name like `npm run check`. */
export type CheckKind = (typeof checkKinds)[number];

/** The newest run of a check. */
export interface CheckState {
  readonly kind: CheckKind;
  /** The command line of the check alone. */
  readonly command: string;
  /** Folder that the command line changed to. */
  readonly folder?: string;
  /** `unknown`: it ran, and neither status nor output tells the result. */
  readonly result: 'passed' | 'failed' | 'unknown' | 'cancelled' | 'running';
  /** The first line that names a failure. */
  readonly line?: string;
  /** Further ones, in their order. */
  readonly more?: readonly string[];
  readonly at: Moment;
}

/** A git repository, as far as the newest commands and their output tell. */
export interface RepositoryState {
  /** Folder that the commands named; absent for the agent's own. */
  readonly folder?: string;
  readonly branch?: string;
  readonly commit?: {
    readonly hash: string;
    readonly subject?: string;
    /** When it was made, or seen. */
    readonly at?: Moment;
    /** Another commit that was shown since, and never before. */
    readonly newer?: string;
  };
  /** The end of the newest push, if nothing was committed since. */
  readonly push?: { readonly ref: string; readonly isRejected?: true };
  /** Files that differed from the last commit. */
  readonly uncommitted?: { readonly files: readonly string[]; readonly at: Moment };
}

export interface PlanStep {
  readonly text: string;
  readonly state: 'open' | 'in progress' | 'done';
  /** As the agent named it, for changes of single steps. */
  readonly id?: string;
}

/** Events since the plan was written or changed. */
interface PlanAge {
  readonly at: Moment;
  /** Requests that were answered. */
  readonly answers: number;
  readonly commits: number;
}

/** Something that has not come yet. */
export interface Awaited {
  /**
   * `answer`: of the user, to a question. `approval`: the user refused a call, and said nothing since. `background`: the
   * end of a command. `sub-agent`: its report. `result`: of another call.
   */
  readonly what: 'answer' | 'approval' | 'background' | 'sub-agent' | 'result';
  /** The question, or what was called. */
  readonly text: string;
  /** Id of the call. */
  readonly id?: string;
}

export const emptyState: WorkState = { calls: 0, edits: 0, checks: [], plan: [], awaited: [] };
