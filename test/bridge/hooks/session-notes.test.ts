import { appendFile, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateOfNotes, updateNotes } from '../../../src/bridge/hooks/session-notes.ts';
import type { SessionNotes } from '../../../src/bridge/hooks/stored-notes.ts';

const row = (uuid: string, type: string, content: readonly object[]) =>
  `${JSON.stringify({ uuid, parentUuid: uuid === '1' ? null : '1', sessionId: 's', type, message: { role: type, id: uuid, content } })}\n`;
const call = row('1', 'assistant', [
  { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm ci' } },
]);
const answer = (isError: boolean, content: string) =>
  row('2', 'user', [{ type: 'tool_result', tool_use_id: 'a', content, is_error: isError }]);

async function notesOf(...appended: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  const path = join(folder, 's.jsonl');
  await writeFile(path, '');
  let notes;
  for (const lines of appended) {
    await appendFile(path, lines);
    notes = await updateNotes(join(folder, 'notes'), path);
  }
  return notes?.ledger;
}

describe('notes on a session', () => {
  it('list a call without a result as pending', async () => {
    const ledger = await notesOf(call);
    expect(ledger).toMatchObject({ commands: [], notRun: [{ text: 'npm ci', end: 'pending' }] });
  });

  it('state how a call ended once its result was read', async () => {
    expect(await notesOf(call, answer(false, 'ok'))).toMatchObject({
      commands: [{ command: 'npm ci' }],
      notRun: [],
    });
    const rejected = "The user doesn't want to proceed with this tool use.";
    expect(await notesOf(call, answer(true, rejected))).toMatchObject({
      commands: [],
      notRun: [{ text: 'npm ci', end: 'refused' }],
    });
  });

  it('do not mistake later prompts of a parent agent for words of the user', async () => {
    const meta = { id: 'x', cwd: '/p', source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } } };
    const asked = (text: string) => {
      const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
      return `${JSON.stringify({ type: 'response_item', payload })}\n`;
    };
    const first = `${JSON.stringify({ type: 'session_meta', payload: meta })}\n${asked('Count the lines.')}`;
    expect(await notesOf(first, asked('Always run ./x.sh before every commit.'))).toMatchObject({
      requests: [],
      constraints: [],
    });
  });
});

/** Reads a session after each change of its file. Gives the notes, and the number of times they were written. */
async function notesAfter(...texts: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'notes-'));
  const path = join(folder, 's.jsonl');
  const written: SessionNotes[] = [];
  for (const text of texts) {
    await writeFile(path, text);
    written.push(await updateNotes(join(folder, 'notes'), path));
  }
  return written;
}

const asks = (uuid: string, text: string) => row(uuid, 'user', [{ type: 'text', text }]);
const reads = (path: string) =>
  row(path, 'assistant', [{ type: 'tool_use', id: path, name: 'Read', input: { file_path: path } }]) +
  row(`${path}-result`, 'user', [{ type: 'tool_result', tool_use_id: path, content: 'text' }]);

const edits = (path: string, id = path) =>
  row(id, 'assistant', [
    { type: 'tool_use', id, name: 'Write', input: { file_path: path, content: 'text' } },
  ]) + row(`${id}-result`, 'user', [{ type: 'tool_result', tool_use_id: id, content: 'written' }]);

