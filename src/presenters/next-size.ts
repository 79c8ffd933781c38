import { setTimeout as delay } from 'node:timers/promises';
import type { NextRequestPorts } from '../agent/attachments/attachments.ts';
import type { NextSize } from '../compaction/service/request-size.ts';
import type { CompactionService } from '../compaction/service/service.ts';

export interface SizedSession {
  /** The size and contents of the next request; absent if the session sends no more requests. */
  readonly nextRequest?: Pick<NextRequestPorts, 'size' | 'contents'> | undefined;
  readonly compaction: Pick<CompactionService, 'usage'>;
}

/** Maximum milliseconds that a page waits for the size of the first request. Tool servers may have to start first. */
const patience = 250;

/**
 * Returns the size of the next request, or the size of the conversation so far if counting the request takes long.
 *
 * @param late called when the size of the next request is known later
 */
export async function nextSize(
  { nextRequest, compaction }: SizedSession,
  late: () => void = () => {},
): Promise<NextSize> {
  const coming = nextRequest?.size().catch(() => undefined);
  const over = new AbortController();
  const isOver = delay(patience, undefined, { signal: over.signal }).catch(() => undefined);
  const size = await Promise.race([coming, isOver]);
  over.abort();
  if (size !== undefined) return size;
  void coming?.then((known) => known !== undefined && late());
  const { total: tokens, byKind } = await compaction.usage();
  return { tokens, byKind };
}
