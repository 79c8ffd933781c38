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
  toolResult: 'toolOutput',
} as const satisfies Readonly<Record<Kind, AllocationGroup>>;

/** A group that takes more than it is meant to. Sizes in tokens. */
export interface OverAllocation {
  readonly group: AllocationGroup;
  readonly tokens: number;
  readonly allotment: number;
}

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

/**
 * The groups that take more than their share of a window.
 *
 * @param usageByKind tokens of each kind
 * @param window in tokens
 */
export function overAllocation(
  usageByKind: Readonly<Record<Kind, number>>,
  window: number,
  allocation: Allocation = defaultAllocation,
): readonly OverAllocation[] {
  const kindsOfUsage = Object.keys(groups) as Kind[];
  const sizes = new Map<AllocationGroup, { tokens: number; allotment: number }>();
  for (const kind of kindsOfUsage) {
    const group = groupOf(kind);
    const allotment = Math.floor((window * shareOf(kind, allocation)) / 100);
    const tokens = (sizes.get(group)?.tokens ?? 0) + usageByKind[kind];
    sizes.set(group, { tokens, allotment });
  }
  return [...sizes]
    .filter(([, { tokens, allotment }]) => tokens > allotment)
    .map(([group, size]) => ({ group, ...size }));
}
