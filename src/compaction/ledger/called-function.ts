import { isRecord } from '../../language/is-record.ts';
import { parseShallow } from '../text/parse-json.ts';
import type { ToolCall } from '../messages/message.ts';

/** Tool that calls another tool by name, so that requests need not contain the schema of the other tool. */
export const callToolName = 'call_tool';

/** Tool that finds tools by description, so that they can be called by name. */
export const findToolsName = 'find_tools';

/** Names of tools that can be called by name. */
const calledByName = /^mcp_[A-Za-z0-9_-]{1,60}$/;

/**
 * Returns the function that a call runs. For `call_tool`, this is the named tool with the arguments for it.
 * The transcript keeps the call as written.
 */
export function calledFunction(called: ToolCall['function']): ToolCall['function'] {
  if (called.name !== callToolName) return called;
  const input = parseShallow(called.arguments)?.value;
  if (!isRecord(input)) return called;
  const { name, arguments: passed = {} } = input;
  if (typeof name !== 'string' || !calledByName.test(name)) return called;
  return { name, arguments: typeof passed === 'string' ? passed : JSON.stringify(passed) };
}
