import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dependenciesOf, type Shard } from './shards.ts';

/** A file that a shard has put where others can read it. */
export interface SharedFile {
  /** The shard that wrote it. */
  readonly shard: string;
  readonly name: string;
  readonly characters: number;
}

/** Something about shared files that cannot be done, in words for the model. */
export class SharedFolderError extends Error {
  override readonly name = 'SharedFolderError';
}

/** The part of a shared folder that is open to one shard. */
export interface SharedAccess {
  /** @throws {SharedFolderError} for a name or a size that is not taken */
  write(name: string, content: string): Promise<void>;
  /**
   * @param shard the one that wrote it
   * @throws {SharedFolderError} where the shard may not read it or there is no such file
   */
  read(shard: string, name: string): Promise<string>;
  /** What can be read, by shard and name. */
  list(): readonly SharedFile[];
}

/** Characters of a file. */
const longestFile = 200_000;
/** Files of one shard. */
const mostFiles = 32;
/** Flat, the same on every file system, and no name that Windows keeps for a device. */
const namePattern = /^(?!(?:aux|com\d|con|lpt\d|nul|prn)(?:\.|$))[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/i;

/**
 * Files through which the shards of one call tell each other what a report is too short for: a folder for each, which
 * only that shard writes to, and which only those that depend on it read. `changes.jsonl` beside them has a line for
 * every time a file was written.
 */
export class SharedFolder {
  private readonly path: string;
  private readonly shards: readonly Shard[];
  private readonly now: () => number;
  private readonly files = new Map<string, SharedFile>();
  private writing: Promise<void> = Promise.resolve();

  /**
   * @param path made when the first file is
   * @param now milliseconds since 1970
   */
  constructor(path: string, shards: readonly Shard[], now: () => number) {
    this.path = path;
    this.shards = shards;
    this.now = now;
  }

  /** What one shard has written, in the order of their names. */
  filesOf(shard: string): readonly SharedFile[] {
    return [...this.files.values()]
      .filter((file) => file.shard === shard)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  accessOf(shard: string): SharedAccess {
    const readable = [shard, ...dependenciesOf(shard, this.shards)];
    return {
      write: (name, content) => this.write(shard, name, content),
      read: (from, name) => this.readAs(shard, readable, from, name),
      list: () => readable.flatMap((name) => this.filesOf(name)),
    };
  }

  private async write(shard: string, name: string, content: string): Promise<void> {
    if (!namePattern.test(name)) {
      throw new SharedFolderError(
        `"${name}" cannot be the name of a shared file: use up to 64 letters, digits, dots, hyphens and underscores, and no folders.`,
      );
    }
    if (content.length > longestFile) {
      throw new SharedFolderError(
        `A shared file has at most ${longestFile} characters, not ${content.length}. Split it, or leave out what the others do not need.`,
      );
    }
    const written = this.writing.then(() => this.replace(shard, name, content));
    this.writing = written.catch(() => {});
    await written;
  }

  /** Written beside and renamed into place: whoever reads meanwhile gets the old text or the new one. */
  private async replace(shard: string, name: string, content: string): Promise<void> {
    const key = keyOf(shard, name);
    const own = this.filesOf(shard);
    if (!this.files.has(key) && own.length >= mostFiles) {
      throw new SharedFolderError(`${shard} has shared ${mostFiles} files, which is the most there can be.`);
    }
    const file: SharedFile = { shard, name: this.files.get(key)?.name ?? name, characters: content.length };
    const folder = join(this.path, shard);
    await mkdir(folder, { recursive: true });
    const beside = join(this.path, 'next.tmp');
    await writeFile(beside, content);
    await rename(beside, join(folder, file.name));
    const line = { at: new Date(this.now()).toISOString(), ...file };
    await appendFile(join(this.path, 'changes.jsonl'), `${JSON.stringify(line)}\n`);
    this.files.set(key, file);
  }

  private async readAs(
    reader: string,
    readable: readonly string[],
    shard: string,
    name: string,
  ): Promise<string> {
    if (!readable.includes(shard)) {
      const others = readable.slice(1).join(', ');
      const why = others === '' ? 'it depends on no other shard' : `it depends on ${others}`;
      throw new SharedFolderError(`${reader} cannot read files of "${shard}": ${why}.`);
    }
    const file = this.files.get(keyOf(shard, name));
    if (file !== undefined) return readFile(join(this.path, shard, file.name), 'utf8');
    const names = this.filesOf(shard).map((known) => known.name);
    const there = names.length === 0 ? 'It has shared none.' : `There are: ${names.join(', ')}.`;
    throw new SharedFolderError(`${shard} has shared no file "${name}". ${there}`);
  }
}

/** Some file systems take names for the same that differ in case only, so all do here. */
function keyOf(shard: string, name: string): string {
  return `${shard}/${name.toLowerCase()}`;
}
