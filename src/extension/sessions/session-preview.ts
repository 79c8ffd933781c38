import * as vscode from 'vscode';
import type { SessionContents } from '../../transcripts/session/session-format.ts';

/** The end of a long session, which is shown until the whole session is open. */
export interface SessionPreview {
  readonly id: string;
  readonly contents: SessionContents;
  /** Resolves to true when the session is active, or to false if it could not be opened. Never rejects. */
  readonly opened: Promise<boolean>;
}

/** Reads the end of a session that is being opened, and notifies listeners. */
export class PreviewedOpening implements vscode.Disposable {
  private shown: SessionPreview | undefined;
  private readonly changed = new vscode.EventEmitter<SessionPreview | undefined>();

  /** Fires when the preview changes, and when it ends because the session can be shown. */
  readonly onDidChange = this.changed.event;

  get current(): SessionPreview | undefined {
    return this.shown;
  }

  /** Opens a session, and shows the end of its file until `end` is called. @throws the error of `open` */
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
