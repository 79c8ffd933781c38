import * as vscode from 'vscode';
import type { SessionContents } from '../../transcripts/session/session-format.ts';

/** The end of a long session that is being opened, to be looked at until all of it is there. */
export interface SessionPreview {
  readonly id: string;
  readonly contents: SessionContents;
  /** Resolves when it is the active session, or with false if it could not be opened. Never rejects. */
  readonly opened: Promise<boolean>;
}

/** Reads the end of the session that is opened, and tells of it. */
export class PreviewedOpening implements vscode.Disposable {
  private shown: SessionPreview | undefined;
  private readonly changed = new vscode.EventEmitter<SessionPreview | undefined>();

  /** Another preview can be shown; or none any more, as the active session can. */
  readonly onDidChange = this.changed.event;

  get current(): SessionPreview | undefined {
    return this.shown;
  }

  /**
   * Opens a session whose end is shown meanwhile, until `end` is called.
   *
   * @param path of its file
   * @throws what the opening threw
   */
  async during<Opened>(
    { id, path }: { readonly id: string; readonly path: string },
    open: () => Promise<Opened | undefined>,
  ): Promise<Opened | undefined> {
    const { readTail } = await import('../../presenters/storage/session-tail.ts');
    const contents = await readTail(path);
    const opening = open();
    if (contents !== undefined) {
      const opened = opening.then(
        (found) => found !== undefined,
        () => false,
      );
      this.shown = { id, contents, opened };
      this.changed.fire(this.shown);
    }
    return opening;
  }

  end(): void {
    if (this.shown === undefined) return;
    this.shown = undefined;
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
