import { open, type FileHandle } from 'node:fs/promises';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';

/**
 * Points at which a session's file is flushed to the disk, so that it outlives a power loss: after each line, at the
 * end of each turn and of each compaction, or when the operating system sees fit.
 */
export const durabilities = ['turn', 'write', 'none'] as const;
export type Durability = (typeof durabilities)[number];

/** True if an event is one after which a file is flushed. */
export function isFlushedAfter(event: SessionEvent, durability: Durability): boolean {
  if (durability !== 'turn') return durability === 'write';
  switch (event.type) {
    case 'message':
      return event.message.role === 'assistant' && (event.message.tool_calls ?? []).length === 0;
    case 'compaction':
    case 'undo':
    case 'restore':
    case 'pin':
    case 'mark':
    case 'turn':
    case 'edits':
      return true;
    default:
      return false;
  }
}

/** Not every file system can flush, and not every system folders. */
const unable: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EISDIR']);

/** @throws what the file system throws if it can flush and failed */
export async function flush(handle: Pick<FileHandle, 'sync'>): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!unable.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** Flushes which files a folder has, if the system can. */
export async function flushFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch {
    // Windows opens no folder; nothing that was written depends on it while the computer runs.
  }
}
