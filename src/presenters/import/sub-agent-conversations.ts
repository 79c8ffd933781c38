import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import type { SessionHead } from '../../transcripts/head-fields.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { qwenCodeFormat } from '../../transcripts/formats/qwen-code-format.ts';
import { importTranscript } from '../../transcripts/import-transcript.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import { ofSubAgent } from '../../transcripts/reading/transcript-format.ts';
import type { FoundAgent } from '../../transcripts/session-places.ts';
import { parentSessionId, sessionHead } from '../../transcripts/session-head.ts';
import { beginningOfText, headSize } from './transcript-file.ts';
import type { ReadableConversation } from './read-only-session.ts';

const subAgentFile = /^agent-.*\.jsonl$/u;
/** A rollout of Codex, with the id of its session. */
const rolloutFile = /^rollout-.*-(?<id>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/u;
/** A session of Gemini CLI, in a folder with this name. */
const geminiFile = /^session-.*\.jsonl?$/u;
const geminiFolder = 'chats';
/** Files of sub-agents that are listed at most, and files that are looked into for them. */
const mostFiles = 200;
/** Days, from that of a session on, in whose folders its sub-agents are looked for. */
const daysLooked = 3;
const day = 86_400_000;

/**
 * Conversations of a session's sub-agents that are in files of their own. Of Claude Code these are next to the
 * session's file, if they name it, or in the folder `subagents` below one of its name; of Gemini CLI in a folder of its
 * id; of Qwen Code in the folder of its name in `subagents`; of Codex, in the folder of the same day or of the two
 * after it. Only their beginnings are read until one is to be shown.
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
  const found: ReadableConversation[] = [];
  for await (const { file, title } of filesOfSubAgents(path, signal)) {
    if (found.length === mostFiles) break;
    found.push({
      kind: 'sub-agent',
      id: parse(file).name,
      opening: title,
      read: async () => {
        const { transcript: _withUser, ...imported } = importTranscript(
          await read(file),
          'auto',
          undefined,
          openedLimits,
        );
        return ofSubAgent(imported);
      },
    });
  }
  return found;
}

/** True for the file of a sub-agent. Of Codex, only the file's beginning tells. */
export async function isOfSubAgent(path: string): Promise<boolean> {
  if (subAgentFile.test(basename(path)) || basename(dirname(dirname(path))) === geminiFolder) return true;
  if (!rolloutFile.test(basename(path))) return false;
  return (await headOf('codex', path)).parentId !== undefined;
}

interface SubAgentFile {
  readonly file: string;
  readonly title: string | undefined;
}

function filesOfSubAgents(path: string, signal: AbortSignal): AsyncGenerator<SubAgentFile> {
  const rollout = rolloutFile.exec(basename(path))?.groups?.['id'];
  if (rollout !== undefined) return ofCodex(path, rollout, signal);
  const isOfGemini = geminiFile.test(basename(path)) && basename(dirname(path)) === geminiFolder;
  return isOfGemini ? ofGemini(path, signal) : ofClaudeCode(path, signal);
}

async function* ofGemini(path: string, signal: AbortSignal): AsyncGenerator<SubAgentFile> {
  const sessionId = (await headOf('gemini-cli', path)).sessionId;
  // An id from a file must not lead to another folder.
  if (sessionId === undefined || !/^[\w-]+$/u.test(sessionId)) return;
  for (const file of await filesIn(join(dirname(path), sessionId), /\.jsonl?$/u)) {
    throwIfCancelled(signal);
    const { title, isEmpty } = await headOf('gemini-cli', file);
    if (isEmpty !== true) yield { file, title };
  }
}

async function headOf(agent: FoundAgent, file: string): Promise<SessionHead> {
  return sessionHead(agent, await beginningOfText(file, headSize).catch(() => ''));
}

async function* ofClaudeCode(path: string, signal: AbortSignal): AsyncGenerator<SubAgentFile> {
  const { name: sessionId, ext } = parse(path);
  if (ext !== '.jsonl' || subAgentFile.test(basename(path))) return;
  const beside = await filesIn(dirname(path), subAgentFile);
  const below = [
    ...(await filesIn(join(dirname(path), sessionId, 'subagents'), subAgentFile)),
    ...(await filesIn(join(dirname(path), '..', 'subagents', sessionId), subAgentFile)),
  ];
  for (const [index, file] of [...beside, ...below].entries()) {
    throwIfCancelled(signal);
    const head = await beginningOfText(file, headSize).catch(() => '');
    const isOwn = index < beside.length ? parentSessionId(head) === sessionId : head !== '';
    const agent = qwenCodeFormat.recognises(head) ? 'qwen-code' : 'claude-code';
    if (isOwn) yield { file, title: sessionHead(agent, head).title };
  }
}

async function* ofCodex(path: string, sessionId: string, signal: AbortSignal): AsyncGenerator<SubAgentFile> {
  const folders = [dirname(path), ...daysAfter(dirname(path))];
  const files = (await Promise.all(folders.map((folder) => filesIn(folder, rolloutFile)))).flat();
  // Names begin with the time: what a session started comes after it.
  const later = files.filter((file) => basename(file) > basename(path));
  for (const file of later.slice(0, mostFiles)) {
    throwIfCancelled(signal);
    const { title, parentId } = await headOf('codex', file);
    if (parentId === sessionId) yield { file, title };
  }
}

/** @param folder ends in year, month and day; others have none after them */
function daysAfter(folder: string): readonly string[] {
  const [year = '', month = '', date = ''] = folder.split(sep).slice(-3);
  const start = Date.parse(`${year}-${month}-${date}T00:00:00Z`);
  if (Number.isNaN(start)) return [];
  return Array.from({ length: daysLooked - 1 }, (_, index) => {
    const later = new Date(start + (index + 1) * day).toISOString().slice(0, 10);
    return join(folder, '..', '..', '..', ...later.split('-'));
  });
}

/** Links are not followed. A folder that cannot be read has none. */
async function filesIn(folder: string, name: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .toSorted();
}
