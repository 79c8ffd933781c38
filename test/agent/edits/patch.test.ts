import { describe, expect, it } from 'vitest';
import { applyHunks } from '../../../src/agent/edits/apply-hunks.ts';
import { EditMismatchError } from '../../../src/agent/edits/file-editor.ts';
import { pathsIn, readPatch } from '../../../src/agent/edits/patch.ts';

/** Applies a patch of one file, given the part of it that is about the file. */
function patched(text: string, body: string): string {
  const isUnified = /^@@ -\d/.test(body);
  const [file] = readPatch(
    isUnified
      ? `--- a/file\n+++ b/file\n${body}`
      : `*** Begin Patch\n*** Update File: file\n${body}\n*** End Patch`,
  );
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

  it('are read from what git writes', () => {
    const patch = `diff --git a/src/a.ts b/src/a.ts
index 1111111..2222222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@ function f() {
 keep
-old
+new
diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+text
\\ No newline at end of file
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-text
diff --git a/one.txt b/two.txt
similarity index 100%
rename from one.txt
rename to two.txt
diff --git a/empty.txt b/empty.txt
new file mode 100644
index 0000000..e69de29
`;
    expect(readPatch(patch)).toMatchObject([
      { type: 'update', path: 'src/a.ts', hunks: [{ start: 0 }] },
      { type: 'add', path: 'new.txt', text: 'text' },
      { type: 'delete', path: 'gone.txt', hunks: [{ start: 0 }] },
      { type: 'update', path: 'one.txt', moveTo: 'two.txt', hunks: [] },
      { type: 'add', path: 'empty.txt', text: '' },
    ]);
  });

  it('are read from a plain diff, with times behind the paths', () => {
    expect(
      readPatch('--- old/a.c\t2026-01-01\n+++ new/a.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n'),
    ).toMatchObject([{ type: 'update', path: 'old/a.c', moveTo: 'new/a.c' }]);
  });

  it('are found behind words and code fences', () => {
    const patch = 'Here it is:\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\nDone.\n';
    expect(readPatch(patch)).toMatchObject([{ type: 'update', path: 'x', hunks: [{ lines: [{}, {}] }] }]);
  });

  it('have paths in quotation marks where they need them', () => {
    expect(
      readPatch('--- "a/gr\\303\\274n.txt"\n+++ "b/gr\\303\\274n.txt"\n@@ -1 +1 @@\n-a\n+b\n'),
    ).toMatchObject([{ path: 'grün.txt' }]);
  });

  it('are read from a mail', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.40.0\n';
    expect(readPatch(patch)).toMatchObject([{ type: 'update', path: 'x', hunks: [{ lines: [{}, {}] }] }]);
  });

  it('are named without reading the rest', () => {
    expect(pathsIn('*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n')).toEqual(['a', 'b']);
    expect(pathsIn('--- a/x\n+++ b/x\n--- /dev/null\n+++ b/y\n')).toEqual(['x', 'y']);
  });

  it.each([
    ['that is cut off', '*** Begin Patch\n*** Delete File: a', 'may be cut off'],
    ['without a file', 'nothing', 'names no file'],
    ['with a line that is none of it', '*** Begin Patch\n*** Add File: a\ntext\n*** End Patch', '`text`'],
    ['that changes nothing', '*** Begin Patch\n*** Update File: a\n*** End Patch', 'changes nothing'],
    ['of a binary file', 'diff --git a/x b/x\nBinary files a/x and b/x differ\n', 'binary'],
    ['without line numbers', '--- a/x\n+++ b/x\n@@\n-a\n+b\n', 'line numbers'],
    ['with prose in a hunk', '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\nprose\n+b\n', '`prose`'],
  ])('are refused %s', (_, patch, words) => {
    expect(problemOf(() => readPatch(patch))).toContain(words);
  });
});

