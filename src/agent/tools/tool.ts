import type { ToolSchema } from '../../compaction/message.ts';
import type { ApprovalRequest } from '../approvals/approval-request.ts';
import type { CommandReach } from '../approvals/command-reach.ts';
import type { FileChange } from '../edits/file-editor.ts';

/** What a tool gives back to the model. */
export interface ToolResult {
  /** Text for the model, whole. Says plainly what went wrong where something did. */
  readonly content: string;
  readonly isError: boolean;
  /** Set where the tool itself left something out of a longer result. */
  readonly isTruncated?: boolean;
  /** One line on the whole of it, for example an exit code: stays where the rest is shortened. */
  readonly summary?: string;
  /** What it did to files, for people. */
  readonly changes?: readonly FileChange[];
}

/** What every tool has. Tools never throw for bad input: the model reads the result and tries again. */
interface ToolDescription {
  readonly name: string;
  readonly schema: ToolSchema;
  /** The call in a few words for a person, for example `src/lock.ts 40–120`. Gets arguments as the model wrote them. */
  describe(input: Readonly<Record<string, unknown>>): string;
}

/** A tool that only looks things up. */
export interface Tool extends ToolDescription {
  /** Finds out whether a person has to be asked before it looks; undefined where nobody has to. */
  approvalOf?(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ApprovalRequest | undefined>;
  /**
   * @param isGranted whether a person allowed what `approvalOf` asks for; without that no secret is read
   * @throws {DOMException} `AbortError` where the signal was aborted
   */
  run(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    isGranted?: boolean,
  ): Promise<ToolResult>;
}

/** A tool that does something, once a person has allowed it. */
export interface ActingTool extends ToolDescription {
  /**
   * Finds out what it would do, and does none of it.
   *
   * @returns the result itself where nothing is left to do or it cannot be done
   * @throws {DOMException} `AbortError` where the signal was aborted
   */
  propose(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolResult | ProposedAction>;
}

export type AgentTool = Tool | ActingTool;

/** Something that would be done. */
export interface ProposedAction {
  readonly approval: ApprovalRequest;
  /**
   * Does it. Finds out first whether what it was based on has changed meanwhile.
   *
   * @param context with a signal that also ends when only this call is stopped
   */
  perform(context: ActionContext): Promise<ToolResult>;
}

export interface ActionContext {
  readonly signal: AbortSignal;
  /** The row of the call: id of the assistant message, a colon, and the position of the call. */
  readonly callKey: string;
  /** Of a command: how far it may get, where that is not as far as was asked for. */
  readonly reach?: CommandReach | undefined;
  /** Shows people what a long action has put out since the last time. */
  readonly progress: (text: string) => void;
}

export function ok(content: string, isTruncated = false): ToolResult {
  return isTruncated ? { content, isError: false, isTruncated } : { content, isError: false };
}

export function failed(content: string): ToolResult {
  return { content, isError: true };
}
