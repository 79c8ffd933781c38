import type { ToolSchema } from '../../../compaction/messages/message.ts';
import type { ToldEnd } from '../../../compaction/messages/ledger.ts';
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
  /** Whole text for the model. For an error, it explains the cause. */
  readonly content: string;
  readonly isError: boolean;
  /** True if the tool itself omitted a part of a longer result. */
  readonly isTruncated?: boolean;
  /** Line about the whole result, such as an exit code, which is kept when the rest is shortened. */
  readonly summary?: Sentence;
  /** Undefined if it completed. */
  readonly end?: ToldEnd;
  readonly changes?: readonly FileChange[];
}

/** The common part of all tools, which never throw for bad input, because the model reads the result. */
interface ToolDescription {
  readonly name: string;
  /** The MCP server that offers it; undefined for built-in tools. */
  readonly server?: string;
  readonly schema: ToolSchema;
  /** A short description of the call for the user, for example `src/lock.ts 40–120`. Gets the model's arguments. */
  describe(input: Readonly<Record<string, unknown>>): Phrase;
}

/** A tool that only looks things up. */
export interface Tool extends ToolDescription {
  /** The question to the user before the look-up; undefined if no approval is needed. */
  approvalOf?(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ApprovalRequest | undefined>;
  /** @param isGranted whether the user allowed `approvalOf`; otherwise no secret is read @throws {CancelledError} */
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
   * @returns a result if nothing is left to do
   * @throws {CancelledError}
   */
  propose(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolResult | ProposedAction>;
}

export type AgentTool = Tool | ActingTool;

/** A proposed action. */
export interface ProposedAction {
  readonly approval: ApprovalRequest;
  /** Performs the action if nothing it depends on has changed. @param context whose signal also ends this call alone */
  perform(context: ActionContext): Promise<ToolResult>;
}

export interface ActionContext {
  readonly signal: AbortSignal;
  /** The row of the call: id of the assistant message, a colon, and the position of the call. */
  readonly callKey: string;
  /** The reach that was allowed to a command, if it differs from the requested one. */
  readonly reach?: CommandReach | undefined;
  /** Asks about something that only became known during the action. @throws {CancelledError} if it was stopped first */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalDecision>;
  readonly progress: (text: string) => void;
}

export function ok(content: string, isTruncated = false): ToolResult {
  return isTruncated ? { content, isError: false, isTruncated } : { content, isError: false };
}

/**
 * A result that explains why nothing was done.
 * @param reason for the user, or for the model alone
 * @param advice follows
 */
export function failed(reason: ModelText | Sentence, advice?: ModelText): ToolResult {
  return typeof reason === 'string'
    ? { content: reason, isError: true }
    : { content: `${reason.english}${advice ?? ''}`, isError: true, summary: reason };
}

/** Maximum characters of a foreign error message: enough for a row and a record. */
const longestReason = 2_000;

/** The reason for any thrown value, shortened for display. */
export function reasonFrom(error: unknown): Phrase {
  const phrase = phraseOf(error);
  return typeof phrase === 'string' ? headOf(phrase, longestReason) : phrase;
}

/** Parses the arguments of a call into an object; empty text means no arguments. */
export function parseToolInput(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === '') return {};
  const value = parseShallow(json)?.value;
  return isRecord(value) ? value : undefined;
}

/** Explains to the model why a file could not be read. @throws errors that are not from the file system */
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

/** A size for the user: `812 bytes`, `1.4 kB`, `20 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}

/** Maximum characters of a call's label for the user. */
export const longestLabel = 120;

/** A label in one line of limited length. */
export function labelOf(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return ellipsised(line, longestLabel);
}

/** A label with short values, even if the arguments are long. */
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

/** The most descriptive arguments of a call to a foreign tool: strings and numbers, in order. */
export function argumentWords(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return labelOf(words.join(' · '));
}
