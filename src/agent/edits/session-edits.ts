import type { EditedFile } from '../../compaction/messages/message.ts';
import type { EditsEvent } from '../../transcripts/session/session-event.ts';
import { type FileChange, FileEditError, type FileEditor } from './file-editor.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** The editor a session changes files with, and the checkpoints that undo it. */
export interface CheckpointedFiles {
  readonly editor: FileEditor;
  readonly checkpoints: Checkpoints;
}

/** The changes the agent made to files, turn by turn. */
export class SessionEdits {
  private readonly files: () => Promise<CheckpointedFiles | undefined>;
  private readonly tell: (edits: EditsEvent) => Promise<void>;
  private readonly turns: Map<string, EditsEvent>;

  /**
   * @param files looked up when they are needed; undefined, or resolves with it, if no files are to be changed now
   * @param tell makes an event durable and shows it
   */
  constructor(
    files: (() => Promise<CheckpointedFiles | undefined>) | undefined,
    start: readonly EditsEvent[],
    tell: (edits: EditsEvent) => Promise<void>,
  ) {
    this.files = files ?? (() => Promise.resolve(undefined));
    this.tell = tell;
    this.turns = new Map(start.map((edits) => [edits.turnId, edits]));
  }

  /** The newest word on each turn that changed files, oldest turn first. */
  get all(): readonly EditsEvent[] {
    return [...this.turns.values()];
  }

  /** Takes in what another window wrote of a turn. */
  follow(edits: EditsEvent): void {
    this.turns.set(edits.turnId, edits);
  }

  /** An editor that keeps what files were before a turn changed them. */
  async editorOf(turnId: string | undefined): Promise<FileEditor | undefined> {
    const files = await this.files();
    return files === undefined ? undefined : checkpointed(files.editor, files.checkpoints, () => turnId);
  }

  /** Tells what a turn did to files, if it did anything new. */
  async endTurn(turnId: string | undefined): Promise<void> {
    if (turnId === undefined) return;
    const files = await editedFiles(await this.changesOf(turnId));
    const before = this.turns.get(turnId);
    if (files.length === 0 && (before === undefined || before.isUndone)) return;
    if (before !== undefined && JSON.stringify(before.files) === JSON.stringify(files)) return;
    await this.note({ type: 'edits', turnId, files, isUndone: false });
  }

  /** The changes of a turn to files, with their contents. */
  async changesOf(turnId: string): Promise<readonly FileChange[]> {
    return (await (await this.files())?.checkpoints.changesOf(turnId)) ?? [];
  }

  /**
   * Brings files back to what they were before a turn.
   *
   * @param force also files that someone else has changed since
   * @returns the files that someone else has changed; if there are any and `force` is not set, nothing was done
   * @throws {FileEditError} if there is nothing to undo or a file cannot be written
   */
  async undo(turnId: string, force: boolean): Promise<readonly string[]> {
    const edits = this.turns.get(turnId);
    const files = await this.files();
    if (files === undefined || edits === undefined || edits.isUndone) {
      throw new FileEditError(startupSentences.say('noEditsToUndo'));
    }
    const { conflicts } = await files.checkpoints.undo(turnId, files.editor, { force });
    if (conflicts.length === 0 || force) await this.note({ ...edits, isUndone: true });
    return conflicts;
  }

  private async note(edits: EditsEvent): Promise<void> {
    this.turns.set(edits.turnId, edits);
    await this.tell(edits);
  }
}

/** The contents of files before each turn, and those the agent left. */
export interface Checkpoints {
  /**
   * Notes changes of a turn before they are made; resolves when they would outlive a crash.
   *
   * @param turnId id of the message that the turn began with
   */
  note(turnId: string, changes: readonly FileChange[]): Promise<void>;
  /** The changes of a turn to files, compared with their contents before it. Empty if it was undone. */
  changesOf(turnId: string): Promise<readonly FileChange[]>;
  /**
   * Brings all files back to what they were before a turn.
   *
   * @param options `force`: also those that someone else has changed since
   * @returns the files that someone else has changed, as people read them; if there are any and `force` is not
   * set, nothing was done
   * @throws {FileEditError} if there is nothing to undo, or it was undone already, or a file cannot be written
   */
  undo(
    turnId: string,
    editor: FileEditor,
    options: { readonly force: boolean },
  ): Promise<{ readonly conflicts: readonly string[] }>;
}

/**
 * An editor that keeps what files were before the current turn changed them.
 *
 * @param turnId of the turn that is running; outside of one nothing is kept
 */
export function checkpointed(
  editor: FileEditor,
  checkpoints: Checkpoints,
  turnId: () => string | undefined,
): FileEditor {
  return {
    read: (path) => editor.read(path),
    async apply(changes) {
      const turn = turnId();
      if (turn === undefined) return editor.apply(changes);
      await checkpoints.note(turn, changes);
      try {
        await editor.apply(changes);
      } catch (error) {
        await checkpoints.note(turn, changes.map(reversed));
        throw error;
      }
      await checkpoints.note(turn, await formatted(editor, changes));
    },
  };
}

function reversed(change: FileChange): FileChange {
  return { ...change, before: change.after, after: change.before };
}

/** Changes an editor made while saving, for example by formatting. */
async function formatted(editor: FileEditor, changes: readonly FileChange[]): Promise<readonly FileChange[]> {
  const left = await Promise.all(
    changes.map(async (change) => ({
      ...change,
      before: change.after,
      after: await editor.read(change.path).catch(() => change.after),
    })),
  );
  return left.filter(({ before, after }) => before !== after);
}

/** Changes in numbers. What compares texts is loaded with the first change. */
export async function editedFiles(changes: readonly FileChange[]): Promise<readonly EditedFile[]> {
  if (changes.length === 0) return [];
  const { editedFile } = await import('./line-diff.ts');
  return changes.map(editedFile);
}
