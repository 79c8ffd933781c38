import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { throwIfCancelled } from '../../compaction/cancellation.ts';
import { importTranscript } from '../../transcripts/import-transcript.ts';
import { parentSessionId, sessionHead } from '../../transcripts/session-head.ts';
import { beginningOf, headSize } from './found-sessions.ts';
import type { ReadableConversation } from './read-only-session.ts';

const subAgentFile = /^agent-.*\.jsonl$/u;
/** Files of sub-agents that are listed at most. */
const mostFiles = 200;

/**
 * The conversations of a Claude Code session's sub-agents that are in files of their own: beside the session's file,
 * where they name it, or in the folder `subagents` below one of its name. Only their beginnings are read before
 * somebody wants to see one.
 *
 * @param path of the session's file
 * @param read reads a whole file
 * @throws {CancelledError} if the signal was aborted
 */
export async function subAgentConversations(
  path: string,
  read: (path: string) => Promise<string>,
  signal: AbortSignal,
): Promise<readonly ReadableConversation[]> {
  const { name: sessionId, ext } = parse(path);
  if (ext !== '.jsonl' || subAgentFile.test(basename(path))) return [];
  const beside = await filesIn(dirname(path));
  const below = await filesIn(join(dirname(path), sessionId, 'subagents'));
  const found: ReadableConversation[] = [];
  for (const file of [...beside, ...below]) {
    throwIfCancelled(signal);
    if (found.length === mostFiles) break;
    const head = await beginningOf(file, headSize).catch(() => '');
    const isOwn = below.includes(file) ? head !== '' : parentSessionId(head) === sessionId;
    if (!isOwn) continue;
    found.push({
      kind: 'sub-agent',
      id: parse(file).name,
      opening: sessionHead('claude-code', head).title,
      read: async () => importTranscript(await read(file)),
    });
  }
  return found;
}

/** Links are not followed. A folder that cannot be read has none. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && subAgentFile.test(entry.name))
    .map(({ name }) => join(folder, name))
    .toSorted();
}
