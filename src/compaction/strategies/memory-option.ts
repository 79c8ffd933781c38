import type { Message } from '../message.ts';
import type { StrategyInput } from './strategy.ts';

/** The option of every strategy that has a model summarise. */
export const memoryOption = {
  preserveMemory: {
    type: 'boolean',
    default: true,
    description:
      'Memory (guidance files, the plan) stays word for word. Off: what a summary takes the place of may be memory, too.',
  },
} as const;

type Input = Pick<
  StrategyInput<{ readonly preserveMemory: boolean }>,
  'protectedIds' | 'memoryIds' | 'options'
>;

/** What has to stay where messages are summarised: memory only as long as the option says so. */
export function stayingBesideSummary({ protectedIds, memoryIds, options }: Input): ReadonlySet<string> {
  return options.preserveMemory
    ? protectedIds
    : new Set([...protectedIds].filter((id) => !memoryIds.has(id)));
}

/** The part of a task for a summary that says which memory the model reads. What is out of date it never does. */
export function memoryRead({ memoryIds, options }: Input): { readonly takesMemory?: ReadonlySet<string> } {
  return options.preserveMemory ? {} : { takesMemory: memoryIds };
}

/** Whether a message is memory that the option lets go. */
export function isLooseMemory({ id }: Message, { memoryIds, options }: Input): boolean {
  return !options.preserveMemory && memoryIds.has(id);
}
