import { HeldElsewhereError, type SessionLock } from '../../agent/locks/session-lock.ts';
import { messageOf } from '../../compaction/failure.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';
import type { ReadOnlyView } from '../../protocol/chat.ts';
import { ReadOnlySessionError, type SessionFile } from '../storage/session-file.ts';

/** Writes the session that is shown to its file, which has the lock, until it is closed. */
export class Writer {
  readonly readOnly: ReadOnlyView | undefined;
  readonly lock: SessionLock;
  private readonly file: SessionFile | undefined;
  private readonly endings: (() => void)[] = [];
  private isClosed = false;

  /**
   * @param target the file, or the lock where another has it
   * @param readOnly why nothing is to be written
   */
  constructor(target: SessionFile | SessionLock, readOnly?: ReadOnlyView) {
    this.file = 'append' in target ? target : undefined;
    this.lock = 'append' in target ? target.lock : target;
    this.readOnly = readOnly;
  }

  /** @throws {Error} with a sentence where the event was not written, or another window may have written since */
  async append(event: SessionEvent): Promise<void> {
    try {
      await this.writable().append(event);
    } catch (error) {
      throw new Error(`The chat could not be saved: ${messageOf(error)}`, { cause: error });
    }
  }

  /** @throws {HeldElsewhereError} where another window has the lock */
  async verify(): Promise<void> {
    // A chat that is new has a file, and a lock, with the first thing that is said.
    await this.writable().lock.hold();
  }

  /** Calls a function when the session is closed. */
  onClose(ending: () => void): void {
    this.endings.push(ending);
  }

  /** Lets go, once what is being written is there. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const ending of this.endings) ending();
    await this.file?.close();
  }

  private writable(): SessionFile {
    if (this.readOnly?.reason === 'newer-version') throw new ReadOnlySessionError();
    if (this.file === undefined || this.isClosed || this.readOnly !== undefined) {
      throw new HeldElsewhereError(undefined);
    }
    return this.file;
  }
}
