import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '../../agent/files/private-files.ts';
import { readIfThere, replaceFile } from '../../agent/files/replace-file.ts';
import { sealed, unsealed } from '../../agent/files/sealed.ts';
import type { MarkEntry } from '../../compaction/transcript/transcript-entry.ts';
import { readEvent } from '../../transcripts/session/session-line.ts';

/** Marks on another agent's session. They are stored by the path of the session's file, which is never changed. */
export interface MarkFile {
  /** Reads the marks, oldest first. Returns none if the file is damaged or has a foreign seal. */
  read(): Promise<readonly MarkEntry[]>;
  /** @throws errors of the file system */
  add(entry: MarkEntry): Promise<void>;
}

/** @param folder folder with the notes of hooks; hooks and the server read the marks there */
export function markFile(folder: string, path: string): MarkFile {
  const read = async () => marksIn(await readIfThere(await fileOf(folder, path)).catch(() => undefined));
  return {
    read,
    add: async (entry) => {
      await mkdir(folder, { recursive: true, mode: privateFolder });
      await replaceFile(await fileOf(folder, path), sealed({ marks: [...(await read()), entry] }));
    },
  };
}

async function fileOf(folder: string, path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  return join(folder, `${createHash('sha256').update(real).digest('hex').slice(0, 32)}.marks.json`);
}

/** Matches nothing, because no version wrote marks without a seal. */
const never = /(?!)/u;

function marksIn(text: string | undefined): readonly MarkEntry[] {
  const marks = text === undefined ? undefined : unsealed(text, never)?.['marks'];
  if (!Array.isArray(marks)) return [];
  return marks.flatMap((mark: unknown) => {
    const read = readEvent(JSON.stringify(mark), '');
    return typeof read !== 'string' && read.event.type === 'mark' ? [read.event] : [];
  });
}
