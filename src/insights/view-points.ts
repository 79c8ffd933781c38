import { shownStrategies } from '../compaction/records/custom-strategy-title.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';

/** A moment of a session at which its context can be viewed. */
export type ViewPoint = {
  /** Number of transcript entries before this moment. */
  readonly at: number;
} & (
  | RequestPoint
  | { readonly type: 'compaction'; readonly recordId: string; readonly strategy: string }
  | { readonly type: 'undo'; readonly recordIds: readonly string[] }
  | { readonly type: 'restore'; readonly messageIds: readonly string[] }
  | { readonly type: 'now' }
);

/** A request that was sent. Requests are numbered from 1, as in the timeline. */
interface RequestPoint {
  readonly type: 'request';
  readonly number: number;
}

/** Returns all requests, the moments right after a change of the context, and the present; oldest first. */
export function viewPoints(entries: readonly TranscriptEntry[]): readonly ViewPoint[] {
  let requests = 0;
  const points = entries.flatMap((entry, index): readonly ViewPoint[] => {
    const at = index + 1;
    switch (entry.type) {
      case 'message':
        return entry.message.role === 'assistant' ? [{ type: 'request', number: ++requests, at: index }] : [];
      case 'compaction': {
        const { id: recordId, status } = entry.record;
        const { actualStrategy: strategy } = shownStrategies(entry.record);
        return status === 'applied' ? [{ type: 'compaction', recordId, strategy, at }] : [];
      }
      case 'undo':
        return [{ type: 'undo', recordIds: entry.recordIds, at }];
      case 'restore':
        return [{ type: 'restore', messageIds: entry.messageIds, at }];
      case 'pin':
      case 'mark':
        return [];
    }
  });
  return [...points, { type: 'now', at: entries.length }];
}
