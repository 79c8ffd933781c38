import type { WireTool } from './wire.ts';

/** Returns the MCP server that clients put into the name of its tools, as in `mcp__server__tool`. */
export function serverOf(name: string): string | undefined {
  return /^mcp__(?<server>.+?)__/u.exec(name)?.groups?.['server'];
}

/**
 * Returns a tool in the form of chat completions.
 *
 * @param group name of the group that contains the tool, which is its server
 */
export function wireTool(
  {
    name,
    description,
    parameters,
  }: { readonly name: string; readonly description?: unknown; readonly parameters?: unknown },
  group?: string,
): WireTool {
  const server = group ?? serverOf(name);
  return {
    schema: {
      type: 'function',
      function: {
        name,
        ...(typeof description === 'string' && { description }),
        ...(typeof parameters === 'object' &&
          parameters !== null && { parameters: parameters as Readonly<Record<string, unknown>> }),
      },
    },
    ...(server !== undefined && { server }),
  };
}
