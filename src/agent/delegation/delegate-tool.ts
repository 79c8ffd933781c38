import { mostSubAgents, problemWithSubAgents, type SubAgent } from './sub-agents.ts';
import { defineActingTool } from '../tools/support/define-tool.ts';
import { failed, type ActingTool, type ActionContext, type ToolResult } from '../tools/support/tool.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** Runs sub-agents that have been validated, and waits for all of them. */
export type RunDelegation = (subAgents: readonly SubAgent[], context: ActionContext) => Promise<ToolResult>;

/** @param toolNames tools that a sub-agent may have */
export function createDelegate(toolNames: readonly string[], run: RunDelegation): ActingTool {
  return defineActingTool({
    name: 'delegate',
    description: `Starts up to ${mostSubAgents} sub-agents, each with a conversation of its own, and returns their reports when all have ended. Use it for work that falls into large parts, each of which would fill this conversation: a survey of several folders, changes that do not touch the same files. For a look-up or two it costs more than it saves. A sub-agent knows nothing of this conversation: its task has to say everything. They run side by side, except that one begins after those it depends on, and is given their reports.`,
    properties: {
      // Earlier sessions contain calls with this name.
      shards: {
        type: 'array',
        description: 'The sub-agents.',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'Short and unique, such as "api-routes".' },
            task: {
              type: 'string',
              description: 'What to do, where to look, what to report: all that it needs to know.',
            },
            focus: {
              type: 'string',
              description: 'What its notes should pay particular attention to when it is compacted.',
            },
            tools: {
              type: 'array',
              description: 'The only tools it gets. All of yours that it can have, where left out.',
              items: { type: 'string' },
            },
            depends_on: {
              type: 'array',
              description: 'Names of those that have to be done before it begins.',
              items: { type: 'string' },
            },
          },
          required: ['name', 'task'],
          additionalProperties: false,
        },
      },
    },
    required: ['shards'],
    describe: ({ shards = [] }) => shards.map(({ name }) => name).join(', '),
    propose(values) {
      const subAgents = values.shards.map(({ depends_on: dependsOn = [], ...subAgent }): SubAgent => ({
        ...subAgent,
        dependsOn: [...new Set(dependsOn)],
      }));
      const problem = problemWithSubAgents(subAgents, toolNames);
      if (problem !== undefined) return failed(problem);
      return {
        approval: {
          kind: 'delegate',
          title:
            subAgents.length === 1
              ? agentSentences.say('approvalStartSubAgent')
              : agentSentences.say('approvalStartSubAgents', { count: subAgents.length }),
          details: subAgents.map(inWords),
          patterns: ['delegate'],
          rule: { kind: 'delegate', pattern: 'delegate' },
        },
        perform: (context) => run(subAgents, context),
      };
    },
  });
}

function inWords({ name, task, tools, dependsOn }: SubAgent): Sentence {
  const line = agentSentences.say('subAgentLine', { name, task: task.replace(/\s+/g, ' ').trim() });
  const withTools = tools === undefined ? line : toolsAdded(line, tools);
  if (dependsOn.length === 0) return withTools;
  return agentSentences.say('subAgentLineAfter', { line: withTools, names: dependsOn.join(', ') });
}

function toolsAdded(line: Sentence, tools: readonly string[]): Sentence {
  return tools.length === 0
    ? agentSentences.say('subAgentLineNoTools', { line })
    : agentSentences.say('subAgentLineTools', { line, tools: tools.join(', ') });
}
