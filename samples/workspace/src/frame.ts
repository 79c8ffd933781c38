import { crc32 } from 'node:zlib';
import type { NoteEvent } from './note.ts';

/**
 * One event as one line: checksum, length, payload. See docs/storage.md.
 *
 * The length is redundant next to the checksum and the line break, and that is its use: a line that was cut short is
 * told apart from a line whose bytes were changed, which makes for a better warning.
 */
export function encodeFrame(event: NoteEvent): Buffer {
  const payload = Buffer.from(JSON.stringify(event));
  return Buffer.concat([Buffer.from(`${checksum(payload)} ${payload.length} `), payload, Buffer.from('\n')]);
}

/** A stretch of the log: an event, or bytes that are none. */
export type Frame = SoundFrame | DamagedFrame;
export type SoundFrame = Span & { readonly event: NoteEvent };
export type DamagedFrame = Span & { readonly damage: Damage };

/** Where in the file it lies, in bytes. `end` is behind the line break. */
export interface Span {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

export type Damage = 'cut short' | 'wrong checksum' | 'no frame' | 'no event';

/** Reads a whole log. Every byte of it is in exactly one frame. */
export function* decodeFrames(log: Buffer): Generator<Frame> {
  let line = 1;
  let start = 0;
  while (start < log.length) {
    const lineBreak = log.indexOf(lineFeed, start);
    const end = lineBreak < 0 ? log.length : lineBreak + 1;
    const content = decodeLine(log.subarray(start, lineBreak < 0 ? end : lineBreak), lineBreak >= 0);
    yield { line, start, end, ...content };
    line += 1;
    start = end;
  }
}

const lineFeed = 10;
const header = /^([0-9a-f]{8}) (\d{1,9}) /;

function decodeLine(bytes: Buffer, isEnded: boolean): { event: NoteEvent } | { damage: Damage } {
  // A header is at most 8 + 1 + 9 + 1 bytes, all of them ASCII.
  const match = header.exec(bytes.subarray(0, 19).toString('latin1'));
  if (match === null) return { damage: isEnded ? 'no frame' : 'cut short' };
  const payload = bytes.subarray(match[0].length);
  if (payload.length < Number(match[2]) || !isEnded) return { damage: 'cut short' };
  if (payload.length > Number(match[2]) || checksum(payload) !== match[1])
    return { damage: 'wrong checksum' };
  const event = parseEvent(payload.toString());
  return event === undefined ? { damage: 'no event' } : { event };
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/**
 * A sound checksum says that the bytes are those that were written, not that a Driftwood wrote them: the payload of a
 * log that was copied from elsewhere is checked like any other input.
 */
function parseEvent(payload: string): NoteEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  return isEvent(value) ? value : undefined;
}

function isEvent(value: unknown): value is NoteEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { id, at, clock, author, type, text, tags, day } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof at !== 'string' || typeof author !== 'string') return false;
  if (!Number.isSafeInteger(clock)) return false;
  switch (type) {
    case 'added':
    case 'edited':
      return typeof text === 'string';
    case 'tagged':
      return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
    case 'due':
      return day === null || typeof day === 'string';
    default:
      return type === 'dropped';
  }
}
