import type { FilePatch, Hunk, HunkLine } from './apply-hunks.ts';
import { EditMismatchError } from './file-editor.ts';
import { toModel } from '../../language/sentence.ts';

/**
 * Reads a patch: `*** Begin Patch` with its sections, or a unified diff of one file or several.
 *
 * @throws {EditMismatchError} for what is neither, or is cut off
 */
export function readPatch(text: string): readonly FilePatch[] {
  const lines = text.split('\n');
  const isAgentPatch = lines.some((line) => line.trim() === '*** Begin Patch');
  const files = isAgentPatch ? readAgentPatch(lines) : readUnifiedPatch(lines);
  if (files.length === 0) throw new EditMismatchError(toModel`The patch names no file to change.`);
  return files;
}

/** The paths that a patch names, found without reading the rest of it. */
export function pathsIn(text: string): readonly string[] {
  const named = [
    ...text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |(?:---|\+\+\+) (?:[ab]\/)?)([^\t\r\n]+)/gm),
  ];
  return [...new Set(named.map(([, path = '']) => path.trim()))].filter((path) => path !== '/dev/null');
}

/** A file of a diff, as long as it is read. `undefined` is a side that is not there. */
interface UnifiedSection {
  /** From `diff --git`, which names a file even if nothing else does. */
  readonly named: string | undefined;
  /** `---` and `+++` are still to come. */
  isOpen: boolean;
  before: string | undefined;
  after: string | undefined;
  readonly hunks: OpenUnifiedHunk[];
}

interface OpenUnifiedHunk {
  readonly start: number;
  readonly lines: HunkLine[];
  /** Lines that its heading says are still to come. */
  beforeLeft: number;
  afterLeft: number;
}

const hunkHeading = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Reads a unified diff of one file or several, with or without the lines that git adds. The numbers of a hunk may
 * be wrong: it ends where the next one begins.
 *
 * @throws {EditMismatchError} names the line that does not belong there
 */
function readUnifiedPatch(lines: readonly string[]): readonly FilePatch[] {
  const sections: UnifiedSection[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const section = sections.at(-1);
    const hunk = section?.hunks.at(-1);
    const heading = hunkHeading.exec(line);
    if (heading !== null && section !== undefined) {
      const [, start = '', beforeLength = '1', , afterLength = '1'] = heading;
      // A hunk that has no lines before is named by the line that it comes after.
      const offset = beforeLength === '0' ? 0 : 1;
      section.hunks.push({
        start: Math.max(0, Number(start) - offset),
        lines: [],
        beforeLeft: Number(beforeLength),
        afterLeft: Number(afterLength),
      });
    } else if (isFileHeading(lines, index, hunk)) {
      const sides = withoutPrefixes(pathOf(line), pathOf(lines[index + 1]!));
      if (section?.isOpen === true) Object.assign(section, sides, { isOpen: false });
      else sections.push({ ...sides, named: undefined, isOpen: false, hunks: [] });
      index++;
    } else if (line.startsWith('diff --git ')) {
      const named = /^diff --git a\/(.*) b\/\1$/.exec(line.trimEnd())?.[1];
      sections.push({ named, isOpen: true, before: undefined, after: undefined, hunks: [] });
    } else if (hunk !== undefined) readHunkLine(line, hunk);
    else readExtra(line, section);
  }
  return sections.filter((section) => !isNameless(section)).map(filePatchOfUnified);
}

/** `--- a` and `+++ b` may also be lines of a hunk: if they are just what its heading still lacks, they are. */
function isFileHeading(lines: readonly string[], index: number, hunk: OpenUnifiedHunk | undefined): boolean {
  const isPair = lines[index]!.startsWith('--- ') && (lines[index + 1] ?? '').startsWith('+++ ');
  if (!isPair || hunk === undefined) return isPair;
  const belongs = hunk.beforeLeft === 1 && hunk.afterLeft === 1;
  return !belongs && hunkHeading.test(lines[index + 2] ?? '');
}

