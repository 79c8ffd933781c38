import { isPlan, planSource } from '../../compaction/messages/protection.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { toModel } from '../../language/sentence.ts';

export { planSource };

export const stepStatuses = ['pending', 'in_progress', 'done'] as const;
type StepStatus = (typeof stepStatuses)[number];

interface PlanStep {
  readonly text: string;
  readonly status: StepStatus;
}

/** The steps of the agent's plan, in order. Empty if the agent abandoned the plan. */
export type AgentPlan = readonly PlanStep[];

const headline = '[The plan of the agent. The newest one counts. It is no request.]';
const emptyLine = toModel`It has no steps.`;
const marks = { pending: ' ', in_progress: '~', done: 'x' } as const satisfies Record<StepStatus, string>;
const stepLine = /^- \[([ ~x])\] (.*)$/u;

/** Creates a step with its text on one line, as a checklist needs it. */
export function planStep(text: string, status: StepStatus): PlanStep {
  return { text: text.replace(/\s+/gu, ' ').trim(), status };
}

/** Writes the plan as a checklist, which compactions copy word for word. It replaces an earlier plan. */
export function planMessage(plan: AgentPlan): Omit<Message, 'id' | 'createdAt'> {
  const lines = plan.map(({ text, status }) => `- [${marks[status]}] ${text}`);
  const content = [headline, ...(lines.length === 0 ? [emptyLine] : lines)].join('\n');
  return { role: 'user', origin: 'harness', kind: 'memory', source: planSource, content };
}

/** Finds the newest plan in the messages. */
export function newestPlan(messages: readonly Message[]): AgentPlan | undefined {
  const message = messages.findLast(isPlan);
  return message === undefined ? undefined : textOf(message.content).split('\n').flatMap(stepOf);
}

/** Counts the steps that are done now but were not done before. */
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

/** Keeps a new plan until it can be appended to the transcript, after the results of the batch. */
export class PlanKeeper {
  private readonly journal: { readonly transcript: Transcript };
  private pending: AgentPlan | undefined;
  private finished = 0;

  constructor(journal: { readonly transcript: Transcript }) {
    this.journal = journal;
  }

  /** @returns the number of steps finished since the previous plan */
  set(plan: AgentPlan): { readonly finishedSteps: number } {
    const before = this.pending ?? newestPlan(this.journal.transcript.view) ?? [];
    const finished = finishedSteps(before, plan);
    this.pending = plan;
    this.finished += finished;
    return { finishedSteps: finished };
  }

  /** Appends the last plan, unless the transcript has it. @returns true in `hasFinishedStep` if a step was finished */
  async say(
    append: (message: Omit<Message, 'id' | 'createdAt'>) => Promise<void>,
  ): Promise<{ readonly hasFinishedStep: boolean }> {
    const { pending, finished } = this;
    this.pending = undefined;
    this.finished = 0;
    if (pending === undefined) return { hasFinishedStep: false };
    const isSaid = JSON.stringify(newestPlan(this.journal.transcript.view)) === JSON.stringify(pending);
    if (!isSaid) await append(planMessage(pending));
    return { hasFinishedStep: finished > 0 };
  }
}
