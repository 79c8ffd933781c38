import type { ToolSchema } from '../../../compaction/messages/message.ts';
import { parseShallow } from '../../../compaction/text/parse-json.ts';
import type { ApprovalRequest, CommandReach } from '../../approvals/approval-request.ts';
import type { FileChange } from '../../edits/file-editor.ts';
import { type Unusable, UnusablePathError } from '../../files/real-file.ts';

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

/** The arguments of a call as an object; no text counts as no arguments. */
export function parseToolInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {};
  const value = parseShallow(json)?.value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

/** What to tell a model about a file that could not be read. @throws whatever is not the file system's doing */
export function fileProblem(error: unknown, shown: string): ToolResult {
  if (error instanceof UnusablePathError) return failed(`${shown} ${inWords[error.reason]}`);
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failed(`${shown} does not exist. find_files and list_directory show what does.`);
    case 'EACCES':
    case 'EPERM':
      return failed(`${shown} may not be read: permission denied.`);
    case 'ELOOP':
      return failed(`${shown} is a symbolic link that leads back to itself.`);
    case 'ENAMETOOLONG':
      return failed('The path is too long.');
    default:
      if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) {
        return failed(`${shown} cannot be read (${code}).`);
      }
      throw error;
  }
}

const inWords: Readonly<Record<Unusable, string>> = {
  directory: 'is a directory. list_directory shows what is in it.',
  'not-a-directory': 'is not a directory. read_file reads it.',
  special: 'is not a regular file and cannot be read.',
  moved: 'was moved or replaced meanwhile, so it was not used. Try again.',
};

/** A size for people: `812 bytes`, `1.4 kB`, `20 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}