function readHunkLine(line: string, hunk: OpenUnifiedHunk): void {
  if (line.startsWith('\\')) {
    const last = hunk.lines.pop();
    if (last !== undefined) hunk.lines.push({ ...last, text: last.text.slice(0, -1) });
    return;
  }
  const isOver = hunk.beforeLeft <= 0 && hunk.afterLeft <= 0;
  const kind = kindOf(line);
  // Prose, code fences and the two dashes of a mail may follow a diff, but must not pass for a part of it.
  if (isOver && (kind === undefined || line.trimEnd() === '--')) return;
  if (kind === undefined) {
    throw new EditMismatchError(
      toModel`A hunk of the patch has a line that does not begin with "+", "-" or a space: \`${line.slice(0, 120)}\`.`,
    );
  }
  hunk.lines.push({ kind, text: `${line.slice(1)}\n` });
  if (kind !== 'added') hunk.beforeLeft--;
  if (kind !== 'removed') hunk.afterLeft--;
}

function kindOf(line: string): HunkLine['kind'] | undefined {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith(' ') || line.trim() === '' ? 'context' : undefined;
}

/** Lines git writes before the hunks of a file. */
function readExtra(line: string, section: UnifiedSection | undefined): void {
  if (line.startsWith('Binary files ') || line.startsWith('GIT binary patch')) {
    throw new EditMismatchError(toModel`The patch changes a binary file, which cannot be done.`);
  }
  if (line.startsWith('@@')) {
    throw new EditMismatchError(
      toModel`The hunk \`${line.slice(0, 80)}\` needs a file above it ("--- a/path" and "+++ b/path") and line numbers ("@@ -1,3 +1,4 @@").`,
    );
  }
  if (section === undefined) return;
  const from = /^rename from (.*)$/.exec(line.trimEnd())?.[1];
  const to = /^rename to (.*)$/.exec(line.trimEnd())?.[1];
  if (from !== undefined) section.before = unquoted(from);
  if (to !== undefined) section.after = unquoted(to);
  if (line.startsWith('new file mode')) section.after = section.named;
  if (line.startsWith('deleted file mode')) section.before = section.named;
}

/** The path of `--- path` or `+++ path`, without the time that may follow it. */
function pathOf(line: string): string | undefined {
  const path = unquoted(line.slice(4).split('\t')[0]!.trim());
  return path === '/dev/null' ? undefined : path;
}

/** git writes `a/` and `b/` before the two paths. */
function withoutPrefixes(
  before: string | undefined,
  after: string | undefined,
): Pick<UnifiedSection, 'before' | 'after'> {
  const hasPrefixes =
    (before === undefined || before.startsWith('a/')) && (after === undefined || after.startsWith('b/'));
  return hasPrefixes ? { before: before?.slice(2), after: after?.slice(2) } : { before, after };
}

/** A path with unusual signs is in quotation marks, its bytes in octal numbers. */
function unquoted(path: string): string {
  if (!/^".*"$/.test(path)) return path;
  const inner = path.slice(1, -1);
  const bytes = [...inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, escaped, plain]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    return Buffer.from(plain ?? { n: '\n', t: '\t', r: '\r' }[escaped!] ?? escaped!);
  });
  return Buffer.concat(bytes).toString();
}

function isNameless({ before, after }: UnifiedSection): boolean {
  return before === undefined && after === undefined;
}

function filePatchOfUnified({ before, after, hunks: open }: UnifiedSection): FilePatch {
  const hunks = open.map(hunkOf);
  if (before === undefined) {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    if (lines.some(({ kind }) => kind !== 'added')) {
      throw new EditMismatchError(
        toModel`The patch creates ${after!}, but has lines in it that do not begin with "+".`,
      );
    }
    return { type: 'add', path: after!, text: lines.map(({ text }) => text).join('') };
  }
  if (after === undefined) return { type: 'delete', path: before, hunks };
  if (before === after && hunks.length === 0) {
    throw new EditMismatchError(toModel`The patch changes nothing in ${before}.`);
  }
  return { type: 'update', path: before, hunks, ...(before === after ? {} : { moveTo: after }) };
}

