import { defaultAllocation, type AllocationGroup } from '../budget/allocation.ts';
import { callsByResult } from '../exchange.ts';
import { factsOfCall } from '../ledger/call-facts.ts';
import { isSystem, type Message } from '../message.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import type { OptionSchema } from './options.ts';

/** Shares of the size to come down to, as the context engineering guide has them, in percent. */
export const allocationOptions = {
  system: share('System messages and memory', defaultAllocation.system),
  tools: share('Tool schemas', defaultAllocation.tools),
  conversation: share('What was said, and calls with their arguments', defaultAllocation.conversation),
  toolOutput: share('Tool results', defaultAllocation.toolOutput),
  documents: share('Files that were read', defaultAllocation.documents),
} as const satisfies OptionSchema & Readonly<Record<AllocationGroup, unknown>>;

/** Ids of the results that are documents: what a call that only reads files brought. */
export function documentsOf(view: readonly Message[]): ReadonlySet<string> {
  const documents = new Set<string>();
  for (const [id, call] of callsByResult(view)) {
    const { filesRead, filesModified, commands, identifiers } = factsOfCall(call);
    const doesMore = filesModified.length + commands.length + identifiers.length > 0;
    if (filesRead.length > 0 && !doesMore) documents.add(id);
  }
  return documents;
}

/** Tokens that each part takes. */
export async function sizesByPart(
  view: readonly Message[],
  toolTokens: number,
  documents: ReadonlySet<string>,
  meter: UsageMeter,
): Promise<Readonly<Record<AllocationGroup, number>>> {
  const usages = await meter.measureEach(view);
  const sizes = { system: 0, tools: toolTokens, conversation: 0, toolOutput: 0, documents: 0 };
  view.forEach((message, index) => {
    sizes[partOf(message, documents)] += usages[index]?.total ?? 0;
  });
  return sizes;
}

function partOf(message: Message, documents: ReadonlySet<string>): AllocationGroup {
  if (message.role === 'tool') return documents.has(message.id) ? 'documents' : 'toolOutput';
  return isSystem(message) || message.kind === 'memory' ? 'system' : 'conversation';
}

function share<const Share extends number>(what: string, percent: Share) {
  return {
    type: 'integer',
    default: percent,
    minimum: 0,
    maximum: 100,
    description: `${what}, in percent of the size to come down to.`,
  } as const;
}
