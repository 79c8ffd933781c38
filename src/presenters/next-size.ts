import { setTimeout as delay } from 'node:timers/promises';
import type { NextRequestPorts } from '../agent/attachments/attachments.ts';
import type { NextSize } from '../compaction/service/request-size.ts';
import type { CompactionService } from '../compaction/service/service.ts';

export interface SizedSession {
  /** Absent if nothing is sent in it any more. */
  readonly nextRequest?: Pick<NextRequestPorts, 'size' | 'contents'> | undefined;
  readonly compaction: Pick<CompactionService, 'usage'>;
}

/** Milliseconds that a page waits for the size of a first request, for which servers of tools may have to start. */
const patience = 250;

/**
 * The size of the next request. If it takes long to find out, or cannot be found out, that of what was said so far.
 *
 * @param late called once it is known after all
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
