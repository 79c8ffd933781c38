import { appendFile, readdir, readFile, rm } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedFile } from '../../../src/agent/edits/line-diff.ts';
import { checkpointed, type Checkpoints } from '../../../src/agent/edits/session-edits.ts';
import { diskEditor } from '../../../src/agent/edits/disk-editor.ts';
import { FileEditError, type FileEditor } from '../../../src/agent/edits/file-editor.ts';
import { FolderCheckpoints } from '../../../src/agent/edits/folder-checkpoints.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import { textOfLines } from './texts.ts';
import { soak } from '../../support/soak.ts';
import { said } from '../../support/sentences.ts';

/** A folder with files, and checkpoints next to them that can be reopened as after a restart. */
class Edited implements AsyncDisposable {
  readonly files: TemporaryWorkspace;
  checkpoints: Checkpoints;
  private readonly storage: TemporaryWorkspace;

  static async create(files: Readonly<Record<string, string>>): Promise<Edited> {
    return new Edited(await TemporaryWorkspace.create(files), await TemporaryWorkspace.create());
  }

  /** A file `a` that a turn `m1` has changed from 1 to 2. */
  static async once(): Promise<Edited> {
    const edited = await Edited.create({ a: '1' });
    await edited.edit('m1', 'a', '2');
    return edited;
  }

  private constructor(files: TemporaryWorkspace, storage: TemporaryWorkspace) {
    this.files = files;
    this.storage = storage;
    this.checkpoints = new FolderCheckpoints(storage.at('checkpoints'));
  }

  get storagePath(): string {
    return this.storage.at('checkpoints');
  }

  restart(): void {
    this.checkpoints = new FolderCheckpoints(this.storagePath);
  }

  /** Changes the agent makes to a file in one turn; undefined deletes it. */
  async edit(turnId: string, shown: string, after: string | undefined, editor = diskEditor): Promise<void> {
    const path = this.files.at(shown);
    const before = await diskEditor.read(path);
    if (before === after) return;
    await checkpointed(editor, this.checkpoints, () => turnId).apply([{ path, shown, before, after }]);
  }

  read(name: string): Promise<string | undefined> {
    return diskEditor.read(this.files.at(name));
  }

  undo(turnId: string, force = false): Promise<{ readonly conflicts: readonly string[] }> {
    return this.checkpoints.undo(turnId, diskEditor, { force });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.files, this.storage].map((folder) => folder[Symbol.asyncDispose]()));
  }
}

describe('the changes of a turn', () => {
  it('are counted relative to the files before the turn', async () => {
    await using edited = await Edited.create({ a: '1\n2\n', gone: 'x\n' });
    await edited.edit('m1', 'a', '1\ntwo\n');
    await edited.edit('m1', 'a', '1\ntwo\n3\n');
    await edited.edit('m1', 'new', 'y\n');
    await edited.edit('m1', 'gone', undefined);
    await edited.edit('m5', 'a', 'later\n');
    expect((await edited.checkpoints.changesOf('m1')).map(editedFile)).toEqual([
      { path: 'a', change: 'modified', added: 2, removed: 1 },
      { path: 'new', change: 'created', added: 1, removed: 0 },
      { path: 'gone', change: 'deleted', added: 0, removed: 1 },
    ]);
  });

  it('exclude unchanged files', async () => {
    await using edited = await Edited.once();
    await edited.edit('m1', 'a', '1');
    expect(await edited.checkpoints.changesOf('m1')).toEqual([]);
  });

  it('exclude failed edits', async () => {
    await using edited = await Edited.create({ a: '1' });
    const refusing: FileEditor = {
      ...diskEditor,
      apply: () => Promise.reject(new FileEditError(said('No.'))),
    };
    await expect(edited.edit('m1', 'a', '2', refusing)).rejects.toThrow('No.');
    expect(await edited.checkpoints.changesOf('m1')).toEqual([]);
  });

  it('include changes that the editor makes on saving', async () => {
    await using edited = await Edited.create({ a: '1\n' });
    const formatting: FileEditor = {
      ...diskEditor,
      apply: (changes) => diskEditor.apply(changes.map((change) => ({ ...change, after: '2\n3\n4\n' }))),
    };
    await edited.edit('m1', 'a', '2', formatting);
    expect((await edited.checkpoints.changesOf('m1')).map(editedFile)).toMatchObject([
      { path: 'a', added: 3 },
    ]);
    expect(await edited.undo('m1')).toEqual({ conflicts: [] });
  });

  it('are not recorded outside a turn', async () => {
    await using edited = await Edited.create({ a: '1' });
    const change = { path: edited.files.at('a'), shown: 'a', before: '1', after: '2' };
    await checkpointed(diskEditor, edited.checkpoints, () => undefined).apply([change]);
    expect(await edited.read('a')).toBe('2');
    await expect(readdir(edited.storagePath)).rejects.toThrow('ENOENT');
  });
});

