import type { Message } from './message.ts';

/** Source of the agent's plan. */
export const planSource = 'plan';

/** Whether a message holds a plan of the agent: the newest one stays through every compaction, word for word. */
export function isPlan({ kind, source }: Message): boolean {
  return kind === 'memory' && source === planSource;
}

/** Ids of the memory that a later message of the same source took the place of: nobody needs it any more. */
export function supersededIds(view: readonly Message[]): ReadonlySet<string> {
  const known = new Set<string>();
  const superseded = new Set<string>();
  for (const { id, kind, source } of view.toReversed()) {
    if (kind !== 'memory' || source === undefined) continue;
    if (known.has(source)) superseded.add(id);
    known.add(source);
  }
  return superseded;
}
