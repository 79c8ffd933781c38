import { headOf, tailOf } from '../../compaction/clip.ts';
import { isRecord } from '../provider-error.ts';

/** A line that matches. */
export interface MatchLine {
  /** As ripgrep prints it. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The line, or what stands around the match where it is long. */
  readonly text: string;
}

const longestText = 250;
/** Of a long line, characters kept before the match. */
const before = 80;

/** Reads one line of `rg --json`; undefined for those that report something other than a match. */
export function readMatch(json: string): MatchLine | undefined {
  const event: unknown = JSON.parse(json);
  if (!isRecord(event) || event['type'] !== 'match' || !isRecord(event['data'])) return undefined;
  const { path, lines, line_number: line, submatches } = event['data'];
  const first: unknown = Array.isArray(submatches) ? submatches[0] : undefined;
  const start = isRecord(first) && typeof first['start'] === 'number' ? first['start'] : 0;
  const text = textOf(lines);
  return {
    path: textOf(path),
    line: typeof line === 'number' ? line : 0,
    text: clipAround(text.replace(/\r?\n$/, ''), text, start),
  };
}

/** ripgrep gives texts that are not UTF-8 in base 64. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return '';
  if (typeof value['text'] === 'string') return value['text'];
  return typeof value['bytes'] === 'string' ? Buffer.from(value['bytes'], 'base64').toString() : '';
}

/** @param start where the match begins, in bytes of the whole text */
function clipAround(line: string, whole: string, start: number): string {
  if (line.length <= longestText) return line;
  const matchAt = Buffer.from(whole).subarray(0, start).toString().length;
  const from = Math.max(0, Math.min(matchAt - before, line.length - longestText));
  const head = from === 0 ? '' : '…';
  // Neither end may lie inside a character.
  const rest = tailOf(line, line.length - from);
  return rest.length <= longestText ? `${head}${rest}` : `${head}${headOf(rest, longestText)}…`;
}
