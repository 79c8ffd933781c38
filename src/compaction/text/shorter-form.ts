import type { Cut } from './clip.ts';
import { parseRewritable } from './parse-json.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * A shorter form of a text consists of pieces of it, in order, with notes about the missing parts, or is the
 * same JSON with parts removed. A note is in square brackets on one line, or an ellipsis, so that it can be
 * told apart from the text.
 */

/** Pattern of a possible note. The text between two notes is a piece. */
const noteCandidate = /\[[^[\]\n]{1,300}\]|…|\.{3}/gu;
/** Words and signs for missing text. Every note contains one of them. */
const saysMissing =
  /…|\.{3}|left out|\b(?:omit|truncat|clip|cut|remov|hid|elid|skip|shorten)|recall\(|省略|截|隐藏|移除/iu;
const mostNotes = 100;
/** Maximum number of characters of notes between two pieces, so that the notes contain no text. */
const longestNotes = 1_000;
/** Key of an object entry that reports missing entries. */
const missingKey = '…';
/** Number of characters at the start of a piece that are searched for first, to save time. */
const anchorLength = 64;
/** Maximum number of positions tried for the start of a piece. */
const mostPlaces = 50;
const deepest = 100;

/** True if a string consists only of pieces of the original, in order, and notes about missing text. */
export function isShorterForm(original: string, text: string): boolean {
  return text === original || isMadeOfPieces(original, text) || isLessJson(original, text);
}

export function isShorterCut({ middle }: Cut): boolean {
  return isNote(middle.trim());
}

const noteOpening = '[…';
const noteHere = new RegExp(noteCandidate.source, 'uy');

/** True for a text with both ends of the original around one note, like most shorter forms. */
function isEitherEnd(original: string, text: string): boolean {
  for (let start = text.indexOf(noteOpening); start >= 0; start = text.indexOf(noteOpening, start + 1)) {
    const head = text.slice(0, start).trimEnd();
    if (!original.startsWith(head)) return false;
    noteHere.lastIndex = start;
    const note = noteHere.exec(text)?.[0];
    if (note === undefined || !saysMissing.test(note)) continue;
    const tail = text.slice(start + note.length).trimStart();
    if (head.length + tail.length <= original.length && original.endsWith(tail)) return true;
  }
  return false;
}

export function hasNote(text: string): boolean {
  return (text.match(noteCandidate) ?? []).some((candidate) => saysMissing.test(candidate));
}

function isNote(value: unknown): boolean {
  return typeof value === 'string' && value.match(noteCandidate)?.[0] === value && saysMissing.test(value);
}

/** True if call arguments differ only in shorter strings, or are one string under the key `clipped`. */
export function areShorterArguments(original: string, json: string): boolean {
  if (json === original) return true;
  const shorter = parseRewritable(json);
  const whole = parseRewritable(original);
  if (shorter === undefined) return whole === undefined && isMadeOfPieces(original, json);
  if (isWrapped(original, shorter.value)) return true;
  return whole !== undefined && isLess(whole.value, shorter.value, true, 0);
}

/** True if the JSON has only the wrapper key, with pieces of the original. */
function isWrapped(original: string, value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  const { clipped } = value;
  return typeof clipped === 'string' && isMadeOfPieces(original, clipped);
}

/** True if a text consists of pieces of the original and notes. The original may also have notes. */
function isMadeOfPieces(original: string, text: string): boolean {
  return (
    isEitherEnd(original, text) || matchesPieces(original, text, true) || matchesPieces(original, text, false)
  );
}

function matchesPieces(original: string, text: string, keepsNotes: boolean): boolean {
  let place = 0;
  let searched = 0;
  let isAnything = false;
  let noteLength = 0;
  let position = 0;
  const takePiece = (end: number, isLast: boolean): boolean => {
    const piece = text.slice(position, end).trim();
    if (piece === '') return true;
    const found = placeOf(original, piece, place, isLast);
    if (found < 0) return false;
    place = found + piece.length;
    isAnything = true;
    noteLength = 0;
    return true;
  };
  for (const { 0: candidate, index } of text.matchAll(noteCandidate)) {
    if (!saysMissing.test(candidate)) continue;
    if (++searched > mostNotes) break;
    if (keepsNotes && original.includes(candidate, place)) continue;
    if (!takePiece(index, false)) return false;
    noteLength += candidate.length;
    if (noteLength > longestNotes) return false;
    isAnything = true;
    position = index + candidate.length;
  }
  return takePiece(text.length, true) && isAnything;
}

/** Finds a piece at or after a position; -1 if not found. For the last piece, tries the end first. */
function placeOf(original: string, piece: string, from: number, isLast: boolean): number {
  if (original.startsWith(piece, from)) return from;
  const end = original.trimEnd();
  if (isLast && end.length - piece.length >= from && end.endsWith(piece)) return end.length - piece.length;
  const anchor = piece.slice(0, anchorLength);
  let place = original.indexOf(anchor, from);
  for (let tried = 0; place >= 0 && tried < mostPlaces; tried++) {
    if (original.startsWith(piece, place)) return place;
    place = original.indexOf(anchor, place + 1);
  }
  return -1;
}

function isLessJson(original: string, text: string): boolean {
  if (!/^\s*[[{]/u.test(original) || !/^\s*[[{]/u.test(text)) return false;
  const less = parseRewritable(text);
  if (less === undefined) return false;
  if (isWrapped(original, less.value)) return true;
  const whole = parseRewritable(original);
  return whole !== undefined && isLess(whole.value, less.value, false, 0);
}

/** @param hasAll true if no key or entry may be missing */
function isLess(whole: unknown, less: unknown, hasAll: boolean, depth: number): boolean {
  if (typeof whole === 'string' && typeof less === 'string') {
    return less === whole || isMadeOfPieces(whole, less);
  }
  if (depth >= deepest) return JSON.stringify(whole) === JSON.stringify(less);
  if (Array.isArray(whole) && Array.isArray(less)) {
    let next = 0;
    const left = hasAll ? less : less.filter((entry) => whole.includes(entry) || !isNote(entry));
    for (const entry of whole) {
      if (next < left.length && isLess(entry, left[next], hasAll, depth + 1)) next++;
      else if (hasAll) return false;
    }
    return next === left.length;
  }
  if (isRecord(whole) && isRecord(less)) {
    const keys = Object.keys(less);
    return (
      (!hasAll || keys.length === Object.keys(whole).length) &&
      keys.every(
        (key) =>
          // The original may also use this key, and a note may replace its value.
          (!hasAll && key === missingKey && isNote(less[key])) ||
          (Object.hasOwn(whole, key) && isLess(whole[key], less[key], hasAll, depth + 1)),
      )
    );
  }
  return whole === less;
}
