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
 * Gives each session its newest recording, and takes that recording out of the list: a session is one row. A recording
 * names the session in its file name.
 */
export function withRecordings({ files, rows }: Sessions): Sessions {
  const recordings = new Map<string, FoundFile>();
  for (const file of files) {
    const session = file.place.isOfRecordings === true ? recordedSession(file.path) : undefined;
    const key = `${file.place.agent} ${session}`;
    if (session !== undefined && !recordings.has(key)) recordings.set(key, file);
  }
  if (recordings.size === 0) return { files, rows };
  const joined = new Set<FoundFile>();
  const recordingOf = (agent: string, names: readonly string[]): FoundFile | undefined => {
    const found = names.map((name) => recordings.get(`${agent} ${name}`)).find((file) => file !== undefined);
    if (found !== undefined) joined.add(found);
    return found;
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
  return { files: withTheirs.filter((file) => !joined.has(file)), rows: rowsWithTheirs };
}

/** Returns the client's id of the session, from the file name of its recording. */
function recordedSession(path: string): string | undefined {
  return /~([\w-]+)\.jsonl$/u.exec(basename(path))?.[1];
}

/** Names that may be the id of a session: of the file, of its folder, and the end of the file name. */
function namesOf({ names }: FoundFile): readonly string[] {
  const name = parse(names.at(-1) ?? '').name;
  return [name, name.slice(-identifierLength), names.at(-2) ?? ''];
}
