import { isPlan, planSource } from '../../compaction/memory.ts';
import { textOf, type Message } from '../../compaction/message.ts';

export { planSource };

export const stepStatuses = ['pending', 'in_progress', 'done'] as const;
export type StepStatus = (typeof stepStatuses)[number];

export interface PlanStep {
  /** One line. */
  readonly text: string;
  readonly status: StepStatus;
}

/** What the agent means to do, in order. Empty where it gave its plan up. */
export type AgentPlan = readonly PlanStep[];

const headline = '[The plan of the agent. The newest one counts. It is no request.]';
const emptyLine = 'It has no steps.';
const marks = { pending: ' ', in_progress: '~', done: 'x' } as const satisfies Record<StepStatus, string>;
const stepLine = /^- \[([ ~x])\] (.*)$/u;

/** A step with its text on one line, as a checklist needs it. */
export function planStep(text: string, status: StepStatus): PlanStep {
  return { text: text.replace(/\s+/gu, ' ').trim(), status };
}

/** The plan as a checklist, which compactions carry over word for word; an earlier one it takes the place of. */
export function planMessage(plan: AgentPlan): Omit<Message, 'id' | 'createdAt'> {
  const lines = plan.map(({ text, status }) => `- [${marks[status]}] ${text}`);
  const content = [headline, ...(lines.length === 0 ? [emptyLine] : lines)].join('\n');
  return { role: 'user', origin: 'harness', kind: 'memory', source: planSource, content };
}

/** The newest plan in messages, exactly as it was set; undefined where there was never one. */
export function planIn(messages: readonly Message[]): AgentPlan | undefined {
  const message = messages.findLast(isPlan);
  return message === undefined ? undefined : textOf(message.content).split('\n').flatMap(stepOf);
}

/** How many steps are done now that were not done before. */
export function finishedSteps(before: AgentPlan, now: AgentPlan): number {
  const doneBefore = new Set(before.filter(isDone).map(({ text }) => text));
  return now.filter((step) => isDone(step) && !doneBefore.has(step.text)).length;
}

function isDone({ status }: PlanStep): boolean {
  return status === 'done';
}

function stepOf(line: string): readonly PlanStep[] {
  const [, mark, text = ''] = stepLine.exec(line) ?? [];
  const status = stepStatuses.find((candidate) => marks[candidate] === mark);
  return status === undefined ? [] : [{ text, status }];
}
