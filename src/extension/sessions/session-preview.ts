import * as vscode from 'vscode';
import type { SessionContents } from '../../transcripts/session/session-format.ts';

/** The end of a long session, shown until the whole session is opened. */
export interface SessionPreview {
  readonly id: string;
  readonly contents: SessionContents;
  /** Resolves to true when it is the active session, or to false if it could not be opened. Never rejects. */
  readonly opened: Promise<boolean>;
}

/** Reads the end of a session that is being opened, and notifies listeners. */
export class PreviewedOpening implements vscode.Disposable {
  private shown: SessionPreview | undefined;
  private readonly changed = new vscode.EventEmitter<SessionPreview | undefined>();

  /** Fires when the preview changes, or ends because the active session can be shown. */
  readonly onDidChange = this.changed.event;

  get current(): SessionPreview | undefined {
    return this.shown;
  }

  /** Opens a session, and shows the end of its file until `end` is called. @throws the error of the opening */
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
