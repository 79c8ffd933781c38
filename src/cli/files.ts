import { readFile, writeFile } from 'node:fs/promises';
import { messageOf } from '../compaction/failure.ts';
import { messagesOf } from '../compaction/transcript.ts';
import { counted } from '../insights/export/record-words.ts';
import { ImportError } from '../transcripts/format.ts';
import { importTranscript, type ImportedTranscript } from '../transcripts/import.ts';
import { UsageError, type Io } from './command.ts';

/** Of what could not be read in a file, the most that is told. */
const mostProblems = 10;

/** @throws {UsageError} where the file cannot be read */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${reasonOf(error)}.`);
  }
}

/** @throws {UsageError} where the file cannot be read or is not JSON */
export async function readJson(path: string): Promise<unknown> {
  return parseJson(path, await readText(path));
}

/** @throws {UsageError} where the text of the file is not JSON */
export function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not valid JSON: ${messageOf(error)}.`);
  }
}

/**
 * Reads a transcript; what had to be left out is noted.
 *
 * @param conversation id of another one in the file than the one in force
 * @returns what the file holds, with its text
 * @throws {UsageError} where the file cannot be read or is no transcript
 */
export async function readTranscript(path: string, io: Io, format = 'auto', conversation?: string) {
  return readTranscriptText(path, await readText(path), io, format, conversation);
}

/**
 * As `readTranscript`, from the text of the file.
 *
 * @throws {UsageError} where it is no transcript
 */
export function readTranscriptText(
  path: string,
  text: string,
  io: Io,
  format = 'auto',
  conversation?: string,
) {
  try {
    const imported = importTranscript(text, format, conversation);
    if (imported.problems.length > 0) noteProblems(path, imported, io);
    return { ...imported, text };
  } catch (error) {
    if (error instanceof ImportError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/**
 * Says in one line what was read and what was left out.
 *
 * @throws {UsageError} where that is everything
 */
function noteProblems(path: string, { format, problems, ...transcript }: ImportedTranscript, io: Io): void {
  const messages = messagesOf(transcript).length;
  const others = problems.length - mostProblems;
  const leftOut = [...problems.slice(0, mostProblems), ...(others > 0 ? [`And ${others} more.`] : [])].join(
    ' ',
  );
  if (messages === 0) {
    throw new UsageError(`${path}: no message could be read in it, as ${format}. ${leftOut}`);
  }
  io.note(`${path}: ${counted(messages, 'message')} read, as ${format}. ${leftOut}`);
}

/** @throws {UsageError} where the file cannot be written */
export async function writeJson(path: string, value: unknown): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}.`);
  }
}

export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${reasonOf(error)}.`);
  }
}

/** Why a file could not be read or written, in a few words. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'EACCES') return 'permission denied';
  return messageOf(error);
}
