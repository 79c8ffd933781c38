import { blocksOf, requestTest } from './exchange.ts';
import { isSystem, type Message } from './message.ts';

/** Reasons to keep a message byte for byte, strongest first. */
export type ProtectionCause = 'system' | 'open-call' | 'newest-request' | 'memory' | 'first-request' | 'pin';

export interface ProtectionOptions {
  readonly pins: ReadonlySet<string>;
  readonly protectFirst: boolean;
}

/**
 * Finds the messages that a compaction has to keep byte for byte. Returns the strongest reason for each id:
 * - system messages, except exact copies of earlier ones;
 * - calls without a result, if their provider needs the reasoning back;
 * - the newest typed message, or the task of a sub-agent;
 * - memory that no later message replaced;
 * - the first typed message, if the options ask for it;
 * - pins.
 *
 * If no message is known to be typed, user messages count as typed.
 */
export function protections(
  view: readonly Message[],
  { pins, protectFirst }: ProtectionOptions,
): ReadonlyMap<string, ProtectionCause> {
  const causes = new Map<string, ProtectionCause>();
  const protect = (message: Message | undefined, cause: ProtectionCause) => {
    if (message !== undefined && !causes.has(message.id)) causes.set(message.id, cause);
  };
  const asking = view.filter(requestTest(view));
  const superseded = supersededIds(view);
  const open = view.findLast((message) => message.role !== 'tool');
  for (const message of view) {
    if (isSystem(message) && !superseded.has(message.id)) protect(message, 'system');
  }
  if (open?.reasoningItems !== undefined && (open.tool_calls ?? []).length > 0) protect(open, 'open-call');
  protect(asking.at(-1), 'newest-request');
  for (const message of view) {
    if (message.kind === 'memory' && !superseded.has(message.id)) protect(message, 'memory');
  }
  if (protectFirst) protect(asking[0], 'first-request');
  for (const message of view) if (pins.has(message.id)) protect(message, 'pin');
  return causes;
}

/** Returns ids of the messages that a compaction has to keep byte for byte. */
export function protectedIds(view: readonly Message[], options: ProtectionOptions): ReadonlySet<string> {
  return new Set(protections(view, options).keys());
}

/** Returns ids of the messages that are protected only as memory: neither pinned nor outdated. */
export function memoryIds(view: readonly Message[], pins: ReadonlySet<string>): ReadonlySet<string> {
  const superseded = supersededIds(view);
  const memory = view.filter(({ id, kind }) => kind === 'memory' && !superseded.has(id) && !pins.has(id));
  return new Set(memory.map(({ id }) => id));
}

/** Returns the protected messages, except memory that a summary replaces. */
export function withoutSummarised(
  isProtected: ReadonlySet<string>,
  memory: ReadonlySet<string>,
  actions: readonly { readonly kind: string; readonly sourceIds: readonly string[] }[],
): ReadonlySet<string> {
  const summarised = new Set(
    actions.flatMap(({ kind, sourceIds }) => (kind === 'summarise' ? sourceIds : [])),
  );
  return new Set([...isProtected].filter((id) => !memory.has(id) || !summarised.has(id)));
}

/** Returns the messages of blocks without a protected message. Only these may be removed, and only whole blocks. */
export function removableMessages(
  view: readonly Message[],
  isProtected: ReadonlySet<string>,
): readonly Message[] {
  return blocksOf(view).flatMap(({ start, end }) => {
    const messages = view.slice(start, end);
    return messages.some(({ id }) => isProtected.has(id)) ? [] : messages;
  });
}

/** Returns the messages that have to stay: protected messages, and messages in an exchange with one. */
export function stayingMessages(
  view: readonly Message[],
  isProtected: ReadonlySet<string>,
): readonly Message[] {
  const removable = new Set(removableMessages(view, isProtected));
  return view.filter((message) => !removable.has(message));
}

export const planSource = 'plan';

/** True for a plan of the agent. The newest plan stays through every compaction, word for word. */
export function isPlan({ kind, source }: Message): boolean {
  return kind === 'memory' && source === planSource;
}

/** Finds messages no longer needed: memory replaced by the same source, and later copies of system messages. */
export function supersededIds(view: readonly Message[]): ReadonlySet<string> {
  const known = new Set<string>();
  const superseded = new Set<string>();
  const prompts = new Set<string>();
  for (const message of view.filter(isSystem)) {
    const prompt = JSON.stringify([message.role, message.content]);
    if (prompts.has(prompt)) superseded.add(message.id);
    prompts.add(prompt);
  }
  for (const { id, kind, source } of view.toReversed()) {
    if (kind !== 'memory' || source === undefined) continue;
    if (known.has(source)) superseded.add(id);
    known.add(source);
  }
  return superseded;
}
