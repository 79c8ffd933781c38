import type { Cut } from './clip.ts';
import { parseRewritable } from './parse-json.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * A text is a shorter form of another one if it is made of pieces of it, in their order, with notes of what is
 * missing between them; or if it is the same JSON with less in it. A note is in square brackets, on one line,
 * or is a mere ellipsis: what is not from the text has to be told from it.
 */

/** Pattern of a possible note. The text before and after it is not part of a piece. */
const noteCandidate = /\[[^[\]\n]{1,300}\]|…|\.{3}/gu;
/** Content required of a note in brackets: that something is missing, in one of the words for it. */
const saysMissing =
  /…|\.{3}|left out|\b(?:omit|truncat|clip|cut|remov|hid|elid|skip|shorten)|recall\(|省略|截|隐藏|移除/iu;
/** Notes in one text; each is looked for in the whole original. */
const mostNotes = 100;
/** Characters of the notes between two pieces, one for each removed text or image; not text of their own. */
const longestNotes = 1_000;
/** Key under which an object says that entries are missing. */
const missingKey = '…';
/** Characters of a piece that are looked for first, so that no text makes the search take long. */
const anchorLength = 64;
/** Places where a piece could begin that are tried. */
const mostPlaces = 50;
/** Nesting below which values of JSON have to be the same. */
const deepest = 100;

/** True if a string has nothing in it but what the original has, in its order, and notes of what is missing. */
export function isShorterForm(original: string, text: string): boolean {
  return text === original || isMadeOfPieces(original, text) || isLessJson(original, text);
}

/** True for a cut whose middle says that something is missing. */
export function isShorterCut({ middle }: Cut): boolean {
  return isNote(middle.trim());
}

/** Beginning of most notes. */
const noteOpening = '[…';
const noteHere = new RegExp(noteCandidate.source, 'uy');

/**
 * True for the beginning and the end of the original around one note, which is what most shorter forms are. Other notes
 * in them, however many, are then the original's own.
 */
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

/** True if a string says that something is missing. */
export function hasNote(text: string): boolean {
  return (text.match(noteCandidate) ?? []).some((candidate) => saysMissing.test(candidate));
}

/** True if a JSON value is a note and nothing else. */
function isNote(value: unknown): boolean {
  return typeof value === 'string' && value.match(noteCandidate)?.[0] === value && saysMissing.test(value);
}

/**
 * True if arguments of a call are the same with shorter strings in them: the same keys, the same numbers. Arguments
 * that are long for another reason may be one string under the key `clipped`.
 *
 * @param original arguments as they were, JSON or not
 */
export function areShorterArguments(original: string, json: string): boolean {
  if (json === original) return true;
  const shorter = parseRewritable(json);
  const whole = parseRewritable(original);
  if (shorter === undefined) return whole === undefined && isMadeOfPieces(original, json);
  if (isWrapped(original, shorter.value)) return true;
  return whole !== undefined && isLess(whole.value, shorter.value, true, 0);
}

/** True if JSON holds pieces of a string and nothing else, under the key for that. */
function isWrapped(original: string, value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  const { clipped } = value;
  return typeof clipped === 'string' && isMadeOfPieces(original, clipped);
}

/**
 * The original may have notes of its own, which are pieces of it like any other. One of them may read like a note that
 * was put in since, so what looks like one of the original's is tried as both.
 */
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

/** Index at which a piece begins, at or after a position; the last one is looked for at the end first. -1 if none. */
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

/** @param hasAll true if every key and entry has to be there still */
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
          // The original may have that key, too, and lose its value to the note.
          (!hasAll && key === missingKey && isNote(less[key])) ||
          (Object.hasOwn(whole, key) && isLess(whole[key], less[key], hasAll, depth + 1)),
      )
    );
  }
  return whole === less;
}
