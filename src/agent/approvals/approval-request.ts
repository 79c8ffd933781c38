import type { FileChange } from '../edits/file-editor.ts';

/** What a person is asked before the agent does something. All texts in it may come from a model. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** What would happen, in one line: `Edit src/lock.ts`. */
  readonly title: string;
  /** The whole of it: the command, the arguments; empty where `changes` tells. */
  readonly details: string;
  /** Why to look twice, one sentence. */
  readonly warning?: string | undefined;
  /** What would happen to files, to be looked at before. */
  readonly changes?: readonly FileChange[] | undefined;
  /** Everything it does, each of which has to be allowed: paths as the model writes them, commands, names of tools. */
  readonly subjects: readonly string[];
  /** What "this session" and "always" would allow from now on; without it there is only "once". */
  readonly rule?: ApprovalRule | undefined;
}

export type ApprovalKind = 'edit' | 'command' | 'mcp' | 'memory' | 'delegate';

/** Allows everything of a kind that fits a pattern. */
export interface ApprovalRule {
  readonly kind: ApprovalKind;
  /** For edits a glob, for commands the words they begin with, otherwise a name. */
  readonly pattern: string;
}

/** How far an approval goes. */
export type ApprovalScope = 'once' | 'session' | 'always';

export type ApprovalDecision =
  | { readonly isAllowed: true; readonly scope: ApprovalScope }
  /** @property feedback what the person would rather have; empty where nothing was said */
  | { readonly isAllowed: false; readonly feedback: string };
