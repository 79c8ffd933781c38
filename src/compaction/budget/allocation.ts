import type { Kind } from '../message.ts';

/** What a window is shared out among. */
export type AllocationGroup = 'system' | 'tools' | 'conversation' | 'toolOutput' | 'documents';

/** How much each group is meant to take, in percent. */
export type Allocation = Readonly<Record<AllocationGroup, number>>;

/** As guides to context engineering share a window out. */
export const defaultAllocation = {
  system: 10,
  tools: 15,
  conversation: 30,
  toolOutput: 35,
  documents: 10,
} as const satisfies Allocation;

const groups = {
  system: 'system',
  memory: 'system',
  tools: 'tools',
  user: 'conversation',
  assistant: 'conversation',
  reasoning: 'conversation',
  toolCall: 'conversation',
  summary: 'conversation',
  reminder: 'conversation',
  skill: 'documents',
  skillMetadata: 'documents',
  toolResult: 'toolOutput',
} as const satisfies Readonly<Record<Kind, AllocationGroup>>;

/** The group that a kind of tokens counts to. Documents come as tool results, so no kind tells them apart. */
export function groupOf(kind: Kind): AllocationGroup {
  return groups[kind];
}

/**
 * Percent of the window that the group of a kind is meant to take. Tool output has the share of documents too,
 * because both are one kind.
 */
export function shareOf(kind: Kind, allocation: Allocation = defaultAllocation): number {
  const group = groupOf(kind);
  return group === 'toolOutput' ? allocation.toolOutput + allocation.documents : allocation[group];
}
