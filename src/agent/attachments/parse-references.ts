import type { LineRange } from '../../compaction/messages/message.ts';

/** Source of an attachment to a message. */
export type AttachmentSource = FileSource | PictureSource | { readonly type: ContextSource };

/** A picture that was pasted into a message, identified by the name under which it is stored. */
interface PictureSource {
  readonly type: 'picture';
  readonly name: string;
}

/** A file, identified by its path. */
export interface FileSource {
  readonly type: 'path';
  /** The path as typed: relative to the workspace or absolute. */
  readonly path: string;
  readonly lines?: LineRange;
  /** False for a single word without quotes that may be no path, as in `@alex`. */
  readonly isExplicit: boolean;
}

/** Context known to the editor: selection, open file, problems, changes. */
export const contextSources = ['selection', 'file', 'problems', 'changes'] as const;
export type ContextSource = (typeof contextSources)[number];

/** A place in a message that names an attachment. */
export interface AttachmentReference {
  /** Position of the first character, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly source: AttachmentSource;
}

const plainPath = /^[\p{L}\p{N}_.\-/\\+~$@]*[\p{L}\p{N}_\-/+~$@]$/u;

/** Returns a reference to a file, for example `@src/lock.ts:10-20`. @param path without line feeds */
export function referenceText(path: string, lines?: LineRange): string {
  const named =
    plainPath.test(path) && /[\p{L}\p{N}]/u.test(path) ? path : `"${path.replace(/["\\]/gu, '\\$&')}"`;
  if (lines === undefined) return `@${named}`;
  return `@${named}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}`;
}

/** Characters before `@` or `#` that make it part of a word, such as an address, a decorator or an anchor. */
const notBehind = String.raw`(?<![\p{Script=Latin}\p{N}_.+\-/@#&])`;
const lineNumbers = String.raw`:(?<first>\d{1,9})(?:[-–](?<last>\d{1,9}))?`;

/** Matches references, and code, which is skipped. A plain path has no spaces or shell characters. */
const tokens = new RegExp(
  [
    String.raw`^[ \t]*(?<fence>\x60{3,}|~{3,})[^\n]*(?:\n(?![ \t]*\k<fence>)[^\n]*)*(?:\n[ \t]*\k<fence>[^\n]*)?`,
    String.raw`\x60[^\x60\n]+\x60`,
    String.raw`${notBehind}@"(?<quoted>(?:[^"\\\n]|\\[^\n])+)"(?:${lineNumbers})?`,
    String.raw`${notBehind}@(?<plain>[^\s"'\x60<>|*?，。；：！？、（）《》「」【】“”]+)`,
    String.raw`${notBehind}#(?<picture>picture-[0-9a-f]{10})(?![\p{L}\p{N}_-])`,
    String.raw`${notBehind}#(?<context>selection|file|problems|changes)(?![\p{L}\p{N}_-])`,
  ].join('|'),
  'gmu',
);

/** Finds the references to attachments in a message, in order. */
export function parseReferences(text: string): readonly AttachmentReference[] {
  const references: AttachmentReference[] = [];
  for (const { 0: found, index, groups = {} } of text.matchAll(tokens)) {
    const { quoted, plain, context, picture } = groups;
    if (context !== undefined) {
      references.push(at(index, found.length, { type: context as ContextSource }));
    } else if (picture !== undefined) {
      references.push(at(index, found.length, { type: 'picture', name: picture }));
    } else if (quoted !== undefined) {
      const path = quoted.replace(/\\(.)/gu, '$1');
      references.push(at(index, found.length, fileSource(path, linesOf(groups), true)));
    } else if (plain !== undefined) {
      const named = withoutPunctuation(plain);
      const source = named === '' ? undefined : plainSource(named);
      if (source !== undefined) references.push(at(index, named.length + 1, source));
    }
  }
  return references;
}

function at(start: number, length: number, source: AttachmentSource): AttachmentReference {
  return { start, end: start + length, source };
}

const pathAndLines = new RegExp(`^(?<path>.+?)(?:${lineNumbers})?$`, 'u');

function plainSource(named: string): AttachmentSource | undefined {
  const groups = pathAndLines.exec(named)?.groups ?? {};
  const { path } = groups;
  if (path === undefined || !/[\p{L}\p{N}]/u.test(path)) return undefined;
  const lines = linesOf(groups);
  return fileSource(path, lines, lines !== undefined || /[./\\]/u.test(path));
}

function fileSource(path: string, lines: LineRange | undefined, isExplicit: boolean): AttachmentSource {
  return { type: 'path', path, ...(lines === undefined ? {} : { lines }), isExplicit };
}

function linesOf({
  first,
  last = first,
}: Readonly<Record<string, string | undefined>>): LineRange | undefined {
  if (first === undefined) return undefined;
  const numbers = [Number(first), Number(last)].map((number) => Math.max(1, number));
  return { first: Math.min(...numbers), last: Math.max(...numbers) };
}

const brackets = ['()', '[]', '{}'];

/** Removes punctuation that ends the sentence, and closing brackets without an opening one, from a path. */
function withoutPunctuation(text: string): string {
  const closing = brackets.filter(([opening = '']) => !text.includes(opening)).map(([, sign = '']) => sign);
  const punctuation = `.,:;!…${closing.join('')}`;
  let end = text.length;
  while (end > 0 && punctuation.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
