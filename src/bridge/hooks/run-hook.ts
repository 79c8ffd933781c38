import { appendFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CountTexts } from '../../compaction/ledger/render-sections.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import { contextAnswer, HookCallError, readHookCall } from './hook-call.ts';
import { ensureFolder, isAnnounced, isOwnFolder, notedTranscript } from './note-files.ts';

/** Bytes of the log after which a new one begins. */
const longestLog = 200_000;
/** Characters of an entry: paths come from other programs. */
const longestEntry = 1_000;

/**
 * Runs one call of a hook. Whatever goes wrong is written to a log: the agent that calls must go on as if nothing were
 * there.
 *
 * @param input what the agent writes to standard input
 * @param argument the event that the command line names
 * @param folder of notes and log
 * @returns the answer for standard output; undefined if there is nothing to say
 */
export async function runHook(
  input: Promise<string>,
  argument: string | undefined,
  folder: string,
  count: () => Promise<CountTexts>,
): Promise<string | undefined> {
  if (!(await isOwnFolder(folder).catch(() => false))) return undefined;
  try {
    const call = readHookCall(await input, argument);
    if (call === undefined) return undefined;
    const { event, session } = call;
    const transcript =
      call.transcript ?? (session === undefined ? undefined : await notedTranscript(folder, session));
    const isOccasion = event === 'PostToolUse' || event === 'UserPromptSubmit';
    // These come often, and mostly find nothing: they do not wait for the readers of sessions to load.
    if (isOccasion && (transcript === undefined || !isAnnounced(folder, transcript))) return undefined;
    if (transcript === undefined) throw new HookCallError(`${event} names no transcript`);
    await ensureFolder(folder);
    const { answerHook } = await import('./give-back.ts');
    const text = await answerHook({ ...call, transcript }, folder, count);
    return text === undefined ? undefined : contextAnswer(call, text);
  } catch (error) {
    await log(folder, `${argument ?? 'hook'}: ${messageOf(error)}`).catch(() => {});
    return undefined;
  }
}

async function log(folder: string, text: string): Promise<void> {
  const path = join(folder, 'hooks.log');
  await ensureFolder(folder);
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > longestLog) await rename(path, `${path}.old`);
  const entry = text.slice(0, longestEntry).replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  await appendFile(path, `${new Date().toISOString()} ${entry}\n`, { mode: 0o600 });
}
