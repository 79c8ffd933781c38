import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord } from '../../language/is-record.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { readJsonHead } from '../../transcripts/reading/json-head.ts';
import { type ReadLimits, SharedLimit, unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';
import { filesNamed, beginningOfText, headSize, readTranscriptFile } from './transcript-file.ts';

/** Maximum number of files read at the same time. */
const atOnce = 32;
/** Maximum number of sub-agents that are read with a session. */
const mostChildren = 200;

const never = new AbortController().signal;

const sessionFile = /[/\\]storage[/\\]session[/\\][^/\\]+[/\\]ses_[^/\\]+\.json$/u;

/** True for the metadata file of a session, which opencode wrote before it used a database. */
export function isSessionInFolder(path: string): boolean {
  return sessionFile.test(path);
}

/**
 * Reads a session that opencode keeps in many files, and its sub-agents, in the form of opencode's export.
 *
 * @param limits limits for all files together
 * @throws {ImportError} if the files exceed the limits
 * @throws {CancelledError} if the signal was aborted
 */
export async function folderSessionText(
  path: string,
  signal: AbortSignal,
  limits: ReadLimits,
): Promise<string> {
  const storage = join(dirname(path), '..', '..');
  const limit = new SharedLimit(limits);
  const session = await readSession(path, storage, signal, limit);
  const siblings = await jsonFilesIn(dirname(path));
  const children: unknown[] = [];
  const id = basename(path, '.json');
  for (const infos of groupsOf(siblings.filter((file) => file !== path))) {
    throwIfCancelled(signal);
    if (children.length === mostChildren) break;
    const parents = await Promise.all(infos.map(parentIn));
    for (const info of infos.filter((_, index) => parents[index] === id)) {
      if (children.length === mostChildren) break;
      children.push(await readSession(info, storage, signal, limit));
    }
  }
  return JSON.stringify({ ...session, children });
}

/** The last messages of a session in separate files, without their parts, newest last. */
export async function lastFolderMessages(path: string, most: number): Promise<readonly unknown[]> {
  const folder = join(dirname(path), '..', '..', 'message', basename(path, '.json'));
  return readObjects((await jsonFilesIn(folder)).slice(-most), new SharedLimit(unaskedLimits));
}

/** Id of the session that started a sub-agent, if the beginning of the sub-agent's metadata file contains the id. */
async function parentIn(file: string): Promise<unknown> {
  const info = readJsonHead(await beginningOfText(file, headSize).catch(() => ''));
  return isRecord(info) ? info['parentID'] : undefined;
}

async function readSession(
  path: string,
  storage: string,
  signal: AbortSignal,
  limit: SharedLimit,
): Promise<object> {
  const [info] = await readObjects([path], limit);
  const id = basename(path, '.json');
  const messages: object[] = [];
  for (const files of groupsOf(await jsonFilesIn(join(storage, 'message', id)))) {
    throwIfCancelled(signal);
    const infos = await readObjects(files, limit);
    for (const [index, message] of infos.entries()) {
      if (message === undefined) continue;
      const messageId = basename(files[index]!, '.json');
      const parts: object[] = [];
      for (const partFiles of groupsOf(await jsonFilesIn(join(storage, 'part', messageId)))) {
        parts.push(...(await readObjects(partFiles, limit)).filter((part) => part !== undefined));
      }
      messages.push({ info: { ...message, id: messageId }, parts });
    }
  }
  return { info: { ...info, id }, messages };
}

/** Paths of the JSON files in a folder, in the order of creation. */
function jsonFilesIn(folder: string): Promise<readonly string[]> {
  return filesNamed(folder, /\.json$/u);
}

/** @throws {ImportError} if the files exceed the rest of the limit */
async function readObjects(
  files: readonly string[],
  limit: SharedLimit,
): Promise<readonly (Readonly<Record<string, unknown>> | undefined)[]> {
  return Promise.all(
    files.map(async (file) => {
      try {
        const { size } = await lstat(file);
        // Counted before the file is read, because many files are read at once.
        if (size <= limit.limits.document) limit.addFile(size);
        const text = await readTranscriptFile(file, never, limit.limits, () => {}, limit.limits.document);
        limit.values.add(text);
        const value: unknown = JSON.parse(text);
        return isRecord(value) ? value : undefined;
      } catch (error) {
        if (error instanceof ImportError) throw error;
        return undefined;
      }
    }),
  );
}

function groupsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += atOnce) groups.push(items.slice(start, start + atOnce));
  return groups;
}
