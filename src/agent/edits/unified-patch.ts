import { FileEditError } from './file-editor.ts';
import type { FilePatch, Hunk, HunkLine } from './file-patch.ts';

/** A file of a diff, as long as it is read. `undefined` is a side that is not there. */
interface Section {
  /** From `diff --git`, which names a file also where nothing else does. */
  readonly named: string | undefined;
  /** `---` and `+++` are still to come. */
  isOpen: boolean;
  before: string | undefined;
  after: string | undefined;
  readonly hunks: OpenHunk[];
}

interface OpenHunk {
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
 * @throws {FileEditError} names the line that does not belong there
 */
export function readUnifiedPatch(lines: readonly string[]): readonly FilePatch[] {
  const sections: Section[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const section = sections.at(-1);
    const hunk = section?.hunks.at(-1);
    const heading = hunkHeading.exec(line);
    if (heading !== null && section !== undefined) {
      const [, start = '', beforeLength = '1', , afterLength = '1'] = heading;
      // A hunk that has no lines before is named by the line that it comes behind.
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
  return sections.filter((section) => !isNameless(section)).map(filePatchOf);
}

/** `--- a` and `+++ b` may also be lines of a hunk: where they are just what its heading still lacks, they are. */
function isFileHeading(lines: readonly string[], index: number, hunk: OpenHunk | undefined): boolean {
  const isPair = lines[index]!.startsWith('--- ') && (lines[index + 1] ?? '').startsWith('+++ ');
  if (!isPair || hunk === undefined) return isPair;
  const belongs = hunk.beforeLeft === 1 && hunk.afterLeft === 1;
  return !belongs && hunkHeading.test(lines[index + 2] ?? '');
}

function readHunkLine(line: string, hunk: OpenHunk): void {
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
    throw new FileEditError(
      `A hunk of the patch has a line that does not begin with "+", "-" or a space: \`${line.slice(0, 120)}\`.`,
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

/** What git writes before the hunks of a file. */
function readExtra(line: string, section: Section | undefined): void {
  if (line.startsWith('Binary files ') || line.startsWith('GIT binary patch')) {
    throw new FileEditError('The patch changes a binary file, which cannot be done.');
  }
  if (line.startsWith('@@')) {
    throw new FileEditError(
      `The hunk \`${line.slice(0, 80)}\` needs a file above it ("--- a/path" and "+++ b/path") and line numbers ("@@ -1,3 +1,4 @@").`,
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

/** The path of `--- path` or `+++ path`, without the time that may stand behind it. */
function pathOf(line: string): string | undefined {
  const path = unquoted(line.slice(4).split('\t')[0]!.trim());
  return path === '/dev/null' ? undefined : path;
}

/** git writes `a/` and `b/` before the two paths. */
function withoutPrefixes(
  before: string | undefined,
  after: string | undefined,
): Pick<Section, 'before' | 'after'> {
  const hasPrefixes =
    (before === undefined || before.startsWith('a/')) && (after === undefined || after.startsWith('b/'));
  return hasPrefixes ? { before: before?.slice(2), after: after?.slice(2) } : { before, after };
}

/** A path with unusual signs stands in quotation marks, its bytes in octal numbers. */
function unquoted(path: string): string {
  if (!/^".*"$/.test(path)) return path;
  const inner = path.slice(1, -1);
  const bytes = [...inner.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)].map(([, octal, escaped, plain]) => {
    if (octal !== undefined) return Buffer.from([Number.parseInt(octal, 8)]);
    return Buffer.from(plain ?? { n: '\n', t: '\t', r: '\r' }[escaped!] ?? escaped!);
  });
  return Buffer.concat(bytes).toString();
}

function isNameless({ before, after }: Section): boolean {
  return before === undefined && after === undefined;
}

function filePatchOf({ before, after, hunks: open }: Section): FilePatch {
  const hunks = open.map(hunkOf);
  if (before === undefined) {
    const lines = hunks.flatMap((hunk) => hunk.lines);
    if (lines.some(({ kind }) => kind !== 'added')) {
      throw new FileEditError(`The patch creates ${after!}, but has lines in it that do not begin with "+".`);
    }
    return { type: 'add', path: after!, text: lines.map(({ text }) => text).join('') };
  }
  if (after === undefined) return { type: 'delete', path: before, hunks };
  if (before === after && hunks.length === 0) {
    throw new FileEditError(`The patch changes nothing in ${before}.`);
  }
  return { type: 'update', path: before, hunks, ...(before === after ? {} : { moveTo: after }) };
}

/** Empty lines behind a hunk are there for the eye, where its heading does not count them. */
function hunkOf({ start, lines, beforeLeft, afterLeft }: OpenHunk): Hunk {
  let end = lines.length;
  for (let [before, after] = [beforeLeft, afterLeft]; before !== 0 || after !== 0; before++, after++) {
    const last = lines[end - 1];
    if (last?.kind !== 'context' || last.text !== '\n') break;
    end--;
  }
  return { headings: [], start, lines: lines.slice(0, end), isAtEnd: false };
}
