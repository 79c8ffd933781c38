import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** Reason why a path cannot be read as a file. Pipes, sockets and devices are `special`. */
export type Unusable = 'directory' | 'not-a-directory' | 'special' | 'moved';

/** Error for a path that is no longer the expected file or directory. */
export class UnusablePathError extends Error {
  override readonly name = 'UnusablePathError';
  readonly reason: Unusable;

  constructor(reason: Unusable, path: string) {
    super(`${path}: ${reason}`);
    this.reason = reason;
  }
}

/** A regular file that is open for reading. Its path contains no links. */
export interface RealFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/** On Windows only the first of these constants is defined. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY, O_DIRECTORY }: Partial<typeof constants> = constants;
/** Flags for opening a file without waiting for a pipe or following a symbolic link. */
export const flagsOfFile = flags(O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY);
const flagsOfDirectory = flags(O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_DIRECTORY);

/** Opens a file for reading, if the path leads to it without links. @throws {UnusablePathError} otherwise */
export async function withRealFile<R>(path: string, use: (file: RealFile) => Promise<R>): Promise<R> {
  // Checked before opening, because opening a device can have side effects. The path may change in between.
  const named = await lstat(path);
  if (named.isSymbolicLink()) {
    // Throws for a broken or circular link. Any other link was created after the path was resolved.
    await stat(path);
    throw new UnusablePathError('moved', path);
  }
  if (named.isDirectory()) throw new UnusablePathError('directory', path);
  if (!named.isFile()) throw new UnusablePathError('special', path);
  const handle = await opened(path, flagsOfFile);
  try {
    const status = await handle.stat();
    if (status.isDirectory()) throw new UnusablePathError('directory', path);
    if (!status.isFile()) throw new UnusablePathError('special', path);
    if (!(await isAt(handle, path))) throw new UnusablePathError('moved', path);
    return await use({ handle, size: status.size });
  } finally {
    await handle.close();
  }
}

/** Opens a path that is not a symbolic link. @throws {UnusablePathError} `moved` if it is one */
async function opened(path: string, mode: number): Promise<FileHandle> {
  try {
    return await open(path, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new UnusablePathError('moved', path);
  }
}

/** True if an open file is the file at this path, and the path contains no symbolic links. */
async function isAt(handle: FileHandle, path: string): Promise<boolean> {
  const link = await readlink(linkTo(handle)).catch(() => undefined);
  if (link !== undefined) return link === path;
  // Other systems do not report the path of an open file, so the path must lead to it without links.
  const before = await realpath(path);
  const [open, named] = [await handle.stat({ bigint: true }), await lstat(path, { bigint: true })];
  const isSame = open.dev === named.dev && open.ino === named.ino;
  return isSame && before === path && (await realpath(path)) === path;
}

/** Returns the path of Linux's link to an open file or directory. It does not exist on other systems. */
function linkTo({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

function flags(...wanted: readonly (number | undefined)[]): number {
  return wanted.reduce<number>((all, flag = 0) => all | flag, 0);
}

/** The bytes of a file, or the reason why they were not read. */
export type Reading = { readonly bytes: Buffer } | { readonly refusal: 'binary' | 'too-large' };

const chunkSize = 256 * 1024;

/** Reads a whole file; undefined above `most` bytes. @throws {CancelledError} if the signal was aborted */
export async function readWholeFile(
  { handle, size }: RealFile,
  most: number,
  signal?: CancellationSignal,
): Promise<Buffer | undefined> {
  if (size > most) return undefined;
  const chunks: Buffer[] = [];
  for (let position = 0; ;) {
    if (signal !== undefined) throwIfCancelled(signal);
    const chunk = await readPart(handle, position, Math.min(chunkSize, most + 1 - position));
    if (chunk.length === 0) return Buffer.concat(chunks);
    position += chunk.length;
    if (position > most) return undefined;
    chunks.push(chunk);
  }
}

/** Reads a whole text file. Refuses binary files, and files over `most` bytes. @throws {CancelledError} */
export async function readWholeText(
  file: RealFile,
  most: number,
  signal?: CancellationSignal,
): Promise<Reading> {
  if (signal !== undefined) throwIfCancelled(signal);
  if (isBinary(await readPart(file.handle, 0, chunkSize))) return { refusal: 'binary' };
  const bytes = await readWholeFile(file, most, signal);
  if (bytes === undefined) return { refusal: 'too-large' };
  return isBinary(bytes) ? { refusal: 'binary' } : { bytes };
}

/** Reads bytes of a file from a position into a buffer; fewer at the end of the file. */
export async function readPart(
  handle: FileHandle,
  position: number,
  length: number,
  buffer = Buffer.allocUnsafe(length),
): Promise<Buffer> {
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** True if bytes are not text. Text has no NUL, except UTF-16 with a byte order mark. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) && utf16Of(bytes) === undefined;
}

/** Decodes UTF-8 or UTF-16, without the byte order mark. */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes);
}

/** Returns the kind of UTF-16 that the byte order mark announces. */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** A directory that cannot be exchanged while in use. Linux uses the open directory; other systems check its path. */
export class HeldDirectory {
  readonly path: string;
  private readonly handle: FileHandle;
  /** Path that leads to the open directory even after a move, if the system has such paths. */
  private readonly base: string;

  private constructor(directory: string, handle: FileHandle, base: string) {
    this.path = directory;
    this.handle = handle;
    this.base = base;
  }

  /** @param directory absolute path without links @throws {UnusablePathError} if it is not a directory or has moved */
  static async open(directory: string): Promise<HeldDirectory> {
    const handle = await openedDirectory(directory);
    try {
      if (!(await handle.stat()).isDirectory()) throw new UnusablePathError('not-a-directory', directory);
      if (!(await isAt(handle, directory))) throw new UnusablePathError('moved', directory);
      const isLinked = await stat(linkTo(handle)).then(
        () => true,
        () => false,
      );
      return new HeldDirectory(directory, handle, isLinked ? linkTo(handle) : directory);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The path by which a program of this computer can open the directory. */
  get entrance(): string {
    return this.base;
  }

  at(name: string): string {
    return path.join(this.base, name);
  }

  /** @throws {UnusablePathError} `moved` if the directory is no longer at its path */
  async check(): Promise<void> {
    if (!(await isAt(this.handle, this.path))) throw new UnusablePathError('moved', this.path);
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/** Holds a directory open during an operation. @throws all errors of `HeldDirectory.open` */
export async function withDirectory<R>(
  directory: string,
  use: (held: HeldDirectory) => Promise<R>,
): Promise<R> {
  const held = await HeldDirectory.open(directory);
  try {
    return await use(held);
  } finally {
    await held.close();
  }
}

async function openedDirectory(directory: string): Promise<FileHandle> {
  try {
    return await opened(directory, flagsOfDirectory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    const isLink = (await lstat(directory)).isSymbolicLink();
    // Throws the file system's own error for a broken link.
    if (isLink) await stat(directory);
    throw new UnusablePathError(isLink ? 'moved' : 'not-a-directory', directory);
  }
}
