import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRecord } from '../../language/is-record.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { type ReadLimits, unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { readTranscriptFile } from './transcript-file.ts';

/** Files that are read at the same time. */
const atOnce = 32;
/** Sessions of sub-agents that are looked for and read along with a session. */
const mostChildren = 200;

const never = new AbortController().signal;

const sessionFile = /[/\\]storage[/\\]session[/\\][^/\\]+[/\\]ses_[^/\\]+\.json$/u;

/** True for the file in which opencode, before it kept a database, has a session without its messages. */
export function isSessionInFolder(path: string): boolean {
  return sessionFile.test(path);
}

/**
 * A session that opencode keeps in files of its own for each message and each part, with those of its sub-agents, as
 * text in the shape that opencode exports. Files that cannot be read are left out.
 *
 * @param path of the file about the session
 * @throws {CancelledError} if the signal was aborted
 */
export async function folderSessionText(
  path: string,
  signal: AbortSignal,
  limits: ReadLimits,
): Promise<string> {
  const storage = join(dirname(path), '..', '..');
  const session = await readSession(path, storage, signal, limits);
  const siblings = await jsonFilesIn(dirname(path));
  const children: unknown[] = [];
  const id = basename(path, '.json');
  for (const infos of groupsOf(siblings.filter((file) => file !== path))) {
    throwIfCancelled(signal);
    for (const [file, info] of (await readObjects(infos, limits)).entries()) {
      if (info?.['parentID'] !== id || children.length === mostChildren) continue;
      children.push(await readSession(infos[file]!, storage, signal, limits));
    }
  }
  return JSON.stringify({ ...session, children });
}

/**
 * The last messages of a session that is kept so, without their parts, the newest last.
 *
 * @param path of the file about the session
 */
export async function lastFolderMessages(path: string, most: number): Promise<readonly unknown[]> {
  const folder = join(dirname(path), '..', '..', 'message', basename(path, '.json'));
  return readObjects((await jsonFilesIn(folder)).slice(-most), unaskedLimits);
}

async function readSession(
  path: string,
  storage: string,
  signal: AbortSignal,
  limits: ReadLimits,
): Promise<object> {
  const [info] = await readObjects([path], limits);
  const id = basename(path, '.json');
  const messages: object[] = [];
  for (const files of groupsOf(await jsonFilesIn(join(storage, 'message', id)))) {
    throwIfCancelled(signal);
    const infos = await readObjects(files, limits);
    for (const [index, message] of infos.entries()) {
      if (message === undefined) continue;
      const messageId = basename(files[index]!, '.json');
      const parts: object[] = [];
      for (const partFiles of groupsOf(await jsonFilesIn(join(storage, 'part', messageId)))) {
        parts.push(...(await readObjects(partFiles, limits)).filter((part) => part !== undefined));
      }
      messages.push({ info: { ...message, id: messageId }, parts });
    }
  }
  return { info: { ...info, id }, messages };
}

/** Names of its ids grow with time, so that their order is that of what they hold. Links are not followed. */
async function jsonFilesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => join(folder, name))
    .toSorted();
}

async function readObjects(
  files: readonly string[],
  limits: ReadLimits,
): Promise<readonly (Readonly<Record<string, unknown>> | undefined)[]> {
  return Promise.all(
    files.map(async (file) => {
      try {
        const value: unknown = JSON.parse(
          await readTranscriptFile(file, never, limits, () => {}, limits.document),
        );
        return isRecord(value) ? value : undefined;
      } catch {
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