describe('undoing a turn', () => {
  it('restores every file, also after a restart', async () => {
    await using edited = await Edited.create({ a: '1', gone: 'x' });
    await edited.edit('m1', 'a', '2');
    await edited.edit('m1', 'new', 'y');
    await edited.edit('m1', 'gone', undefined);
    edited.restart();
    expect(await edited.undo('m1')).toEqual({ conflicts: [] });
    expect(await Promise.all(['a', 'new', 'gone'].map((name) => edited.read(name)))).toEqual([
      '1',
      undefined,
      'x',
    ]);
  });

  it('restores files byte for byte after any edits', async () => {
    await fc.assert(
      fc.asyncProperty(
        textOfLines,
        fc.array(fc.option(textOfLines, { nil: undefined }), { minLength: 1, maxLength: 4 }),
        async (before, versions) => {
          await using edited = await Edited.create({ a: before });
          await edited.edit('m1', 'a', `${before}changed`);
          for (const version of versions) await edited.edit('m1', 'a', version);
          await edited.undo('m1');
          expect(await edited.read('a')).toBe(before);
        },
      ),
      { numRuns: soak(10, 100) },
    );
  });

  it('does nothing and names the file if another program changed one', async () => {
    await using edited = await Edited.create({ a: '1', b: '1' });
    await edited.edit('m1', 'a', '2');
    await edited.edit('m1', 'b', '2');
    await edited.files.write('b', 'mine');
    expect(await edited.undo('m1')).toEqual({ conflicts: ['b'] });
    expect([await edited.read('a'), await edited.read('b')]).toEqual(['2', 'mine']);
  });

  it('overwrites a file that another program changed, on request', async () => {
    await using edited = await Edited.create({ a: '1', b: '1' });
    await edited.edit('m1', 'a', '2');
    await edited.edit('m1', 'b', '2');
    await edited.files.write('b', 'mine');
    await edited.undo('m1', true);
    expect([await edited.read('a'), await edited.read('b')]).toEqual(['1', '1']);
  });

  it('notices a change by another program between two edits', async () => {
    await using edited = await Edited.once();
    await edited.files.write('a', '2 and mine');
    await edited.edit('m1', 'a', '3 and mine');
    expect(await edited.undo('m1')).toEqual({ conflicts: ['a'] });
  });

  it('treats the edits of a later turn as a conflict', async () => {
    await using edited = await Edited.once();
    await edited.edit('m5', 'a', '3');
    expect(await edited.undo('m1')).toEqual({ conflicts: ['a'] });
    await edited.undo('m5');
    expect(await edited.undo('m1')).toEqual({ conflicts: [] });
    expect(await edited.read('a')).toBe('1');
  });

  it('reports no conflict if a file already has its earlier content', async () => {
    await using edited = await Edited.once();
    await edited.files.write('a', '1');
    expect(await edited.undo('m1')).toEqual({ conflicts: [] });
  });

  it('is refused a second time, also after a restart', async () => {
    await using edited = await Edited.once();
    await edited.undo('m1');
    expect(await edited.checkpoints.changesOf('m1')).toEqual([]);
    await expect(edited.undo('m1')).rejects.toThrow('These edits have already been undone.');
    edited.restart();
    await expect(edited.undo('m1')).rejects.toThrow('These edits have already been undone.');
  });

  it('is refused if the turn changed nothing', async () => {
    await using edited = await Edited.create({});
    await expect(edited.undo('m1')).rejects.toThrow('There are no edits to undo here.');
  });

  it('is possible again if the turn made edits after the first undo', async () => {
    await using edited = await Edited.once();
    await edited.undo('m1');
    await edited.edit('m1', 'a', '3');
    await edited.undo('m1');
    expect(await edited.read('a')).toBe('1');
  });

  it('survives a line cut off by a crash', async () => {
    await using edited = await Edited.once();
    await appendFile(`${edited.storagePath}/index.jsonl`, '{"type":"change","turnId":"m1","pa');
    edited.restart();
    await edited.edit('m5', 'a', '3');
    edited.restart();
    await edited.undo('m5');
    await edited.undo('m1');
    expect(await edited.read('a')).toBe('1');
  });

  it('explains that a stored text is missing', async () => {
    await using edited = await Edited.once();
    await rm(`${edited.storagePath}/texts`, { recursive: true });
    await expect(edited.undo('m1')).rejects.toThrow('no longer stored');
  });
});

describe('the folder of the checkpoints', () => {
  it('derives no file name from an id or a path', async () => {
    await using edited = await Edited.create({ 'some-name': '1' });
    await edited.edit('../../m1', 'some-name', '2');
    const names = await readdir(edited.storagePath, { recursive: true });
    expect(names.filter((name) => !/^(?:index\.jsonl|texts|texts\/[0-9a-f]{64})$/.test(name))).toEqual([]);
    expect(names).toHaveLength(4);
  });

  it('stores each text once', async () => {
    await using edited = await Edited.create({ a: '1' });
    for (const text of ['2', '1', '2', '1']) await edited.edit('m1', 'a', text);
    expect(await readdir(`${edited.storagePath}/texts`)).toHaveLength(2);
    expect((await readFile(`${edited.storagePath}/index.jsonl`, 'utf8')).match(/"change"/g)).toHaveLength(4);
  });
});
