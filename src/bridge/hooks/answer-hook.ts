import { markedLedger } from '../../compaction/ledger/marked-sentences.ts';
import { stateLines } from '../../compaction/ledger/state-lines.ts';
import { unmarkedState } from '../../compaction/ledger/work-state.ts';
import { newestMarks, validMarks } from '../../compaction/transcript/valid-marks.ts';
import { markFile } from '../../presenters/storage/mark-file.ts';
import { lostLedger, withPathsFrom, writeLostFacts } from '../../insights/handoff/lost-facts.ts';
import { announce, announceCall, announcedAt, claimAnswer, withdraw } from './note-files.ts';
import { contextSince } from './context-since.ts';
import type { HookCall } from './hook-call.ts';
import { stateOfNotes, updateNotes } from './session-notes.ts';

/** Maximum tokens of the facts returned to an agent after a compaction. */
const mostTokensBack = 1_500;
/**
 * Estimated bytes per token. The facts of 39 real sessions have 3.3 to 4.6. An exact count would load a vocabulary,
 * which takes a third of the time that the agent waits.
 */
const bytesPerToken = 4;
/**
 * Maximum bytes of the facts. Claude Code (10,000 characters), Codex (2,500 tokens of four bytes) and Copilot CLI
 * (10 kB) cut longer texts.
 */
export const mostBytesBack = mostTokensBack * bytesPerToken;

/**
 * Answers a hook call. Before a compaction, it stores the facts in context. At the first call that finds the
 * summary, it returns the facts that the summary does not name. Codex gets the facts when the session
 * restarts. Claude Code has not written the summary by then, and Copilot does not restart, so both get the
 * facts with a tool result or the next prompt.
 * @param folder the folder of the notes
 * @returns text for the agent's context, or undefined
 * @throws {ImportError} if the transcript cannot be read
 * @throws {HookCallError} if the transcript is not a file
 */
export async function answerHook(
  { event, session, transcript: path, workspace }: HookCall & { readonly transcript: string },
  folder: string,
): Promise<string | undefined> {
  if (event === 'PreCompact') {
    const { read } = await updateNotes(folder, path);
    await announceCall(folder, { session, transcript: path }, read);
    return undefined;
  }
  if (event === 'Stop' || event === 'Read') {
    // If the session stayed announced, each later call would read it in vain.
    await updateNotes(folder, path).catch(async (error: unknown) => {
      await withdraw(folder, path);
      throw error;
    });
    return undefined;
  }
  const before = await announcedAt(folder, path);
  if (before === undefined && event !== 'SessionStart') return undefined;
  const notes = await updateNotes(folder, path);
  const since = await contextSince(path, before, notes.format);
  if (since === 'not yet' || (since === 'never' && event === 'SessionStart')) {
    // The summary is not in the file yet, so a later call will answer.
    if (before === undefined) await announce(folder, path, notes.read);
    return undefined;
  }
  const isFirst = since !== 'never' && (await claimAnswer(folder, path, since.compaction));
  // If the newest compaction in the file was answered before, the present one is not in the file yet.
  if (before === undefined && !isFirst) await announce(folder, path, notes.read);
  else await withdraw(folder, path);
  if (!isFirst) return undefined;
  const marks = newestMarks(validMarks(await markFile(folder, path).read()));
  const ledger = markedLedger({ ...notes.ledger, errors: since.errors }, marks);
  const lost = lostLedger(ledger, since.view, workspace);
  const text = await writeLostFacts(
    withPathsFrom(workspace, lost),
    mostTokensBack,
    estimatedTokens,
    stateLines(unmarkedState(stateOfNotes(notes), marks)),
  );
  return text === '' ? undefined : text;
}

function estimatedTokens(texts: readonly string[]): Promise<readonly number[]> {
  return Promise.resolve(texts.map((text) => Math.ceil(Buffer.byteLength(text) / bytesPerToken)));
}
