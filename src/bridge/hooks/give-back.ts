import { sep } from 'node:path';
import type { CountTexts } from '../../compaction/ledger/render.ts';
import { textOf } from '../../compaction/messages/message.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import {
  type ContextAfter,
  lostLedger,
  withPathsFrom,
  writeLostFacts,
} from '../../insights/handoff/lost-facts.ts';
import type { HookCall } from './hook-call.ts';
import { claimPending, setGiven, setPending, sizeWhenGiven } from './note-files.ts';
import type { SessionPiece } from './session-lines.ts';
import { importAround, updateNotes } from './session-notes.ts';

/** Most tokens that are given back after a compaction. */
export const mostTokensBack = 1_500;
/** Bytes before a compaction in which messages that stayed in context are looked for. */
const keptSearched = 500_000;
/** Bytes at the end of a file in which a compaction is looked for that nobody announced. */
const compactionSearched = 2_000_000;

/**
 * Answers a call: before a compaction notes what is about to go, at the first occasion after it gives back what the
 * summary does not name. Claude Code and Codex have that occasion when the session starts again; Copilot has none
 * there, and takes it with the result of a tool.
 *
 * @param folder of the notes
 * @returns text for the agent's context; undefined if there is nothing to say
 * @throws {ImportError} if the transcript cannot be read
 * @throws {HookCallError} if it is not a file
 */
export async function answerHook(
  call: HookCall,
  folder: string,
  count: () => Promise<CountTexts>,
): Promise<string | undefined> {
  const { event, transcript: path } = call;
  if (event === 'PreCompact') {
    const { read } = await updateNotes(folder, path);
    await setPending(folder, path, read);
    return undefined;
  }
  if (event === 'Stop') {
    await updateNotes(folder, path);
    return undefined;
  }
  if (event === 'SessionStart' && !call.followsCompaction) return undefined;
  const before = await claimPending(folder, path);
  if (before === undefined && !call.followsCompaction) return undefined;
  const notes = await updateNotes(folder, path);
  // The same compaction, told twice: by two hooks that are configured alike, for example.
  if (before === undefined && (await sizeWhenGiven(folder, path)) === notes.read) return undefined;
  const after = await contextAfter(path, before, notes.format);
  if (after === undefined) {
    // The summary is not in the file yet: the next occasion is a better one.
    if (before !== undefined) await setPending(folder, path, before);
    return undefined;
  }
  await setGiven(folder, path, notes.read);
  const lost = lostLedger(notes.ledger, after);
  const shown = call.workspace === undefined ? lost : withPathsFrom(`${call.workspace}${sep}`, lost);
  const text = await writeLostFacts(shown, mostTokensBack, await count());
  return text === '' ? undefined : text;
}

/** @returns undefined if the file holds no compaction since */
async function contextAfter(
  path: string,
  before: number | undefined,
  format: string,
): Promise<ContextAfter | undefined> {
  // Messages from before the compaction may have stayed: they are looked for in front of it.
  const searched = before === undefined ? compactionSearched : keptSearched;
  const { earlier, whole } = await importAround(path, before, searched, format);
  if (whole === undefined) return undefined;
  const known = earlier?.compactions.length ?? 0;
  if (whole.compactions.length > known) return contextOf(whole);
  return before === undefined ? undefined : unstatedContext(earlier, whole);
}

/** Formats whose files do not always hold the summaries: Copilot Chat keeps those of its transcripts to itself. */
const formatsWithoutSummaries: ReadonlySet<string> = new Set(['copilot-cli']);

/**
 * The context as far as a file tells that says nothing of the compaction. A reply after the announcement shows that it
 * is over.
 */
function unstatedContext(earlier: SessionPiece | undefined, whole: SessionPiece): ContextAfter | undefined {
  if (!formatsWithoutSummaries.has(whole.format)) return undefined;
  const since = messagesOf(whole).slice(earlier === undefined ? 0 : messagesOf(earlier).length);
  const isOver = since.some(({ role }) => role === 'assistant');
  return isOver ? { written: since.map(({ content }) => textOf(content)), kept: [] } : undefined;
}

function contextOf(imported: SessionPiece): ContextAfter | undefined {
  const last = imported.compactions.at(-1);
  if (last === undefined) return undefined;
  const messages = messagesOf(imported);
  const since = messages.slice(last.beforeMessageIndex).map(({ content }) => textOf(content));
  const { keptFromIndex = last.beforeMessageIndex, alsoKept = [] } = last;
  return {
    written: [last.summary, ...since],
    kept: [
      ...alsoKept.flatMap((index) => messages[index] ?? []),
      ...messages.slice(keptFromIndex, last.beforeMessageIndex),
    ],
  };
}
