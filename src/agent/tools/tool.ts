import type { ToolSchema } from '../../compaction/message.ts';

/** What a tool gives back to the model. */
export interface ToolResult {
  /** Text for the model. Says plainly what went wrong where something did. */
  readonly content: string;
  readonly isError: boolean;
  /** Set where the tool itself left something out of a longer result. */
  readonly isTruncated?: boolean;
}

/** Something the agent can do. Tools never throw for bad input: the model reads the result and tries again. */
export interface Tool {
  readonly name: string;
  readonly schema: ToolSchema;
  /** The call in a few words for a person, for example `src/lock.ts 40–120`. Gets arguments as the model wrote them. */
  describe(input: Readonly<Record<string, unknown>>): string;
  /** @throws {DOMException} `AbortError` where the signal was aborted */
  run(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolResult>;
}

export function ok(content: string, isTruncated = false): ToolResult {
  return isTruncated ? { content, isError: false, isTruncated } : { content, isError: false };
}

export function failed(content: string): ToolResult {
  return { content, isError: true };
}
