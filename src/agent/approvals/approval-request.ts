import type { FileChange } from '../edits/file-editor.ts';
import type { CommandReach, CommandTerms } from './command-reach.ts';
import type { CommandShell } from './command-shell.ts';

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
  /** Patterns of rules which, all of them held, allow it as well as its own rule does. */
  readonly subjects: readonly string[];
  /** What "this session" and "always" would allow from now on; without it there is only "once". */
  readonly rule?: ApprovalRule | undefined;
  /** Of a command: how far it would get. */
  readonly terms?: CommandTerms | undefined;
}

export type ApprovalKind = 'edit' | 'command' | 'read' | 'mcp' | 'memory' | 'delegate';

/** Allows everything of a kind that has its pattern. */
export interface ApprovalRule {
  readonly kind: ApprovalKind;
  /** For commands a program that only looks or the very words, otherwise a name. */
  readonly pattern: string;
  /** Of a command: the shell that it is written for. Rules of earlier versions had none. */
  readonly shell?: CommandShell | undefined;
  /** Of a command: how far it may get; left out where there was no sandbox. */
  readonly reach?: CommandReach | undefined;
}

/** How far an approval goes. */
export type ApprovalScope = 'once' | 'session' | 'always';

export type ApprovalDecision =
  | {
      readonly isAllowed: true;
      readonly scope: ApprovalScope;
      /** Of a command: how far it may get; as far as was asked for where it is left out. */
      readonly reach?: CommandReach | undefined;
    }
  /** @property feedback what the person would rather have; empty where nothing was said */
  | { readonly isAllowed: false; readonly feedback: string };
