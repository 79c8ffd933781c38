import { planStep, stepStatuses, type AgentPlan } from '../memory/agent-plan.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, ok, type Tool } from './support/tool.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';
import { agentSentences } from '../../language/english/agent-english.ts';

/** Port that stores the plan of a session. Returns the number of steps finished since the previous plan. */
export type SetPlan = (plan: AgentPlan) => { readonly finishedSteps: number };

const mostSteps = 30;
const longestStep = 300;

export function createUpdatePlan(setPlan: SetPlan): Tool {
  return defineTool({
    name: 'update_plan',
    description: `Writes down what you are going to do, and what of it is done. Use it for work of several steps: once before you begin, and again whenever a step is begun or finished or the plan changes. Always give all the steps, at most ${mostSteps}, in order; no more than one is in_progress. The plan stays in front of you when the conversation is compacted.`,
    properties: {
      steps: {
        type: 'array',
        description: 'All the steps. An empty list gives the plan up.',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'What is to be done, in one line.' },
            status: { type: 'string', enum: stepStatuses },
          },
          required: ['text', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['steps'],
    describe({ steps = [] }) {
      const done = steps.filter(({ status }) => status === 'done').length;
      const current = steps.find(({ status }) => status === 'in_progress')?.text ?? '';
      const progress = agentSentences.say('labelPlan', { done, total: steps.length });
      return current === '' ? progress : agentSentences.say('labelPlanAt', { progress, step: current });
    },
    run({ steps }) {
      const plan = steps.map(({ text, status }) => planStep(text, status));
      const problem = problemWith(plan);
      if (problem !== undefined) return failed(problem);
      const { finishedSteps } = setPlan(plan);
      const left = plan.filter(({ status }) => status !== 'done').length;
      if (plan.length === 0) return ok('There is no plan any more.');
      const finished = finishedSteps === 0 ? '' : toModel` Finished now: ${finishedSteps}.`;
      return ok(`The plan is written down.${finished} Left: ${left} of ${plan.length}.`);
    },
  });
}

function problemWith(plan: AgentPlan): ModelText | undefined {
  if (plan.length > mostSteps) {
    return toModel`A plan has at most ${mostSteps} steps, not ${plan.length}. Put small ones together.`;
  }
  const empty = plan.findIndex(({ text }) => text === '');
  if (empty >= 0) return toModel`Step ${empty + 1} has no text.`;
  const long = plan.findIndex(({ text }) => text.length > longestStep);
  if (long >= 0) return toModel`Step ${long + 1} is longer than ${longestStep} characters.`;
  const current = plan.filter(({ status }) => status === 'in_progress').length;
  if (current > 1) return toModel`Only one step can be in_progress, not ${current}.`;
  const repeated = plan.findIndex(({ text }, index) => plan.findIndex((step) => step.text === text) < index);
  return repeated < 0 ? undefined : toModel`Step ${repeated + 1} is the same as an earlier one.`;
}
