import type { DiffMatch } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';

/** Keys of the lines that have to be open so that a message's text shows, outermost first. */
export function keysTo(
  { index, fate, sources, sourceCount }: DiffRowView,
  { messageId, side }: Pick<DiffMatch, 'messageId' | 'side'>,
): readonly string[] {
  const row = `row:${index}`;
  const message = `${row}:${messageId}`;
  if (fate === 'keep') return [row, message];
  const isPair = sourceCount === 1 && fate !== 'summarise';
  if (isPair) return [row];
  if (side === 'after') return [`output:${index}`];
  const isShown = sources.some(({ id }) => id === messageId);
  return isShown ? [message] : [`more:${index}`, message];
}
