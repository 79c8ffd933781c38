import { basename, dirname, join, parse, sep } from 'node:path';
import type { SessionHead } from '../../transcripts/reading/agent-files.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { qwenCodeFormat } from '../../transcripts/formats/qwen-code/qwen-code-format.ts';
import { importTranscript } from '../../transcripts/import-transcript.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import { ofSubAgent } from '../../transcripts/reading/transcript-format.ts';
import { type FoundAgent, parentSessionId, sessionHead } from '../../transcripts/found-agents.ts';
import { filesNamed, beginningOfText, headSize } from './transcript-file.ts';
import type { ReadableConversation } from './read-only-session.ts';

const subAgentFile = /^agent-.*\.jsonl$/u;
/** Name of a Codex file, which contains the id of the session. */
const rolloutFile = /^rollout-.*-(?<id>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.jsonl$/u;
const geminiFile = /^session-.*\.jsonl?$/u;
const geminiFolder = 'chats';
/** Maximum number of listed sub-agent files, and of files that are searched for sub-agents. */
const mostFiles = 200;
/** Number of days whose folders are searched for sub-agents, starting with the session's day. */
const daysLooked = 3;
const day = 86_400_000;

/**
 * Finds a session's sub-agents in separate files, and reads only the beginnings of the files. Claude Code keeps them
 * next to the session's file or in `subagents` below a folder with the same name; Gemini CLI in a folder named by the
 * session's id; Qwen Code in a subfolder of `subagents`; Codex in the folder of the same day or the next two days.
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

/** True for the file of a sub-agent. For Codex, only the beginning of the file shows this. */
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
  // An id from a file must not lead into another folder.
  if (sessionId === undefined || !/^[\w-]+$/u.test(sessionId)) return;
  for (const file of await filesNamed(join(dirname(path), sessionId), /\.jsonl?$/u)) {
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
  const beside = await filesNamed(dirname(path), subAgentFile);
  const below = [
    ...(await filesNamed(join(dirname(path), sessionId, 'subagents'), subAgentFile)),
    ...(await filesNamed(join(dirname(path), '..', 'subagents', sessionId), subAgentFile)),
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
  const files = (await Promise.all(folders.map((folder) => filesNamed(folder, rolloutFile)))).flat();
  // File names begin with the time, so sub-agents come after the session that started them.
  const later = files.filter((file) => basename(file) > basename(path));
  for (const file of later.slice(0, mostFiles)) {
    throwIfCancelled(signal);
    const { title, parentId } = await headOf('codex', file);
    if (parentId === sessionId) yield { file, title };
  }
}

/** Folders of the next days. @param folder a path that ends with year, month and day; other paths have no next days */
function daysAfter(folder: string): readonly string[] {
  const [year = '', month = '', date = ''] = folder.split(sep).slice(-3);
  const start = Date.parse(`${year}-${month}-${date}T00:00:00Z`);
  if (Number.isNaN(start)) return [];
  return Array.from({ length: daysLooked - 1 }, (_, index) => {
    const later = new Date(start + (index + 1) * day).toISOString().slice(0, 10);
    return join(folder, '..', '..', '..', ...later.split('-'));
  });
}
