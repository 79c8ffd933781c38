import type { ChatRow } from '../../../../src/protocol/chat-rows.ts';

export function keyOf(row: { readonly type: ChatRow['type'] | 'hidden'; readonly id: string }): string {
  return `${row.type}:${row.id}`;
}

/** Text of a row that is added to the page only when the user opens the row. */
export interface FoldedText {
  /** The folded text; empty if the row is open. */
  text(): string;
  unfold(): void;
}
