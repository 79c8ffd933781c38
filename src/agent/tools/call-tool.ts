import { callToolName } from '../../compaction/ledger/called-function.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { isRecord } from '../../language/is-record.ts';
import { argumentProblem } from '../mcp/argument-problem.ts';
import { type ActingTool, argumentWords, failed, parseToolInput } from './support/tool.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** Maximum characters of a name that a refusal repeats. */
const longestName = 64;

/** Creates a tool that runs a tool left out of the request, with that tool's question, rules and result. */
export function createCallTool(tools: readonly ActingTool[]): ActingTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    name: callToolName,
    schema: {
      type: 'function',
      function: {
        name: callToolName,
        description:
          'Runs a tool that find_tools returned, with arguments that fit its parameters. The user is asked first, as for every tool of a server.',
        parameters: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'The name, exactly as find_tools returned it.' },
            arguments: { type: 'object', description: 'The arguments of the tool.' },
          },
          required: ['name', 'arguments'],
          additionalProperties: false,
        },
      },
    },
    describe: argumentWords,
    propose({ name, arguments: passed = {} }, signal) {
      if (typeof name !== 'string') return refused(toModel`"name" must be the name of a tool, a string.`);
      const tool = byName.get(name);
      if (tool === undefined) {
        return refused(
          toModel`No MCP server offers a tool ${JSON.stringify(headOf(name, longestName))}; find_tools finds those that are offered.`,
        );
      }
      const input = typeof passed === 'string' ? parseToolInput(passed) : passed;
      if (!isRecord(input))
        return refused(toModel`"arguments" must be an object with the arguments of ${name}.`);
      const problem = argumentProblem(tool.schema.function.parameters, input);
      return problem === undefined ? tool.propose(input, signal) : refused(problem);
    },
  };
}

function refused(reason: ModelText) {
  return Promise.resolve(failed(reason));
}
