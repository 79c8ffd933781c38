import { kinds } from '../../compaction/messages/message.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { ChatState, Meter } from '../../protocol/chat.ts';
import type { Kind } from '../../protocol/engine-terms.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import { ChatRowBuilder } from './chat-row-builder.ts';
import { ChatWindow } from './chat-window.ts';
import { replayRows } from './replay.ts';

/** The meter before the first count. */
const noMeter: Meter = {
  tokens: 0,
  byKind: Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>,
  isBreakerOpen: false,
  isSpendingLimitReached: false,
};

/** The chat as read from the end of its session file, shown until the whole file has been read. */
export async function tailState(
  { entries, edits, unfinished, lastTurn, title }: SessionContents,
  wording: Wording,
): Promise<Omit<ChatState, 'sessionId' | 'draft' | 'model' | 'strategy' | 'isTrusted'>> {
  const { describeCall } = await import('../../agent/tools/catalogue.ts');
  const rows = new ChatRowBuilder(describeCall, wording);
  await replayRows(rows, { entries, edits, tokensOf: () => undefined });
  rows.endTurn();
  if (unfinished !== undefined) rows.addStreamed('text', unfinished.messageId, unfinished.text);
  rows.setTurn(lastTurn);
  return {
    title: title ?? '',
    rows: new ChatWindow().open(rows.all(), []).rows,
    activity: 'idle',
    meter: noMeter,
    proposal: null,
    queue: [],
    plan: [],
    isLoading: true,
  };
}
