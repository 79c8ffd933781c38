import { FileEditError } from './file-editor.ts';
import type { FilePatch, Hunk, HunkLine } from './file-patch.ts';

/** A section of a patch, as long as it is read. */
interface Section {
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

const endOfPatch = '*** End Patch';

/**
 * Reads the form that begins with `*** Begin Patch`. A line within a section begins with `+`, `-` or a space; an
 * empty one counts as an empty line of context.
 *
 * @throws {FileEditError} names the line that does not belong there
 */
export function readAgentPatch(lines: readonly string[]): readonly FilePatch[] {
  const first = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const last = lines.findLastIndex((line) => line.trim() === endOfPatch);
  if (last < first) {
    throw new FileEditError(`The patch has no "${endOfPatch}": it may be cut off. Send all of it.`);
  }
  const sections: Section[] = [];
  for (const line of lines.slice(first + 1, last)) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.*)$/.exec(line.trimEnd());
    if (heading !== null) {
      const [, verb = '', path = ''] = heading;
      const type = verb.toLowerCase() as FilePatch['type'];
      sections.push({ type, path: path.trim(), added: [], hunks: [] });
    } else readLine(line, sections.at(-1));
  }
  return sections.map(filePatchOf);
}

/** Puts a line where it belongs. @throws {FileEditError} where it does not belong anywhere */
function readLine(line: string, section: Section | undefined): void {
  const isBlank = line.trim() === '';
  if (section?.type === 'update') readUpdate(line, section);
  else if (section?.type === 'add' && line.startsWith('+'))
    section.added.push(`${withoutReturn(line.slice(1))}\n`);
  else if (!isBlank) throw misplaced(line, section);
}

function readUpdate(line: string, section: Section): void {
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

/** `@@ class Lock`, and another below it for what is within: both come before the lines of the hunk. */
function readHeading(line: string, section: Section): void {
  // Hunks of unified diffs found their way in here too; their numbers are of no use without their other half.
  const heading = line.replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, '').trim();
  const headings = heading === '' ? [] : [heading];
  const open = section.hunks.at(-1);
  if (open?.lines.length === 0) open.headings.push(...headings);
  else section.hunks.push({ headings, lines: [], isAtEnd: false });
}

function kindOf(line: string): HunkLine['kind'] | undefined {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith(' ') || line.trim() === '' ? 'context' : undefined;
}

function filePatchOf({ type, path, moveTo, added, hunks }: Section): FilePatch {
  if (path === '') throw new FileEditError('A section of the patch names no file.');
  if (type === 'add') return { type, path, text: added.join('') };
  if (type === 'delete') return { type, path };
  const full = hunks.map(withoutBlankEnd).filter(({ lines }) => lines.length > 0);
  if (full.length === 0 && moveTo === undefined) {
    throw new FileEditError(`The section for ${path} changes nothing.`);
  }
  return { type, path, hunks: full, ...(moveTo === undefined ? {} : { moveTo }) };
}

/** Empty lines before the next section are there for the eye. */
function withoutBlankEnd({ headings, lines, isAtEnd }: OpenHunk): Hunk {
  const last = lines.findLastIndex(({ kind, text }) => kind !== 'context' || text !== '\n');
  return { headings, lines: lines.slice(0, last + 1), isAtEnd };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function misplaced(line: string, section: Section | undefined): FileEditError {
  const where = section === undefined ? 'before the first section' : `in the section for ${section.path}`;
  const marks =
    section?.type === 'update'
      ? 'with "+", "-", a space or "@@"'
      : section?.type === 'add'
        ? 'with "+"'
        : 'there';
  return new FileEditError(
    `The patch has a line ${where} that does not begin ${marks}: \`${line.slice(0, 120)}\`.`,
  );
}
