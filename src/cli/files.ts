import { open, realpath, stat, writeFile } from 'node:fs/promises';
import { replaceFile } from '../agent/files/replace-file.ts';
import { messageOf } from '../compaction/records/reason.ts';
import { messagesOf } from '../compaction/transcript/transcript.ts';
import { counted } from '../insights/export/record-export.ts';
import { ImportError } from '../transcripts/reading/transcript-format.ts';
import { allFormats } from '../transcripts/all-formats.ts';
import { followTranscript } from '../transcripts/followed-transcript.ts';
import {
  conversationOf,
  importTranscript,
  type ImportedTranscript,
} from '../transcripts/import-transcript.ts';
import { noLimits, openedLimits } from '../transcripts/reading/read-limits.ts';
import { jsonLines } from '../transcripts/reading/json-lines.ts';
import { objectionToValue } from '../transcripts/reading/fields.ts';
import { UsageError, type Io } from './command.ts';

/** Maximum number of problems reported for one file. */
const mostProblems = 10;

/** Maximum file size in bytes. Parsing takes several times as much memory. */
const mostBytes = 100_000_000;
const chunkSize = 1024 * 1024;

/**
 * Reads a file, or a pipe until its end.
 *
 * @throws {UsageError} if the file cannot be read or is larger than `mostBytes`
 */
export async function readInput(path: string): Promise<string> {
  const bytes = await readBytes(path);
  return decoderOf(bytes).decode(bytes);
}

/** Returns a decoder that drops a byte order mark. Windows PowerShell writes redirected output in UTF-16. */
function decoderOf(beginning: Uint8Array): InstanceType<typeof TextDecoder> {
  const isUtf16 = beginning[0] === 0xff && beginning[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8');
}

async function readBytes(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await readPieces(path, (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

/** @throws {UsageError} if the file cannot be read or is larger than `mostBytes` */
async function readPieces(path: string, take: (piece: Buffer) => void): Promise<void> {
  const handle = await open(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  try {
    const { size } = await handle.stat();
    for (let total = 0; size <= mostBytes && total <= mostBytes;) {
      const { buffer, bytesRead } = await handle
        .read(Buffer.allocUnsafe(chunkSize), 0, chunkSize)
        .catch((error: unknown) => {
          throw unreadable(path, error);
        });
      if (bytesRead === 0) return;
      total += bytesRead;
      take(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
  throw new UsageError(`Cannot read ${path}: it is larger than ${mostBytes / 1e6} MB.`);
}

function unreadable(path: string, error: unknown): UsageError {
  return new UsageError(`Cannot read ${path}: ${fileReason(error)}.`);
}

/** @throws {UsageError} if the file cannot be read or is not JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  return parseJson(path, await readInput(path));
}

/** @throws {UsageError} if the string is not valid JSON, or is nested too deeply */
export function parseJson(path: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON: see line ${jsonLines(text).brokenAt ?? 1}.`);
  }
  const objection = objectionToValue(value);
  if (objection !== undefined) throw new UsageError(`${path} cannot be read: ${objection}`);
  return value;
}

/**
 * Reads a transcript piece by piece, and reports skipped parts.
 *
 * @param conversation id of another conversation in the file; by default the active conversation
 * @throws {UsageError} if the file cannot be read or is not a transcript
 */
export async function readTranscriptInput(
  path: string,
  io: Io,
  format = 'auto',
  conversation?: string,
): Promise<ImportedTranscript> {
  return readNoted(path, io, async () => {
    const followed = followTranscript(format, openedLimits, allFormats);
    let decoder: ReturnType<typeof decoderOf> | undefined;
    let last = '';
    await readPieces(path, (piece) => {
      decoder ??= decoderOf(piece);
      last = decoder.decode(piece, { stream: true });
      followed.append(last);
    });
    // An incomplete last line is reported as unreadable.
    if (last.trimEnd() === last && last.includes('{')) followed.append('\n');
    return conversationOf(followed.read(), conversation);
  });
}

/**
 * Reads a transcript as `readTranscriptInput` does, from text that is already loaded.
 *
 * @returns the transcript, with the text
 * @throws {UsageError} if the text is not a transcript
 */
export async function readTranscriptText(path: string, text: string, io: Io) {
  const imported = await readNoted(path, io, () =>
    Promise.resolve(importTranscript(text, 'auto', undefined, noLimits, allFormats)),
  );
  return { ...imported, text };
}

async function readNoted(
  path: string,
  io: Io,
  read: () => Promise<ImportedTranscript>,
): Promise<ImportedTranscript> {
  try {
    const imported = await read();
    if (imported.problems.length > 0) noteProblems(path, imported, io);
    return imported;
  } catch (error) {
    if (error instanceof ImportError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

/**
 * Prints one line about the messages read and skipped.
 * @throws {UsageError} if all messages were skipped
 */
function noteProblems(path: string, { format, problems, ...transcript }: ImportedTranscript, io: Io): void {
  const messages = messagesOf(transcript).length;
  const others = problems.length - mostProblems;
  const leftOut = [...problems.slice(0, mostProblems), ...(others > 0 ? [`And ${others} more.`] : [])].join(
    ' ',
  );
  if (messages === 0) {
    throw new UsageError(`${path}: no message could be read (format ${format}). ${leftOut}`);
  }
  io.note(`${path}: ${counted(messages, 'message')} read (format ${format}). ${leftOut}`);
}

/** @throws {UsageError} if the file cannot be written */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeText(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Writes messages to stdout, or writes them to a file and reports their number on stderr.
 * @param document the messages in the format of the output
 * @throws {UsageError} if the file cannot be written
 */
export async function writeMessages(
  document: unknown,
  { out, count }: { readonly out: string | undefined; readonly count: number },
  io: Io,
): Promise<void> {
  if (out === undefined) io.print(JSON.stringify(document, null, 2));
  else {
    await writeJson(out, document);
    io.note(`${count} messages written to ${out}.`);
  }
}

/** @throws {UsageError} if the file cannot be written */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    const described = await stat(path).catch(() => undefined);
    if (described?.isFile() !== true) await writeFile(path, text);
    // A file is replaced in one step, so that a full disk leaves it unchanged.
    else await replaceFile(await realpath(path), text, { mode: described.mode & 0o777 });
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: ${fileReason(error)}.`);
  }
}

/** Returns in a few words why a file could not be read or written. */
export function fileReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'EACCES') return 'permission denied';
  return messageOf(error);
}
