import { isRecord } from '../../language/is-record.ts';
import type { SaidPart } from '../../compaction/messages/typed-parts.ts';
import { saidParts } from './content-parts.ts';
import type { Fields } from './fields.ts';
import { readJsonHead } from './json-head.ts';
import { firstTitle } from './typed-title.ts';

/** The files in which an agent stores its sessions. */
export interface AgentFiles {
  /** Returns the folders of the agent's sessions, even missing folders, with slashes on every platform. */
  places(surroundings: PlaceSurroundings): readonly AgentPlace[];
  /**
   * @param text the first characters of a file, which may end anywhere
   * @returns the data found; empty for a malformed file
   */
  head(text: string): SessionHead;
  /**
   * Reads the last report at the end of a file.
   *
   * @param tail the last characters, which may begin within a line
   * @param beside the last characters of the companion file, if there is one
   * @returns undefined if the end contains no report, or a compaction followed it
   */
  lastUsage(tail: string, beside?: string): LastUsage | undefined;
}

/** A place where an agent stores its sessions. */
export interface AgentPlace {
  /** Absolute path of the folder. Folders above it are not examined. */
  readonly folder: string;
  /** Name patterns of the folders below, one per level, and then of a session's file. */
  readonly levels: readonly RegExp[];
  /** The same patterns for files of sub-agents, which belong to a session of this place. */
  readonly subAgentLevels?: readonly (readonly RegExp[])[];
  /** Part of the file name shared by the files of one session; the largest file contains the session. */
  readonly sharedName?: RegExp;
  /** True if the files are SQLite databases with opencode's tables and many sessions each. */
  readonly isDatabase?: true;
  /** True if the files are our recordings of what an agent sent, in our own format. */
  readonly isOfRecordings?: true;
}

/** Environment on which the places depend. Paths are absolute. */
export interface PlaceSurroundings {
  readonly home: string;
  /** Node's name of the platform, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder in which the running editor stores data of extensions. It may be in a custom place. */
  readonly editorStorage?: string;
}

/** Patterns of names that several agents use. */
export const anyName = /^/;
export const subAgentFile = /^agent-.*\.jsonl$/;
export const chatSessionFile = /\.jsonl?$/;

/** Finds the last usage reported in lines, unless a compaction follows it. */
export function lastUsageIn(
  lines: readonly Fields[],
  usageIn: (line: Fields) => LastUsage | undefined,
  isCompaction: (line: Fields) => boolean,
): LastUsage | undefined {
  let isOvertaken = false;
  for (const line of lines.toReversed()) {
    if (isCompaction(line)) return undefined;
    const usage = usageIn(line);
    if (usage !== undefined && usage.tokens > 0) return { ...usage, ...(isOvertaken && { isOvertaken }) };
    isOvertaken ||= saysMore(line);
  }
  return undefined;
}

/** Types of lines, or of payloads in Codex, that contain a message, an attachment or a result. */
const sayingTypes =
  /^(?:user|assistant|attachment|message|gemini|tool_result|(?:custom_)?(?:message|(?:tool|function)_call(?:_output)?)|(?:user|assistant|system)\.message|tool\.execution_complete)$/;

function saysMore({ type, payload, isSidechain }: Fields): boolean {
  const told = isRecord(payload) ? payload['type'] : type;
  return isSidechain !== true && typeof told === 'string' && sayingTypes.test(told);
}

/** Data from the beginning of a session's file, unchecked. */
export interface SessionHead {
  /** The agent's own title, or the first typed text. */
  readonly title?: string | undefined;
  /** The agent's working folder. */
  readonly workspace?: string | undefined;
  /** SHA-256 of the working folder's path, in hexadecimal digits. */
  readonly workspaceHash?: string | undefined;
  /** The model of the last reply, as the file names it. */
  readonly model?: string | undefined;
  /** Maximum tokens of a request, if the file states it. */
  readonly window?: number | undefined;
  /** Id of the session that started this sub-agent. */
  readonly parentId?: string | undefined;
  /** Id of the session, if sub-agents name it and the file name does not contain it. */
  readonly sessionId?: string | undefined;
  /** First time in the file, in ISO 8601. It is read only if the file has no title. */
  readonly startedAt?: string | undefined;
  /** True if the file contains no messages yet. */
  readonly isEmpty?: true | undefined;
}

/** Size of an agent's context according to the provider's last report. */
export interface LastUsage {
  /** Tokens of the request and its reply. */
  readonly tokens: number;
  /** Maximum tokens of a request, if the file states it. */
  readonly window?: number | undefined;
  /** True if the agent sets its own windows for models, which are unknown unless the file states them. */
  readonly hasOwnWindows?: true;
  /** The model of the reply, as the file names it. */
  readonly model?: string | undefined;
  /** True if messages follow the report. */
  readonly isOvertaken?: true;
}

/** Returns the lines that are JSON objects. The last line may be incomplete. */
export function objectLines(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** Returns the object lines at the beginning of a file. An incomplete last line is read as far as possible. */
export function headLinesOf(text: string): readonly Fields[] {
  const lines = objectLines(text);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const broken = last.startsWith('{') && objectLines(last).length === 0 ? readJsonHead(last) : undefined;
  return isRecord(broken) ? [...lines, broken] : lines;
}

/** Returns the value if it is text with more than white space. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns the first value that is text with more than white space. */
export function firstText(values: readonly unknown[]): string | undefined {
  return values.map(filledText).find((text) => text !== undefined);
}

/** Returns the typed text of the first content that has any, without text that programs added. */
export function firstTyped(contents: readonly unknown[]): string | undefined {
  return firstTypedPart(contents.map(saidParts));
}

/** Returns the first typed text of contents whose untyped parts are marked. */
export function firstTypedPart(said: readonly (readonly SaidPart[])[]): string | undefined {
  return firstTitle(said, { isKnown: true });
}

/** Returns the last value that is text with more than white space. */
export function lastText(values: readonly unknown[]): string | undefined {
  return firstText(values.toReversed());
}
