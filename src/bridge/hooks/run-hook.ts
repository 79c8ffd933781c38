import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../compaction/records/reason.ts';
import { contextAnswer, HookCallError, readHookCall } from './hook-call.ts';
import {
  announceCall,
  ensureFolder,
  isAnnounced,
  isAnyAnnounced,
  isOwnFolder,
  notedTranscript,
  noteFile,
  readNote,
} from './note-files.ts';
import { endOfLines, withSessionFile } from './opened-lines.ts';

/** Maximum unread bytes of a session that a hook reads while its agent waits. */
const mostAwaited = 1_000_000;
/** Maximum bytes of the log. After that, a new log begins. */
const longestLog = 200_000;
/** Maximum characters of an entry, because paths come from other programs. */
const longestEntry = 1_000;

/**
 * Runs one call of a hook. All errors go to a log, because the calling agent must not be affected.
 * @param input the agent's call from standard input
 * @param argument the event named on the command line
 * @param folder folder of the notes and the log
 * @param readLater makes the call `Read` in a separate process, for which no agent waits
 * @returns the answer for standard output, or undefined
 */
export async function runHook(
  input: Promise<string>,
  argument: string | undefined,
  folder: string,
  readLater: (input: string) => Promise<void> | void,
): Promise<string | undefined> {
  if (!(await isOwnFolder(folder).catch(() => false))) return undefined;
  try {
    const call = readHookCall(await input, argument);
    if (call === undefined) return undefined;
    const { event, session } = call;
    const isOccasion = event === 'PostToolUse' || event === 'UserPromptSubmit';
    // These frequent calls rarely have an answer, so they end before anything else is loaded, even for a hash.
    if (isOccasion && !isAnyAnnounced(folder)) return undefined;
    const transcript =
      call.transcript ?? (session === undefined ? undefined : await notedTranscript(folder, session));
    if (isOccasion && (transcript === undefined || !isAnnounced(folder, transcript))) return undefined;
    if (transcript === undefined) throw new HookCallError(`${event} names no transcript`);
    await ensureFolder(folder);
    const isAhead = event === 'PreCompact' || event === 'Stop';
    const end = isAhead ? await endOfLongUnread(folder, transcript) : undefined;
    if (end !== undefined) {
      if (event === 'PreCompact') await announceCall(folder, { session, transcript }, end);
      await readLater(JSON.stringify({ transcript_path: transcript }));
      return undefined;
    }
    const { answerHook } = await import('./answer-hook.ts');
    const text = await answerHook({ ...call, transcript }, folder);
    return text === undefined ? undefined : contextAnswer(call, text);
  } catch (error) {
    await log(folder, `${argument ?? 'hook'}: ${messageOf(error)}`).catch(() => {});
    return undefined;
  }
}

/** @returns the end of the last line if the session has so many unread bytes that no agent should wait for them */
async function endOfLongUnread(folder: string, path: string): Promise<number | undefined> {
  const read = (await readNote(noteFile(folder, path, 'notes')))?.['read'];
  return withSessionFile(path, async (session) => {
    const known = typeof read === 'number' && read <= session.size ? read : 0;
    return session.size - known > mostAwaited ? endOfLines(session) : undefined;
  });
}

async function log(folder: string, text: string): Promise<void> {
  const path = join(folder, 'hooks.log');
  await ensureFolder(folder);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > longestLog) await rename(path, `${path}.old`);
  const entry = text.slice(0, longestEntry).replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  await appendFile(path, `${new Date().toISOString()} ${entry}\n`, { mode: 0o600 });
}
