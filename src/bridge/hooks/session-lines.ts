import { claudeCodeFormat } from '../../transcripts/formats/claude-code/claude-code-format.ts';
import { codexFormat } from '../../transcripts/formats/codex/codex-format.ts';
import { copilotEventsFormat } from '../../transcripts/formats/copilot/copilot-events-format.ts';
import { readEventLines } from '../../transcripts/reading/json-document.ts';
import { unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { type Imported, ImportError } from '../../transcripts/reading/transcript-format.ts';
import { HookCallError } from './hook-call.ts';
import { lineFeed, type OpenedLines, pieceSize } from './opened-lines.ts';
import { shortenedLines } from './shortened-lines.ts';

/** Maximum bytes of newest lines in memory. Parsed lines take several times as much memory. */
const mostKept = 48_000_000;

/** Lines in a part of a session's file. */
interface NewestLines {
  /** Whole lines, without lines over the length limit. */
  readonly lines: Buffer;
  /** The last line if its end is missing. */
  readonly rest: Buffer;
  /** Position of that last line in the file, in bytes. */
  readonly end: number;
}

/**
 * Reads the newest lines between two positions in a session's file, however far apart.
 * @param start position in bytes
 * @param end position in bytes
 * @param isCut true if the first line begins before the start. It is then left out
 */
export async function readNewestLines(
  session: OpenedLines,
  start: number,
  end: number,
  isCut: boolean,
): Promise<NewestLines> {
  return (await readAtOnce(session, start, end, isCut)) ?? readPieces(session, start, end, isCut);
}

/** Reads lines without copying them. @returns undefined if they exceed the memory, or a line exceeds the limit */
async function readAtOnce(
  session: OpenedLines,
  start: number,
  end: number,
  isCut: boolean,
): Promise<NewestLines | undefined> {
  if (end - start > mostKept) return undefined;
  const bytes = await session.bytes(start, end);
  const first = isCut ? bytes.indexOf(lineFeed) + 1 : 0;
  if (isCut && first === 0) return { lines: Buffer.alloc(0), rest: Buffer.alloc(0), end: start };
  for (let at = first; bytes.length - at > unaskedLimits.line;) {
    const next = bytes.lastIndexOf(lineFeed, at + unaskedLimits.line - 1) + 1;
    if (next <= at) return undefined;
    at = next;
  }
  const last = bytes.lastIndexOf(lineFeed) + 1;
  return { lines: bytes.subarray(first, last), rest: bytes.subarray(last), end: start + last };
}

async function readPieces(
  session: OpenedLines,
  start: number,
  end: number,
  isCut: boolean,
): Promise<NewestLines> {
  const kept: Buffer[] = [];
  let keptLength = 0;
  let line: Buffer[] = [];
  let lineLength = isCut ? unaskedLimits.line : 0;
  let lineStart = start;
  const begin = (bytes: Buffer) => {
    lineLength += bytes.length;
    if (lineLength > unaskedLimits.line) line = [];
    else line.push(bytes);
  };
  const keep = (...lines: readonly Buffer[]) => {
    for (const bytes of lines) {
      kept.push(bytes);
      keptLength += bytes.length;
    }
    while (keptLength > mostKept) keptLength -= kept.shift()!.length;
  };
  for (let at = start; at < end;) {
    const piece = await session.bytes(at, Math.min(at + pieceSize, end));
    if (piece.length === 0) break;
    const feed = piece.indexOf(lineFeed) + 1;
    const last = piece.lastIndexOf(lineFeed) + 1;
    if (feed > 0) {
      begin(piece.subarray(0, feed));
      keep(...line, piece.subarray(feed, last));
      [line, lineLength, lineStart] = [[], 0, at + last];
    }
    begin(piece.subarray(last));
    at += piece.length;
  }
  return { lines: Buffer.concat(kept), rest: Buffer.concat(line), end: lineStart };
}

/** Formats of the agents that call hooks. Others would only lengthen the start of each hook. */
const hookFormats = [claudeCodeFormat, codexFormat, copilotEventsFormat];

/** @param format id of a format, or `auto` to detect it. @returns undefined if it is not a format of a hook's agent */
export function hookFormat(text: string, format: string): (typeof hookFormats)[number] | undefined {
  return hookFormats.find((known) => (format === 'auto' ? known.recognises(text) : known.id === format));
}

/** Lines of a session's file, with their messages. */
export interface SessionPiece extends Imported {
  /** Id of the format. */
  readonly format: string;
}

/**
 * Reads lines of a session.
 * @param bytes whole lines in UTF-8
 * @param format id of a format, or `auto`
 * @param isPiece true for a part of a file, which may have no messages
 * @returns undefined for a piece without messages
 * @throws {ImportError} if a whole file is not a session
 * @throws {HookCallError} if a whole file has no known format
 */
export function readSessionLines(bytes: Buffer, format: string, isPiece: boolean): SessionPiece | undefined {
  const text = shortenedLines(bytes);
  const { id = '', lines } = hookFormat(text, format) ?? {};
  if (lines === undefined) {
    if (isPiece) return undefined;
    throw new HookCallError('the transcript is in no known format');
  }
  try {
    return { ...lines.read(readEventLines(text, unaskedLimits, lines.partOf)), format: id };
  } catch (error) {
    if (isPiece && error instanceof ImportError) return undefined;
    throw error;
  }
}
