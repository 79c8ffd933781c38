import type { Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { nodeSlices } from '../../agent/node-slices.ts';
import type { WireOrigin } from '../../transcripts/session/session-event.ts';
import {
  readSession,
  readSessionInSlices,
  type SessionContents,
} from '../../transcripts/session/session-format.ts';

/** A recording that was read. */
interface EarlierRecording {
  readonly path: string;
  readonly contents: SessionContents;
  /** Size of the file in bytes. */
  readonly size: number;
  /** False if the last line was cut off. */
  readonly endsLine: boolean;
}

/** Maximum number of recordings that are looked up by their times, and that are read. */
const mostListed = 256;
const mostRead = 16;
/** Maximum bytes that are read for one request. */
const mostBytes = 64_000_000;

/**
 * Reads the recordings that a request of this origin may continue. Those of the client's session come first, then those
 * of its folder without a session, each the newest first.
 *
 * @param folder folder of the client's recordings
 * @param open paths of recordings that this process writes
 */
export async function* earlierRecordings(
  folder: string,
  origin: WireOrigin,
  open: ReadonlySet<string>,
): AsyncGenerator<EarlierRecording> {
  let [read, bytes] = [0, 0];
  for (const { path, size } of await candidatesIn(folder, origin)) {
    if (read >= mostRead) return;
    if (open.has(path) || bytes + size > mostBytes) continue;
    read++;
    bytes += size;
    const found = await readFile(path).catch(() => Buffer.alloc(0));
    const text = found.toString('utf8');
    if (!isOfSame(readSession(text.slice(0, text.indexOf('\n'))), origin)) continue;
    const contents = await readSessionInSlices(text.split('\n'), nodeSlices());
    yield { path, contents, size: found.length, endsLine: text.endsWith('\n') };
  }
}

/** The end of a recording's file name, which names the client's session. */
export function sessionPart({ session }: WireOrigin): string {
  return session !== undefined && /^[\w-]{8,80}$/u.test(session) ? `~${session}` : '';
}

interface Candidate {
  readonly path: string;
  readonly size: number;
}

async function candidatesIn(folder: string, origin: WireOrigin): Promise<readonly Candidate[]> {
  const all = await readdir(folder, { recursive: true }).catch(() => []);
  const names = all.filter((name) => name.endsWith('.jsonl'));
  const session = sessionPart(origin);
  // Conversations that a recording started are in a folder of its name.
  const sessionIn = (name: string) => /~[^./\\]*/u.exec(name)?.[0] ?? '';
  const ofSession = session === '' ? [] : names.filter((name) => sessionIn(name) === session);
  const ofNone = names.filter((name) => sessionIn(name) === '');
  const groups = [ofSession, ofNone].map((group) => newestOf(folder, group));
  return (await Promise.all(groups)).flat();
}

async function newestOf(folder: string, names: readonly string[]): Promise<readonly Candidate[]> {
  // The names begin with the times when the recordings began.
  const newest = names.toSorted((one, other) => (basename(one) < basename(other) ? 1 : -1));
  const found = await Promise.all(
    newest.slice(0, mostListed).map(async (name) => {
      const path = join(folder, name);
      const stats = await lstat(path).catch((): Stats | undefined => undefined);
      return stats?.isFile() === true ? [{ path, size: stats.size, changedAt: stats.mtimeMs }] : [];
    }),
  );
  return found.flat().toSorted((one, other) => other.changedAt - one.changedAt);
}

/** True if a recording is of the client's session, or is of the same folder and of no other session. */
function isOfSame({ header, isNewer }: SessionContents, { session, folder }: WireOrigin): boolean {
  const wire = header?.wire;
  if (wire === undefined || isNewer) return false;
  if (wire.session === undefined || session === undefined) return wire.folder === folder;
  return wire.session === session;
}
