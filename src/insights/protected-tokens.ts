import { isSystem, type Message } from '../compaction/messages/message.ts';
import { protectedIds } from '../compaction/messages/protection.ts';
import type { Usage } from '../compaction/tokens/usage.ts';

/** Reasons why a compaction has to keep content. If several apply, the first is reported. */
export const protectionReasons = [
  'notInFile',
  'tools',
  'system',
  'pins',
  'memory',
  'newestRequest',
  'firstRequest',
] as const;
type ProtectionReason = (typeof protectionReasons)[number];

/** Tokens that no strategy can remove; `total` is the sum of `byReason`. */
export interface ProtectedTokens {
  readonly total: number;
  readonly byReason: Readonly<Record<ProtectionReason, number>>;
  readonly messages: number;
}

/**
 * Adds up protected tokens.
 *
 * @param usages usage of each message of the view
 * @param tools usage of the tool schemas
 */
export function protectedTokensOf(
  view: readonly Message[],
  usages: readonly Usage[],
  tools: Usage,
  protection: { readonly pins: ReadonlySet<string>; readonly protectFirst: boolean },
): ProtectedTokens {
  const isProtected = protectedIds(view, protection);
  // Without `protectFirst`, only the newest request is protected as a request.
  const withoutFirst = protectedIds(view, { ...protection, protectFirst: false });
  const reasonFor = (message: Message): ProtectionReason => {
    if (isSystem(message)) return 'system';
    if (protection.pins.has(message.id)) return 'pins';
    if (message.kind === 'memory') return 'memory';
    return withoutFirst.has(message.id) ? 'newestRequest' : 'firstRequest';
  };
  const byReason: Record<ProtectionReason, number> = {
    notInFile: 0,
    tools: tools.total,
    system: 0,
    pins: 0,
    memory: 0,
    newestRequest: 0,
    firstRequest: 0,
  };
  view.forEach((message, index) => {
    if (!isProtected.has(message.id)) return;
    byReason[reasonFor(message)] += usages[index]?.total ?? 0;
  });
  const total = protectionReasons.reduce((sum, reason) => sum + byReason[reason], 0);
  return { total, byReason, messages: isProtected.size };
}

/**
 * Adds the tokens that are not in the session file to the protected tokens. The agent sends them with every request,
 * and no strategy can remove them.
 */
export function withNotInFile(
  { total, byReason, messages }: ProtectedTokens,
  tokens: number,
): ProtectedTokens {
  return {
    total: total + tokens,
    byReason: { ...byReason, notInFile: byReason.notInFile + tokens },
    messages,
  };
}
