import { lockFile } from './file-lock.ts';
import { readIfThere, replaceFile } from './replace-file.ts';

/** A small file that several windows change: each change is made to what the file holds at that moment. */
export class SharedFile {
  readonly path: string;
  private changing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** @returns undefined where there is no file. @throws what else the file system throws */
  read(): Promise<string | undefined> {
    return readIfThere(this.path);
  }

  /**
   * Changes of this window are made in the order in which they are asked for.
   *
   * @param change gets the text, undefined where there is no file; returns the text to write, undefined to leave it
   * @throws what the file system throws; then the file is as it was
   */
  change(change: (text: string | undefined) => string | undefined): Promise<void> {
    const changed = this.changing.then(() => this.changeNow(change));
    this.changing = changed.catch(() => {});
    return changed;
  }

  private async changeNow(change: (text: string | undefined) => string | undefined): Promise<void> {
    const release = await lockFile(this.path, () => {}, true);
    if (release === undefined) throw new Error('Another window writes this file.');
    try {
      const text = change(await this.read());
      if (text !== undefined) await replaceFile(this.path, text);
    } finally {
      // Where the lock was lost there is nothing to give back.
      await release().catch(() => {});
    }
  }
}
