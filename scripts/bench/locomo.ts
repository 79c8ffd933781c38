import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { isRecord } from '../../src/language/is-record.ts';
import { projectFolder } from '../project.ts';

/**
 * LoCoMo: ten long conversations of two people, with questions and the turns that answer them (Maharana et al. 2024,
 * CC BY-NC 4.0). They are downloaded for measurements and are not part of the project.
 */
const source = 'https://raw.githubusercontent.com/snap-research/locomo/e76cdff/data/locomo10.zip';
const kept = join(projectFolder, 'out', 'bench', 'locomo10.zip');
/** Maximum milliseconds for the download. */
const patience = 20_000;

/** A turn of a conversation. */
export interface Turn {
  readonly id: string;
  readonly text: string;
}

/** One of the conversations. */
export interface Conversation {
  readonly turns: readonly Turn[];
  /** Questions, each with the ids of the turns that answer it. */
  readonly questions: readonly { readonly text: string; readonly evidence: readonly string[] }[];
}

/** @returns undefined if the conversations are not stored and cannot be downloaded */
export async function readLocomo(): Promise<readonly Conversation[] | undefined> {
  const archive = await readFile(kept).catch(() => fetched());
  return archive === undefined ? undefined : jsonFilesIn(archive).map(conversationOf);
}

async function fetched(): Promise<Buffer | undefined> {
  try {
    const response = await fetch(source, { signal: AbortSignal.timeout(patience) });
    if (!response.ok) return undefined;
    const archive = Buffer.from(await response.arrayBuffer());
    await mkdir(dirname(kept), { recursive: true });
    await writeFile(kept, archive);
    return archive;
  } catch {
    return undefined;
  }
}

/** Reads the JSON files in a zip archive whose files are all deflated (APPNOTE 4.3). Knows only the needed fields. */
function jsonFilesIn(archive: Buffer): readonly unknown[] {
  const files: unknown[] = [];
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let entry = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) =>
      archive.readUInt16LE(entry + at),
    );
    const name = archive.toString('utf8', entry + 46, entry + 46 + nameLength!);
    const local = archive.readUInt32LE(entry + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + archive.readUInt32LE(entry + 20));
    if (name.endsWith('.json')) files.push(JSON.parse(inflateRawSync(packed).toString('utf8')));
    entry += 46 + nameLength! + extraLength! + commentLength!;
  }
  return files;
}

function conversationOf(file: unknown): Conversation {
  if (!isRecord(file)) throw new Error('A conversation of LoCoMo is not an object.');
  const sessions = Object.keys(file)
    .flatMap((name) => /^session_(\d+)$/u.exec(name)?.[1] ?? [])
    .toSorted((one, other) => Number(one) - Number(other));
  const turns = sessions.flatMap((session) =>
    listIn(file[`session_${session}`]).map(({ dia_id: id, speaker, text }): Turn => ({
      id: String(id),
      text: `${String(speaker)}: ${String(text)}`,
    })),
  );
  const questions = listIn(file['qa']).map(({ question, evidence }) => ({
    text: String(question),
    evidence: (Array.isArray(evidence) ? evidence : []).flatMap((ids) => String(ids).split(/[;,\s]+/u)),
  }));
  return { turns, questions };
}

function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
