import type { ActingTool } from '../../../src/agent/tools/support/tool.ts';
import { said } from '../../support/sentences.ts';

/**
 * A tool of an MCP server that does nothing.
 *
 * @param done gets the arguments of every call that was allowed
 */
export function serverTool(
  name: string,
  description: string,
  { server = 'notes', parameters = {}, done = [] as unknown[] } = {},
): ActingTool {
  return {
    name: `mcp_${server}_${name}`,
    server,
    schema: {
      type: 'function',
      function: { name: `mcp_${server}_${name}`, description, parameters },
    },
    describe: () => '',
    propose: (input) =>
      Promise.resolve({
        approval: {
          kind: 'mcp',
          title: said(`Call ${name}`),
          details: JSON.stringify(input),
          patterns: [`${server}/${name}`],
          rule: { kind: 'mcp', pattern: `${server}/${name}` },
        },
        perform: () => {
          done.push(input);
          return Promise.resolve({ content: `${name} is done.`, isError: false });
        },
      }),
  };
}
