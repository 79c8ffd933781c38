import type { Message } from '../compaction/message.ts';

/**
 * Where a transcript is cut: at a share of its messages, moved back to before an exchange rather than into one.
 *
 * @param share 0 to 1
 * @returns index of the first message behind the cut
 */
export function cutAt(messages: readonly Message[], share: number): number {
  let cut = Math.min(messages.length, Math.max(0, Math.round(messages.length * share)));
  if (cut === messages.length) return cut;
  while (cut > 0 && messages[cut]?.role === 'tool') cut--;
  return cut;
}
