import type { EditedFile } from '../../compaction/messages/message.ts';
import type { EditsEvent } from '../../transcripts/session/session-event.ts';
import { type FileChange, FileEditError, type FileEditor } from './file-editor.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** The editor that changes files for a session, and the checkpoints that undo its changes. */
export interface CheckpointedFiles {
  readonly editor: FileEditor;
  readonly checkpoints: Checkpoints;
}

/** The agent's changes to files, by turn. */
export class SessionEdits {
  private readonly files: () => Promise<CheckpointedFiles | undefined>;
  private readonly tell: (edits: EditsEvent) => Promise<void>;
  private readonly turns: Map<string, EditsEvent>;

  /** @param files called on demand; undefined if no file may be changed now @param tell stores and shows an event */
  constructor(
    files: (() => Promise<CheckpointedFiles | undefined>) | undefined,
    start: readonly EditsEvent[],
    tell: (edits: EditsEvent) => Promise<void>,
  ) {
    this.files = files ?? (() => Promise.resolve(undefined));
    this.tell = tell;
    this.turns = new Map(start.map((edits) => [edits.turnId, edits]));
  }

  /** The latest event of each turn that changed files, oldest turn first. */
  get all(): readonly EditsEvent[] {
    return [...this.turns.values()];
  }

  /** Takes over an event that another window stored. */
  follow(edits: EditsEvent): void {
    this.turns.set(edits.turnId, edits);
  }

  /** Returns an editor that stores the content of files before a turn changes them. */
  async editorOf(turnId: string | undefined): Promise<FileEditor | undefined> {
    const files = await this.files();
    return files === undefined ? undefined : checkpointed(files.editor, files.checkpoints, () => turnId);
  }

  async endTurn(turnId: string | undefined): Promise<void> {
    if (turnId === undefined) return;
    const files = await editedFiles(await this.changesOf(turnId));
    const before = this.turns.get(turnId);
    if (files.length === 0 && (before === undefined || before.isUndone)) return;
    if (before !== undefined && JSON.stringify(before.files) === JSON.stringify(files)) return;
    await this.note({ type: 'edits', turnId, files, isUndone: false });
  }

  async changesOf(turnId: string): Promise<readonly FileChange[]> {
    return (await (await this.files())?.checkpoints.changesOf(turnId)) ?? [];
  }

  /**
   * Restores files to their content before a turn.
   * @param force true to overwrite changes of other programs; otherwise such files prevent the undo and are returned
   * @throws {FileEditError} if there are no changes to undo
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

/** The contents of files before each turn, and after the agent's changes. */
export interface Checkpoints {
  /** Stores changes before they are made. Resolves when they are durable. @param turnId id of the first message */
  note(turnId: string, changes: readonly FileChange[]): Promise<void>;
  /** Returns the file changes of a turn, compared with the content before it. Empty if the turn was undone. */
  changesOf(turnId: string): Promise<readonly FileChange[]>;
  /**
   * Restores files to their content before a turn.
   * @param options `force` overwrites changes of other programs; otherwise such changes prevent the undo
   * @throws {FileEditError} if there are no changes to undo
   */
  undo(
    turnId: string,
    editor: FileEditor,
    options: { readonly force: boolean },
  ): Promise<{ readonly conflicts: readonly string[] }>;
}

/** Returns an editor that first stores the content of files it changes. @param turnId undefined to store nothing */
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

/** Returns further changes that an editor made while it saved files, for example by formatting. */
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

/** Counts the changed lines of each file. The comparison module is loaded with the first change. */
export async function editedFiles(changes: readonly FileChange[]): Promise<readonly EditedFile[]> {
  if (changes.length === 0) return [];
  const { editedFile } = await import('./line-diff.ts');
  return changes.map(editedFile);
}
