import type { ToolSchema } from '../../../compaction/messages/message.ts';
import type { ReportedEnd } from '../../../compaction/messages/ledger.ts';
import { phraseOf } from '../../../compaction/records/reason.ts';
import type { Phrase } from '../../../compaction/records/record.ts';
import { ellipsised, headOf } from '../../../compaction/text/clip.ts';
import { parseShallow } from '../../../compaction/text/parse-json.ts';
import type { ApprovalDecision, ApprovalRequest, CommandReach } from '../../approvals/approval-request.ts';
import type { FileChange } from '../../edits/file-editor.ts';
import { type Unusable, UnusablePathError } from '../../files/real-file.ts';
import { agentSentences } from '../../../language/english/agent-english.ts';
import { type ModelText, type Sentence, type SentenceValue, toModel } from '../../../language/sentence.ts';
import { startupSentences } from '../../../language/english/startup-english.ts';
import { isRecord } from '../../../language/is-record.ts';

/** The result of a call. */
export interface ToolResult {
  /** The whole text for the model. For an error, it explains the cause. */
  readonly content: string;
  readonly isError: boolean;
  /** True if the tool itself left out a part of a longer result. */
  readonly isTruncated?: boolean;
  /** Sentence about the whole result, such as the exit code. It is kept when the result is shortened. */
  readonly summary?: Sentence;
  /** Undefined for a completed call. */
  readonly end?: ReportedEnd;
  readonly changes?: readonly FileChange[];
}

/** The properties of all tools. For bad input, a tool returns a result for the model and never throws. */
interface ToolDescription {
  readonly name: string;
  /** The MCP server that offers the tool; undefined for built-in tools. */
  readonly server?: string;
  readonly schema: ToolSchema;
  /** Describes a call to the user, for example `src/lock.ts 40–120`. Gets the model's arguments. */
  describe(input: Readonly<Record<string, unknown>>): Phrase;
}

/** A tool that only looks things up. */
export interface Tool extends ToolDescription {
  /** Returns the question to the user before the look-up; undefined if no approval is needed. */
  approvalOf?(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ApprovalRequest | undefined>;
  /** @param isGranted true if the user allowed `approvalOf`; otherwise no secret is read @throws {CancelledError} */
  run(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    isGranted?: boolean,
  ): Promise<ToolResult>;
}

/** A tool that performs an action after the user's approval. */
export interface ActingTool extends ToolDescription {
  /**
   * Determines the action without performing it.
   * @returns a result if there is nothing to do
   * @throws {CancelledError}
   */
  propose(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolResult | ProposedAction>;
}

export type AgentTool = Tool | ActingTool;

/** An action that waits for approval. */
export interface ProposedAction {
  readonly approval: ApprovalRequest;
  /** Performs the action if its preconditions still hold. @param context its signal can stop this call alone */
  perform(context: ActionContext): Promise<ToolResult>;
}

export interface ActionContext {
  readonly signal: AbortSignal;
  /** Key of the call's row: id of the assistant message, colon, and position of the call. */
  readonly callKey: string;
  /** The reach that a command may have, if it differs from the requested reach. */
  readonly reach?: CommandReach | undefined;
  /** Asks a question that arose only during the action. @throws {CancelledError} if the action is stopped first */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalDecision>;
  readonly progress: (text: string) => void;
}

export function ok(content: string, isTruncated = false): ToolResult {
  return isTruncated ? { content, isError: false, isTruncated } : { content, isError: false };
}

/**
 * Returns a result that explains to the model why nothing was done.
 * @param reason for the user and the model, or for the model alone
 * @param advice for the model, after the reason
 */
export function failed(reason: ModelText | Sentence, advice?: ModelText): ToolResult {
  return typeof reason === 'string'
    ? { content: reason, isError: true }
    : { content: `${reason.english}${advice ?? ''}`, isError: true, summary: reason };
}

/** Maximum characters of another program's error message, enough for a row and a record. */
const longestReason = 2_000;

/** Returns the message of any thrown value, shortened for display. */
export function reasonFrom(error: unknown): Phrase {
  const phrase = phraseOf(error);
  return typeof phrase === 'string' ? headOf(phrase, longestReason) : phrase;
}

/** Parses the arguments of a call into an object. Empty text means no arguments. */
export function parseToolInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {};
  const value = parseShallow(json)?.value;
  return isRecord(value) ? value : undefined;
}

/** Explains to the model why a file could not be read. @throws errors that do not come from the file system */
export function fileProblem(error: unknown, file: string): ToolResult {
  if (error instanceof UnusablePathError) {
    const { key, advice } = unusable[error.reason];
    return failed(agentSentences.say(key, { file }), advice);
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failed(
        agentSentences.say('fileMissing', { file }),
        toModel` find_files and list_directory show what does.`,
      );
    case 'EACCES':
    case 'EPERM':
      return failed(agentSentences.say('fileReadDenied', { file }));
    case 'ELOOP':
      return failed(agentSentences.say('fileLinkLoop', { file }));
    case 'ENAMETOOLONG':
      return failed(startupSentences.say('pathIsTooLong'));
    default:
      if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) {
        return failed(agentSentences.say('fileReadFailed', { file, code }));
      }
      throw error;
  }
}

const unusable = {
  directory: { key: 'fileIsDirectory', advice: toModel` list_directory shows what is in it.` },
  'not-a-directory': { key: 'fileNotDirectory', advice: toModel` read_file reads it.` },
  special: { key: 'fileNotRegular', advice: toModel`` },
  moved: { key: 'fileMoved', advice: toModel` It was not used. Try again.` },
} as const satisfies Record<Unusable, object>;

/** Describes a size to the user: `812 bytes`, `1.4 kB`, `20 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}

/** Maximum characters of a call's label for the user. */
export const longestLabel = 120;

/** Returns a label on one line of limited length. */
export function labelOf(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return ellipsised(line, longestLabel);
}

/** Returns a label with shortened values. */
export function shortened(phrase: Phrase): Phrase {
  if (typeof phrase === 'string') return labelOf(phrase);
  const values = Object.entries(phrase.values).map(([name, value]): [string, SentenceValue] => [
    name,
    typeof value === 'number' || isList(value) ? value : shortened(value),
  ]);
  return { ...phrase, values: Object.fromEntries(values), english: labelOf(phrase.english) };
}

const isList = (value: string | Sentence | readonly Sentence[]): value is readonly Sentence[] =>
  Array.isArray(value);

/** Describes a call of a foreign tool by its strings and numbers, in order. */
export function argumentWords(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return labelOf(words.join(' · '));
}
