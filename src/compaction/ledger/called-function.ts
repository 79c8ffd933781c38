import { isRecord } from '../../language/is-record.ts';
import { parseShallow } from '../text/parse-json.ts';
import type { ToolCall } from '../messages/message.ts';

/** Tool that runs another one by name, so that the schema of that one need not be in the request. */
export const callToolName = 'call_tool';

/** Tool that finds tools by description, so that they can be called by name. */
export const findToolsName = 'find_tools';

/** Names of tools that can be called by name. */
const calledByName = /^mcp_[A-Za-z0-9_-]{1,60}$/;

/**
 * Finds the function that a call runs: for `call_tool`, the tool that it names with the arguments it passes on;
 * otherwise the function itself. The transcript keeps the call as written.
 */
export function calledFunction(called: ToolCall['function']): ToolCall['function'] {
  if (called.name !== callToolName) return called;
  const input = parseShallow(called.arguments)?.value;
  if (!isRecord(input)) return called;
  const { name, arguments: passed = {} } = input;
  if (typeof name !== 'string' || !calledByName.test(name)) return called;
  return { name, arguments: typeof passed === 'string' ? passed : JSON.stringify(passed) };
}