/** Empty lines after a hunk are there for the eye, if its heading does not count them. */
function hunkOf({ start, lines, beforeLeft, afterLeft }: OpenUnifiedHunk): Hunk {
  let end = lines.length;
  for (let [before, after] = [beforeLeft, afterLeft]; before !== 0 || after !== 0; before++, after++) {
    const last = lines[end - 1];
    if (last?.kind !== 'context' || last.text !== '\n') break;
    end--;
  }
  return { headings: [], start, lines: lines.slice(0, end), isAtEnd: false };
}

/** A section of a patch, as long as it is read. */
interface AgentSection {
  readonly type: FilePatch['type'];
  readonly path: string;
  moveTo?: string;
  readonly added: string[];
  readonly hunks: OpenAgentHunk[];
}

interface OpenAgentHunk {
  readonly headings: string[];
  readonly lines: HunkLine[];
  isAtEnd: boolean;
}

const endOfPatch = '*** End Patch';

/**
 * Reads the form that begins with `*** Begin Patch`. A line within a section begins with `+`, `-` or a space; an
 * empty one counts as an empty line of context.
 *
 * @throws {EditMismatchError} names the line that does not belong there
 */
function readAgentPatch(lines: readonly string[]): readonly FilePatch[] {
  const first = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const last = lines.findLastIndex((line) => line.trim() === endOfPatch);
  if (last < first) {
    throw new EditMismatchError(
      toModel`The patch has no "${endOfPatch}": it may be cut off. Send all of it.`,
    );
  }
  const sections: AgentSection[] = [];
  for (const line of lines.slice(first + 1, last)) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.*)$/.exec(line.trimEnd());
    if (heading !== null) {
      const [, verb = '', path = ''] = heading;
      const type = verb.toLowerCase() as FilePatch['type'];
      sections.push({ type, path: path.trim(), added: [], hunks: [] });
    } else readLine(line, sections.at(-1));
  }
  return sections.map(filePatchOfAgent);
}

/** Puts a line where it belongs. @throws {EditMismatchError} if it does not belong anywhere */
function readLine(line: string, section: AgentSection | undefined): void {
  const isBlank = line.trim() === '';
  if (section?.type === 'update') readUpdate(line, section);
  else if (section?.type === 'add' && line.startsWith('+'))
    section.added.push(`${withoutReturn(line.slice(1))}\n`);
  else if (!isBlank) throw misplaced(line, section);
}

function readUpdate(line: string, section: AgentSection): void {
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
function readHeading(line: string, section: AgentSection): void {
  // Hunks of unified diffs found their way in here too; their numbers are of no use without their other half.
  const heading = line.replace(/^@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)?/, '').trim();
  const headings = heading === '' ? [] : [heading];
  const open = section.hunks.at(-1);
  if (open?.lines.length === 0) open.headings.push(...headings);
  else section.hunks.push({ headings, lines: [], isAtEnd: false });
}

function filePatchOfAgent({ type, path, moveTo, added, hunks }: AgentSection): FilePatch {
  if (path === '') throw new EditMismatchError(toModel`A section of the patch names no file.`);
  if (type === 'add') return { type, path, text: added.join('') };
  if (type === 'delete') return { type, path };
  const full = hunks.map(withoutBlankEnd).filter(({ lines }) => lines.length > 0);
  if (full.length === 0 && moveTo === undefined) {
    throw new EditMismatchError(toModel`The section for ${path} changes nothing.`);
  }
  return { type, path, hunks: full, ...(moveTo === undefined ? {} : { moveTo }) };
}

/** Empty lines before the next section are there for the eye. */
function withoutBlankEnd({ headings, lines, isAtEnd }: OpenAgentHunk): Hunk {
  const last = lines.findLastIndex(({ kind, text }) => kind !== 'context' || text !== '\n');
  return { headings, lines: lines.slice(0, last + 1), isAtEnd };
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function misplaced(line: string, section: AgentSection | undefined): EditMismatchError {
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
