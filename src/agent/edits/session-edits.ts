import type { EditsEvent } from '../../transcripts/session-event.ts';
import { checkpointed, type Checkpoints } from './checkpoints.ts';
import { editedFiles } from './edited-files.ts';
import { FileEditError, type FileChange, type FileEditor } from './file-editor.ts';

/** Where a session changes files, and what takes that back. */
export interface SessionFiles {
  readonly editor: FileEditor;
  readonly checkpoints: Checkpoints;
}

/** What the agent did to files, turn by turn. */
export class SessionEdits {
  private readonly files: () => Promise<SessionFiles | undefined>;
  private readonly tell: (edits: EditsEvent) => Promise<void>;
  private readonly turns: Map<string, EditsEvent>;

  /**
   * @param files looked up when they are needed; undefined, or resolves with it, where no files are to be changed now
   * @param tell makes an event durable and shows it
   */
  constructor(
    files: (() => Promise<SessionFiles | undefined>) | undefined,
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

  /** Tells what a turn did to files, where it did anything new. */
  async endTurn(turnId: string | undefined): Promise<void> {
    if (turnId === undefined) return;
    const files = await editedFiles(await this.changesOf(turnId));
    const before = this.turns.get(turnId);
    if (files.length === 0 && (before === undefined || before.isUndone)) return;
    if (before !== undefined && JSON.stringify(before.files) === JSON.stringify(files)) return;
    await this.note({ type: 'edits', turnId, files, isUndone: false });
  }

  /** What a turn did to files, with their texts. */
  async changesOf(turnId: string): Promise<readonly FileChange[]> {
    return (await (await this.files())?.checkpoints.changesOf(turnId)) ?? [];
  }

  /**
   * Brings files back to what they were before a turn.
   *
   * @param force also files that somebody else has changed since
   * @returns the files that somebody else has changed; where there are any and `force` is not set, nothing was done
   * @throws {FileEditError} where there is nothing to undo or a file cannot be written
   */
  async undo(turnId: string, force: boolean): Promise<readonly string[]> {
    const edits = this.turns.get(turnId);
    const files = await this.files();
    if (files === undefined || edits === undefined || edits.isUndone) {
      throw new FileEditError('There are no edits to undo here.');
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
