/** State of a session's work, found in the structure of messages, calls and results. Unknown values are absent. */
export interface WorkState extends Moment {
  readonly upTo?: string;
  readonly request?: RequestState;
  readonly checks: readonly CheckState[];
  readonly repository?: RepositoryState;
  readonly plan: readonly PlanStep[];
  readonly planAge?: PlanAge;
  readonly awaited: readonly Awaited[];
}

export interface Moment {
  /** Number of calls that ended, except calls that did not run. */
  readonly calls: number;
  /** Number of these calls that changed files, plus Aider's reports of undone changes. */
  readonly edits: number;
}

/** The last request: a typed message, or the task of a sub-agent. */
export interface RequestState {
  readonly text: string;
  /** The assistant's question that a short request answers. */
  readonly question?: string;
  readonly isTask?: true;
  /**
   * `open`: in progress. `refused`: the user refused a call and has not written since. `closed`: the user
   * said thanks or goodbye. `undone`: all work for it was undone.
   */
  readonly end: 'open' | 'answered' | 'interrupted' | 'refused' | 'closed' | 'undone';
  readonly failed?: string;
  readonly at: Moment;
}

export const checkKinds = ['build', 'typecheck', 'lint', 'format', 'test', 'check'] as const;
/** `check`: several kinds under a name like `npm run check`. */
export type CheckKind = (typeof checkKinds)[number];

export interface CheckState {
  readonly kind: CheckKind;
  readonly command: string;
  readonly folder?: string;
  /** `unknown`: the check ran, but neither status nor output reveals the result. */
  readonly result: 'passed' | 'failed' | 'unknown' | 'cancelled' | 'running';
  readonly line?: string;
  readonly more?: readonly string[];
  readonly at: Moment;
}

/** A git repository, as shown by the newest commands and their output. */
export interface RepositoryState {
  /** Folder that the commands named; absent for the agent's working folder. */
  readonly folder?: string;
  readonly branch?: string;
  readonly commit?: {
    readonly hash: string;
    readonly subject?: string;
    readonly at?: Moment;
    readonly newer?: string;
  };
  /** Result of the newest push, if nothing was committed since. */
  readonly push?: { readonly ref: string; readonly isRejected?: true };
  /** Address of the pull request that was opened from the branch. */
  readonly pullRequest?: string;
  readonly uncommitted?: { readonly files: readonly string[]; readonly at: Moment };
}

export interface PlanStep {
  readonly text: string;
  readonly state: 'open' | 'in progress' | 'done';
  /** Id assigned by the agent, used to update single steps. */
  readonly id?: string;
}

interface PlanAge {
  readonly at: Moment;
  readonly answers: number;
  readonly commits: number;
}

export interface Awaited {
  /**
   * `answer`: the user's answer to a question. `approval`: the user refused a call and has not written since.
   * `background`: the end of a command. `sub-agent`: the report of a sub-agent. `result`: the result of another call.
   */
  readonly what: 'answer' | 'approval' | 'background' | 'sub-agent' | 'result';
  readonly text: string;
  readonly id?: string;
}

export const emptyState: WorkState = { calls: 0, edits: 0, checks: [], plan: [], awaited: [] };
