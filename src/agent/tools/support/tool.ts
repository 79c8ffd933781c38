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
  /** Text for the model, whole. On an error it says plainly what went wrong. */
  readonly content: string;
  readonly isError: boolean;
  /** Set if the tool itself left something out of a longer result. */
  readonly isTruncated?: boolean;
  /** One line about the whole result, for example an exit code: it stays when the rest is shortened. */
  readonly summary?: Sentence;
  /** Absent if it completed. */
  readonly end?: ToldEnd;
  /** Changes made to files, for people. */
  readonly changes?: readonly FileChange[];
}

/** The part common to all tools. Tools never throw for bad input: the model reads the result and tries again. */
interface ToolDescription {
  readonly name: string;
  /** The MCP server that offers it; absent for tools of our own. */
  readonly server?: string;
  readonly schema: ToolSchema;
  /** The call in a few words for a person, for example `src/lock.ts 40–120`. Gets arguments as the model wrote them. */
  describe(input: Readonly<Record<string, unknown>>): Phrase;
}

/** A tool that only looks things up. */
export interface Tool extends ToolDescription {
  /** Finds out whether a person has to be asked before it looks; undefined if no person has to be asked. */
  approvalOf?(
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ApprovalRequest | undefined>;
  /**
   * @param isGranted whether a person allowed what `approvalOf` asks for; without that no secret is read
   * @throws {CancelledError} if the signal was aborted
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
   * @returns the result itself if nothing is left to do or it cannot be done
   * @throws {CancelledError} if the signal was aborted
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
  /** Of a command: how far it may get, if that is not as far as was asked for. */
  readonly reach?: CommandReach | undefined;
  /**
   * Asks the user about something that only the action has shown.
   *
   * @throws {CancelledError} if the action was stopped before there was an answer
   */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalDecision>;
  /** Shows people what a long action has output since the last time. */
  readonly progress: (text: string) => void;
}

export function ok(content: string, isTruncated = false): ToolResult {
  return isTruncated ? { content, isError: false, isTruncated } : { content, isError: false };
}

/**
 * A result that says why nothing was done.
 *
 * @param reason a sentence that the person reads, too; or text for the model alone, if its arguments are at fault
 * @param advice follows the sentence
 */
export function failed(reason: ModelText | Sentence, advice?: ModelText): ToolResult {
  return typeof reason === 'string'
    ? { content: reason, isError: true }
    : { content: `${reason.english}${advice ?? ''}`, isError: true, summary: reason };
}

/** Characters of a reason that others worded: enough for a row and a record. */
const longestReason = 2_000;

/** The reason of anything that was thrown, at a length that can be shown. */
export function reasonFrom(error: unknown): Phrase {
  const phrase = phraseOf(error);
  return typeof phrase === 'string' ? headOf(phrase, longestReason) : phrase;
}

/** The arguments of a call as an object; no text counts as no arguments. */
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

/** A size for people: `812 bytes`, `1.4 kB`, `20 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}

/** Longest label of a call that a person is shown, in characters. */
export const longestLabel = 120;

/** A label in one line of limited length. */
export function labelOf(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return ellipsised(line, longestLabel);
}

/** A label whose values take little room, too, whatever a model put into the arguments of its call. */
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

/** The arguments of a call to a tool we do not know that say most: strings and numbers, in order. */
export function argumentWords(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return labelOf(words.join(' · '));
}
