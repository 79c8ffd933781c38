import type { FileChange, FileEditor } from './file-editor.ts';

/** What files were before each turn, and what the agent left there. */
export interface Checkpoints {
  /**
   * Notes changes of a turn before they are made; resolves when they would outlive a crash.
   *
   * @param turnId id of the message that the turn began with
   */
  note(turnId: string, changes: readonly FileChange[]): Promise<void>;
  /** What a turn did to files, against what they were before it. Nothing where it was undone. */
  changesOf(turnId: string): Promise<readonly FileChange[]>;
  /**
   * Brings all files back to what they were before a turn.
   *
   * @param options `force`: also those that somebody else has changed since
   * @returns the files that somebody else has changed, as people read them; where there are any and `force` is not
   * set, nothing was done
   * @throws {FileEditError} where there is nothing to undo, or it was undone already, or a file cannot be written
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

/** What an editor made of the changes while saving them, where it did. */
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