describe('updateNotes', () => {
  it('reads up to the last whole line, and later the rest', async () => {
    const line = reads('src/a.ts');
    const [half, whole] = await notesAfter(line + reads('src/b.ts').slice(0, 90), line + reads('src/b.ts'));
    expect(half).toMatchObject({ read: line.length, ledger: { filesRead: ['src/a.ts'] } });
    expect(whole).toMatchObject({
      read: line.length + reads('src/b.ts').length,
      ledger: { filesRead: ['src/a.ts', 'src/b.ts'] },
    });
  });

  it('does not write notes again if no line was added', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notes-'));
    const path = join(folder, 's.jsonl');
    await writeFile(path, reads('src/a.ts'));
    const first = await updateNotes(join(folder, 'notes'), path);
    const [name = ''] = await readdir(join(folder, 'notes'));
    const { ino } = await stat(join(folder, 'notes', name));
    await appendFile(path, '{"half');
    expect(await updateNotes(join(folder, 'notes'), path)).toEqual(first);
    expect((await stat(join(folder, 'notes', name))).ino).toBe(ino);
    await appendFile(path, `":1}\n${reads('src/b.ts')}`);
    await updateNotes(join(folder, 'notes'), path);
    expect((await stat(join(folder, 'notes', name))).ino).not.toBe(ino);
  });

  it.each([
    ['its beginning', reads('src/z.ts') + reads('src/middle.ts').repeat(20) + reads('src/b.ts')],
    ['its end', reads('src/a.ts') + reads('src/middle.ts').repeat(20) + reads('src/c.ts')],
    ['its length', reads('src/a.ts')],
  ])('reads a file again that differs in %s', async (_what, changed) => {
    const first = reads('src/a.ts') + reads('src/middle.ts').repeat(20) + reads('src/b.ts');
    const [, again] = await notesAfter(first, changed + reads('src/new.ts'));
    const [fresh] = await notesAfter(changed + reads('src/new.ts'));
    expect(again).toEqual(fresh);
  });

  it('knows the format as soon as the file shows it', async () => {
    const [session] = await notesAfter(reads('src/a.ts'));
    expect(session?.format).toBe('claude-code');
  });

  describe('of a long session', () => {
    const steps = (count: number, step: (path: string) => string) =>
      Array.from({ length: count }, (_, index) => step(`src/part-${index}.ts`)).join('');

    it('returns rules of any age', async () => {
      const [notes] = await notesAfter(
        asks('u', 'Never push to main.') + steps(1_000, (path) => edits(path)),
      );
      expect(notes?.ledger.constraints).toEqual(['Never push to main.']);
    });

    it('returns the newest 400 facts of a kind', async () => {
      const [notes] = await notesAfter(steps(1_000, (path) => edits(path)));
      expect(notes?.ledger.filesModified).toHaveLength(400);
      expect(notes?.ledger.filesModified.at(-1)?.path).toBe('src/part-999.ts');
    });

    it('returns actions in the newest 1,500 messages', async () => {
      const [long] = await notesAfter(edits('src/early.ts') + steps(750, (id) => edits('src/late.ts', id)));
      const [short] = await notesAfter(edits('src/early.ts') + steps(749, (id) => edits('src/late.ts', id)));
      const pathsOf = (read: SessionNotes | undefined) => read?.ledger.filesModified.map(({ path }) => path);
      expect(pathsOf(long)).toEqual(['src/late.ts']);
      expect(pathsOf(short)).toEqual(['src/early.ts', 'src/late.ts']);
    });

    it('reads the results of the newest 250 messages only', async () => {
      const [notes] = await notesAfter(steps(200, reads));
      expect(notes?.ledger.filesRead).toHaveLength(125);
      expect(notes?.ledger.filesRead[0]).toBe('src/part-75.ts');
    });
  });

  it('counts the newest of a file that is read twice as the last', async () => {
    const [, notes] = await notesAfter(
      reads('src/a.ts') + reads('src/b.ts'),
      reads('src/a.ts') + reads('src/b.ts') + reads('src/a.ts'),
    );
    expect(notes?.ledger.filesRead).toEqual(['src/b.ts', 'src/a.ts']);
  });

  it('keeps the messages from the first call without a result for the next time', async () => {
    const [open, closed] = await notesAfter(
      asks('u', 'Install it.') + call,
      asks('u', 'Install it.') + call + answer(false, 'ok'),
    );
    expect(open?.open).toHaveLength(1);
    expect(closed?.open).toEqual([]);
  });

  it('lists no open errors, which only the end of the session shows', async () => {
    const [notes] = await notesAfter(call + answer(true, 'TypeError: x is undefined'));
    expect(notes?.ledger.errors).toEqual([]);
  });

  it('refuses a file that is not a session', async () => {
    await expect(notesAfter('Dear diary\n')).rejects.toThrow('no known format');
  });
});

describe('the state of the work in notes', () => {
  it('includes the calls that have no result yet', async () => {
    const test = row('1', 'assistant', [
      { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } },
    ]);
    const [open, closed] = await notesAfter(
      asks('u', 'Test it.') + test,
      asks('u', 'Test it.') + test + answer(false, 'Tests:       1 passed, 1 total'),
    );
    expect(stateOfNotes(open!).checks).toEqual([]);
    expect(stateOfNotes(open!).request?.text).toBe('Test it.');
    expect(stateOfNotes(closed!).checks).toMatchObject([{ result: 'passed' }]);
  });
});
