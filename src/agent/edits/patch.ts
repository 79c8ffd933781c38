import type { FilePatch, Hunk, HunkLine } from './apply-hunks.ts';
import { EditMismatchError } from './file-editor.ts';
import { toModel } from '../../language/sentence.ts';

const beginOfPatch = '*** Begin Patch';
const endOfPatch = '*** End Patch';

/** Reads a patch from `*** Begin Patch` to `*** End Patch`. @throws {EditMismatchError} quotes an unexpected line */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() === beginOfPatch);
  const last = lines.findLastIndex((line) => line.trim() === endOfPatch);
  if (first < 0) throw new EditMismatchError(toModel`A patch begins with "${beginOfPatch}".`);
  if (last < first) {
    throw new EditMismatchError(
      toModel`The patch has no "${endOfPatch}": it may be cut off. Send all of it.`,
    );
  }
  const sections: OpenSection[] = [];
  for (const line of lines.slice(first + 1, last)) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.*)$/.exec(line.trimEnd());
    if (heading !== null) {
      const [, verb = '', path = ''] = heading;
      const type = verb.toLowerCase() as FilePatch['type'];
      sections.push({ type, path: path.trim(), added: [], hunks: [] });
    } else readLine(line, sections.at(-1));
  }
  if (sections.length === 0) throw new EditMismatchError(toModel`The patch names no file to change.`);
  return sections.map(filePatchOf);
}

/** Finds the paths in a patch without parsing the rest. */
export function pathsIn(text: string): readonly string[] {
  const named = text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: ([^\t\r\n]+)/gm);
  return [...new Set(Array.from(named, ([, path = '']) => path.trim()))];
}

interface OpenSection {
  readonly type: FilePatch['type'];
  readonly path: string;
  moveTo?: string;
  readonly added: string[];
  readonly hunks: OpenHunk[];
}

interface OpenHunk {
  readonly headings: string[];
  readonly lines: HunkLine[];
  isAtEnd: boolean;
}

/** Adds a line to its section. @throws {EditMismatchError} if it does not fit there */
function readLine(line: string, section: OpenSection | undefined): void {
  const isBlank = line.trim() === '';
  if (section?.type === 'update') readUpdate(line, section);
  else if (section?.type === 'add' && line.startsWith('+'))
    section.added.push(`${withoutReturn(line.slice(1))}\n`);
  else if (!isBlank) throw misplaced(line, section);
}

function readUpdate(line: string, section: OpenSection): void {
  const moved = /^\*\*\* Move to: (.*)$/.exec(line);
  const hunk = section.hunks.at(-1);
  const kind = kindOf(line);
  if (moved !== null) section.moveTo = moved[1]?.trim() ?? '';
  else if (line.startsWith('@@')) readHeading(line, section);
  else if (line.trimEnd() === '*** End of File') {
    if (hunk === undefined) throw misplaced(line, section);
    hunk.isAtEnd = true;
  } else if (kind === undefined) throw misplaced(line, section);
  else if (hunk !== undefined) hunk.lines.push({ kind, text: `${withoutReturn(line.slice(1))}\n` });
  else if (line.trim() !== '') {
    const text = `${withoutReturn(line.slice(1))}\n`;
    section.hunks.push({ headings: [], lines: [{ kind, text }], isAtEnd: false });
  }
}

function kindOf(line: string): HunkLine['kind'] | undefined {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith(' ') || line.trim() === '' ? 'context' : undefined;
}

/** Reads a heading such as `@@ class Lock`. Nested headings follow each other before the lines of the hunk. */
function readHeading(line: string, section: OpenSection): void {
  // Models may also write line numbers here, as in a unified diff.
  const heading = line.replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, '').trim();
  const headings = heading === '' ? [] : [heading];
  const open = section.hunks.at(-1);
  if (open?.lines.length === 0) open.headings.push(...headings);
  else section.hunks.push({ headings, lines: [], isAtEnd: false });
}

function filePatchOf({ type, path, moveTo, added, hunks }: OpenSection): FilePatch {
  if (path === '') throw new EditMismatchError(toModel`A section of the patch names no file.`);
  if (type === 'add') return { type, path, text: added.join('') };
  if (type === 'delete') return { type, path };
  const full = hunks.map(withoutBlankEnd).filter(({ lines }) => lines.length > 0);
  if (full.length === 0 && moveTo === undefined) {
    throw new EditMismatchError(toModel`The section for ${path} changes nothing.`);
  }
  return { type, path, hunks: full, ...(moveTo === undefined ? {} : { moveTo }) };
}

function withoutBlankEnd({ headings, lines, isAtEnd }: OpenHunk): Hunk {
  const last = lines.findLastIndex(({ kind, text }) => kind !== 'context' || text !== '\n');
  return { headings, lines: lines.slice(0, last + 1), isAtEnd };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function misplaced(line: string, section: OpenSection | undefined): EditMismatchError {
  const where = section === undefined ? 'before the first section' : `in the section for ${section.path}`;
  const marks =
    section?.type === 'update'
      ? 'with "+", "-", a space or "@@"'
      : section?.type === 'add'
        ? 'with "+"'
        : 'there';
  return new EditMismatchError(
    toModel`The patch has a line ${where} that does not begin ${marks}: \`${line.slice(0, 120)}\`.`,
  );
}