describe('a hunk', () => {
  it('is applied where its lines are', () => {
    expect(patched('a\nb\nc\n', '@@\n a\n-b\n+x\n c')).toBe('a\nx\nc\n');
  });

  it('may come without a heading, with empty lines for empty lines', () => {
    expect(patched('a\n\nb\n', ' a\n\n-b\n+x')).toBe('a\n\nx\n');
  });

  it('is found by its heading where it fits in several places', () => {
    const body =
      '@@ class Semaphore:\n     def take(self):\n-        self.held = True\n+        self.count -= 1';
    const result = patched(code, body);
    expect(result.indexOf('self.count')).toBeGreaterThan(result.indexOf('Semaphore'));
    expect(result.match(/self\.held/g)).toHaveLength(1);
  });

  it('is found by several headings, one within the other', () => {
    const body = '@@ class Semaphore:\n@@     def take(self):\n-        self.held = True\n+        pass';
    expect(patched(code, body)).toBe(
      code.slice(0, code.lastIndexOf('        self.held')) + '        pass\n        return self\n',
    );
  });

  it('is found by its line number where it fits in several places', () => {
    expect(patched('a\na\na\n', '@@ -2,1 +2,1 @@\n-a\n+b')).toBe('a\nb\na\n');
  });

  it('is applied in the one place where it fits, whatever its line number', () => {
    expect(patched('a\nb\nc\n', '@@ -40,2 +41,2 @@\n b\n-c\n+x')).toBe('a\nb\nx\n');
  });

  it.each(['-1,9 +1,9', '-1,1 +1,1'])('may have the wrong number of lines in its heading: %s', (numbers) => {
    expect(patched('a\n\nb\n', `@@ ${numbers} @@\n a\n\n-b\n+x\n`)).toBe('a\n\nx\n');
  });

  it('adds at the end of a file', () => {
    expect(patched('a\n', '@@\n+b\n*** End of File')).toBe('a\nb\n');
  });

  it('adds behind its heading', () => {
    expect(patched('a\nb\n', '@@ a\n+x')).toBe('a\nx\nb\n');
  });

  it('keeps carriage returns, and writes them', () => {
    expect(patched('a\r\nb\r\n', '@@\n a\n-b\n+x\n+y')).toBe('a\r\nx\r\ny\r\n');
  });

  it('keeps a byte order mark', () => {
    expect(patched('\ufeffa\n', '@@\n-a\n+b')).toBe('\ufeffb\n');
  });

  it('keeps a missing line end at the end', () => {
    expect(patched('a\nb', '@@\n a\n-b\n+c\n+d')).toBe('a\nc\nd');
  });

  it('adds a line end at the end where it says so', () => {
    expect(patched('a', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n')).toBe('a\n');
  });

  it('that fits in several places is refused with the lines', () => {
    expect(problemOf(() => patched('a\nb\na\n', '@@\n-a\n+x'))).toBe(
      'Hunk 1 of file fits at lines 1, 3. Give it more lines of context, so that it fits in one place.',
    );
  });

  it('that does not fit is refused with the line that it wants and the line that is there', () => {
    const body = '@@\n     def take(self):\n-        self.held = False\n+        pass';
    expect(problemOf(() => patched(code.slice(0, 80), body))).toContain(
      'Hunk 1 of file does not fit. Closest to it: lines 2–3. Line 3 is `        self.held = True`, searched was `        self.held = False`.',
    );
  });

  it('that comes before the one above it is refused', () => {
    expect(problemOf(() => patched('a\nb\n', '@@\n-b\n+y\n@@\n-a\n+x'))).toContain(
      'Hunk 2 of file fits at line 1, which is before',
    );
  });

  it('that was applied already says so', () => {
    expect(
      problemOf(() => patched('const answer = 42;\n', '@@\n-const answer = 41;\n+const answer = 42;')),
    ).toContain('was probably applied already');
  });

  it('that does not say where to add is refused', () => {
    expect(problemOf(() => patched('a\n', '@@\n+b'))).toContain('does not say where');
  });
});
