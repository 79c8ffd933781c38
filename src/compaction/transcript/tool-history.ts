import type { ToolSchema } from '../messages/message.ts';

/** Tool schemas that requests carried from a point of a session on. */
export interface ToolsFrom {
  /** Number of transcript entries before it. */
  readonly entries: number;
  readonly tools: readonly ToolSchema[];
}

/** The tool lists of a session, oldest first. */
export type ToolHistory = readonly ToolsFrom[];

const noTools: readonly ToolSchema[] = [];

/** One list for a whole session: all that is known of one whose file does not tell when its tools changed. */
export function sameToolsThroughout(tools: readonly ToolSchema[]): ToolHistory {
  return [{ entries: 0, tools }];
}

/**
 * The tools of a request.
 *
 * @param entry number of transcript entries before it
 */
export function toolsAt(history: ToolHistory, entry: number): readonly ToolSchema[] {
  return history.findLast(({ entries }) => entries <= entry)?.tools ?? noTools;
}
