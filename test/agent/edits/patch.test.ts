import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/agent/edits/apply-hunks.ts';
import { EditMismatchError } from '../../../src/agent/edits/file-editor.ts';
import { pathsIn, readPatch } from '../../../src/agent/edits/patch.ts';

/** Applies a patch of one file, given the section for the file. */
function patched(text: string, body: string): string {
  const [file] = readPatch(`*** Begin Patch\n*** Update File: file\n${body}\n*** End Patch`);
  if (file?.type !== 'update') throw new Error('This patch updates no file.');
  return applyHunks('file', text, file.hunks);
}

function problemOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof EditMismatchError) return error.message;
    throw error;
  }
  throw new Error('There was no problem.');
}

const code = `class Lock:
    def take(self):
        self.held = True
        return self

class Semaphore:
    def take(self):
        self.held = True
        return self
`;

describe('the sections of a patch', () => {
  it('are read in the form that begins with *** Begin Patch', () => {
    const patch = `*** Begin Patch
*** Add File: src/new.ts
+one
+
+two
*** Delete File: src/old.ts
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ function f() {
 keep
-old
+new
*** End Patch`;
    expect(readPatch(patch)).toEqual([
      { type: 'add', path: 'src/new.ts', text: 'one\n\ntwo\n' },
      { type: 'delete', path: 'src/old.ts' },
      {
        type: 'update',
        path: 'src/a.ts',
        moveTo: 'src/b.ts',
        hunks: [
          {
            headings: ['function f() {'],
            lines: [
              { kind: 'context', text: 'keep\n' },
              { kind: 'removed', text: 'old\n' },
              { kind: 'added', text: 'new\n' },
            ],
            isAtEnd: false,
          },
        ],
      },
    ]);
  });

  it('are listed even if the patch is incomplete', () => {
    expect(pathsIn('*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n')).toEqual(['a', 'b']);
  });

  it.each([
    ['if the patch is cut off', '*** Begin Patch\n*** Delete File: a', 'may be cut off'],
    ['if they name no file', '*** Begin Patch\n*** End Patch', 'names no file'],
    ['if they have another form', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', 'begins with "*** Begin Patch"'],
    ['if a line does not belong to them', '*** Begin Patch\n*** Add File: a\ntext\n*** End Patch', '`text`'],
    ['if they change nothing', '*** Begin Patch\n*** Update File: a\n*** End Patch', 'changes nothing'],
  ])('are refused %s', (_, patch, words) => {
    expect(problemOf(() => readPatch(patch))).toContain(words);
  });
});

describe('a hunk', () => {
  it.each([
    ['is applied where its lines are', 'a\nb\nc\n', '@@\n a\n-b\n+x\n c', 'a\nx\nc\n'],
    [
      'may lack a heading, and have empty lines for empty context lines',
      'a\n\nb\n',
      ' a\n\n-b\n+x',
      'a\n\nx\n',
    ],
    ['may have the heading of a unified diff', 'a\nb\nc\n', '@@ -40,2 +41,2 @@\n b\n-c\n+x', 'a\nb\nx\n'],
    ['adds at the end of a file', 'a\n', '@@\n+b\n*** End of File', 'a\nb\n'],
    ['adds after its heading', 'a\nb\n', '@@ a\n+x', 'a\nx\nb\n'],
    ['keeps carriage returns, and writes them', 'a\r\nb\r\n', '@@\n a\n-b\n+x\n+y', 'a\r\nx\r\ny\r\n'],
    ['keeps a byte order mark', '\ufeffa\n', '@@\n-a\n+b', '\ufeffb\n'],
    ['keeps a missing line end at the end of the file', 'a\nb', '@@\n a\n-b\n+c\n+d', 'a\nc\nd'],
  ])('%s', (_title, text, body, expected) => {
    expect(patched(text, body)).toBe(expected);
  });

  it('is placed by its heading if it fits at several places', () => {
    const body =
      '@@ class Semaphore:\n     def take(self):\n-        self.held = True\n+        self.count -= 1';
    const result = patched(code, body);
    expect(result.indexOf('self.count')).toBeGreaterThan(result.indexOf('Semaphore'));
    expect(result.match(/self\.held/g)).toHaveLength(1);
  });

  it('is placed by several nested headings', () => {
    const body = '@@ class Semaphore:\n@@     def take(self):\n-        self.held = True\n+        pass';
    expect(patched(code, body)).toBe(
      code.slice(0, code.lastIndexOf('        self.held')) + '        pass\n        return self\n',
    );
  });

  it('is refused, with the line numbers, if it fits at several places', () => {
    expect(problemOf(() => patched('a\nb\na\n', '@@\n-a\n+x'))).toBe(
      'Hunk 1 of file fits at lines 1, 3. Give it more lines of context, so that it fits in one place.',
    );
  });

  it('is refused with the expected and the actual line if it does not fit', () => {
    const body = '@@\n     def take(self):\n-        self.held = False\n+        pass';
    expect(problemOf(() => patched(code.slice(0, 80), body))).toContain(
      'Hunk 1 of file does not fit. Closest to it: lines 2–3. Line 3 is `        self.held = True`, searched was `        self.held = False`.',
    );
  });

  it('is refused if it fits only before the previous hunk', () => {
    expect(problemOf(() => patched('a\nb\n', '@@\n-b\n+y\n@@\n-a\n+x'))).toContain(
      'Hunk 2 of file fits at line 1, which is before',
    );
  });

  it('reports that it is already applied', () => {
    expect(
      problemOf(() => patched('const answer = 42;\n', '@@\n-const answer = 41;\n+const answer = 42;')),
    ).toContain('was probably applied already');
  });

  it('is refused if it does not name a place', () => {
    expect(problemOf(() => patched('a\n', '@@\n+b'))).toContain('does not say where');
  });
});
