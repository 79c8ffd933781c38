import type { ActingTool, ProposedAction, ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { noQuestion } from '../../support/no-question.ts';

const { signal } = new AbortController();

/** Proposes a tool's action. @throws with the tool's own message if it proposes nothing */
export async function proposalOf(
  tool: ActingTool,
  input: Readonly<Record<string, unknown>>,
): Promise<ProposedAction> {
  const proposed = await tool.propose(input, signal);
  if (!('perform' in proposed)) throw new Error(proposed.content);
  return proposed;
}

/** Performs the action that a tool proposes, as if the user had allowed it. */
export async function act(tool: ActingTool, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const proposed = await tool.propose(input, signal);
  return 'perform' in proposed ? allow(proposed) : proposed;
}

export function allow(proposed: ProposedAction): Promise<ToolResult> {
  return proposed.perform({ signal, callKey: 'm1:0', ask: noQuestion, progress: () => {} });
}
