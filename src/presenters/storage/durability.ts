import { open, type FileHandle } from 'node:fs/promises';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';

/** Times when a session's file is flushed: after each turn and compaction, after each line, or by the system. */
export const durabilities = ['turn', 'write', 'none'] as const;
export type Durability = (typeof durabilities)[number];

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

/** Error codes of file systems that cannot flush at all, or cannot flush folders. */
const unable: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'ENOSYS', 'EISDIR']);

/** @throws errors of the file system, unless it cannot flush at all */
export async function flush(handle: Pick<FileHandle, 'sync'>): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    if (!unable.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

/** Flushes the list of files in a folder, if the operating system can. */
export async function flushFolder(path: string): Promise<void> {
  try {
    await using folder = await open(path);
    await folder.sync();
  } catch {
    // Windows cannot open folders. Their lists of files are in danger only if the power fails.
  }
}
