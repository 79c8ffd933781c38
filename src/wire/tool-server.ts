import type { ToolSchema } from '../compaction/messages/message.ts';
import type { WireTool } from './wire.ts';

/** Returns the MCP server that clients put into the name of its tools, as in `mcp__server__tool`. */
function serverOf(name: string): string | undefined {
  return /^mcp__(?<server>.+?)__/u.exec(name)?.groups?.['server'];
}

/** Returns the server of a tool group. Codex names the group of an MCP server `mcp__server`. */
function serverOfGroup(group: string): string {
  return group.replace(/^mcp__(?=.)/u, '').replace(/(?<=.)__$/u, '');
}

/** A tool as a request declares it. */
interface Declaration {
  readonly name: string;
  readonly description?: unknown;
  readonly parameters?: unknown;
  readonly form?: ToolSchema['form'];
  readonly isDeferred?: boolean;
}

/**
 * Returns a tool in the form of chat completions.
 *
 * @param group name of the group that contains the tool
 */
export function wireTool(
  { name, description, parameters, form, isDeferred }: Declaration,
  group?: string,
): WireTool {
  const server = group === undefined ? serverOf(name) : serverOfGroup(group);
  return {
    schema: {
      type: 'function',
      ...(form !== undefined && { form }),
      function: {
        name,
        ...(typeof description === 'string' && { description }),
        ...(typeof parameters === 'object' &&
          parameters !== null && { parameters: parameters as Readonly<Record<string, unknown>> }),
      },
    },
    ...(server !== undefined && { server }),
    ...(isDeferred === true && { isDeferred }),
  };
}
