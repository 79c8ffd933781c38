import { basename, parse } from 'node:path';
import type { FoundFile } from '../import/found-files.ts';
import type { ListedSession } from '../import/found-sessions.ts';
import { inDatabase } from '../import/opencode-database.ts';

interface Sessions {
  /** Newest first. */
  readonly files: readonly FoundFile[];
  readonly rows: readonly ListedSession[];
}

/** Number of characters of a UUID, which ends the names of some agents' files. */
const identifierLength = 36;

/**
 * Gives each session its newest recording, and takes its recordings out of the list, so that a session is one row. A
 * recording names the session in its file name. A proxy that starts again begins another recording.
 */
export function withRecordings({ files, rows }: Sessions): Sessions {
  const recordings = new Map<string, FoundFile>();
  for (const file of files) {
    const key = keyOf(file);
    if (key !== undefined && !recordings.has(key)) recordings.set(key, file);
  }
  if (recordings.size === 0) return { files, rows };
  const joined = new Set<string>();
  const recordingOf = (agent: string, names: readonly string[]): FoundFile | undefined => {
    const key = names.map((name) => `${agent} ${name}`).find((one) => recordings.has(one));
    if (key === undefined) return undefined;
    joined.add(key);
    return recordings.get(key);
  };
  const withTheirs = files.map((file) => {
    if (file.place.isOfRecordings === true) return file;
    const recording = recordingOf(file.place.agent, namesOf(file));
    return recording === undefined ? file : { ...file, recording };
  });
  const rowsWithTheirs = rows.map((row) => {
    const recording = recordingOf(row.agent, [inDatabase(row.path)?.sessionId ?? '']);
    return recording === undefined ? row : { ...row, recording: recording.path };
  });
  return { files: withTheirs.filter((file) => !joined.has(keyOf(file) ?? '')), rows: rowsWithTheirs };
}

/** Returns the agent and the client's id of the session that a recording names. */
function keyOf({ path, place }: FoundFile): string | undefined {
  const session = place.isOfRecordings === true ? sessionIn(path) : undefined;
  return session === undefined ? undefined : `${place.agent} ${session}`;
}

/** Returns the client's id of a session, from the file name of its recording. */
function sessionIn(path: string): string | undefined {
  return /~([\w-]+)\.jsonl$/u.exec(basename(path))?.[1];
}

/** Maximum milliseconds between the last changes of a session and of its recording. */
const mostApart = 60_000;

/**
 * Gives sessions of clients that send no id their recordings, and takes those out of the list. Both begin with the same
 * text, are about one folder, and changed last at about the same time. If several fit, none is joined.
 *
 * @param paths paths of the recordings
 */
export function withLikeRecordings(
  listed: readonly ListedSession[],
  paths: ReadonlySet<string>,
): readonly ListedSession[] {
  const alike = new Map<string, ListedSession[]>();
  for (const row of paths.size === 0 ? [] : listed) {
    const { agent, title, workspace, path } = row;
    const isJoined = paths.has(path) ? sessionIn(path) !== undefined : row.recording !== undefined;
    if (isJoined || title === undefined || workspace === undefined) continue;
    const key = JSON.stringify([agent, workspace, title]);
    const rows = alike.get(key);
    if (rows === undefined) alike.set(key, [row]);
    else rows.push(row);
  }
  const recordingOf = new Map<ListedSession, string>();
  for (const rows of alike.values()) {
    for (const recording of rows.filter(({ path }) => paths.has(path))) {
      const near = rows.filter(
        (row) => row !== recording && Math.abs(row.changedAt - recording.changedAt) <= mostApart,
      );
      const [session] = near;
      if (session !== undefined && near.length === 1 && !paths.has(session.path))
        recordingOf.set(session, recording.path);
    }
  }
  const joined = new Set(recordingOf.values());
  return listed.flatMap((row) => {
    const recording = recordingOf.get(row);
    if (recording !== undefined) return [{ ...row, recording }];
    return joined.has(row.path) ? [] : [row];
  });
}

/** Names that may be the id of a session: of the file, of its folder, and the end of the file name. */
function namesOf({ names }: FoundFile): readonly string[] {
  const name = parse(names.at(-1) ?? '').name;
  return [name, name.slice(-identifierLength), names.at(-2) ?? ''];
}
