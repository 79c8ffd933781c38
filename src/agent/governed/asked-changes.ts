import { constants, type FileHandle, open, rm } from 'node:fs/promises';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { SentenceError } from '../../language/sentence.ts';
import { replaceFile } from '../files/replace-file.ts';
import { sealed } from '../files/sealed.ts';
import { livingOwner, newOwner } from '../locks/session-lock.ts';
import { watchPath } from '../locks/shared-file.ts';

/** A change that the user asks for: a compaction to undo or a message to restore, by id. */
export type AskedChange = { readonly undo: string } | { readonly restore: string };

/** Maximum bytes that are read at once. Each change is one short line. */
const mostBytes = 16_384;
/** Neither mode creates a file, follows a link, or waits for another program. */
const { O_RDONLY, O_WRONLY, O_APPEND, O_NOFOLLOW, O_NONBLOCK } = constants;
const toRead = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const toAppend = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK;

/**
 * Takes the changes that the user asks for in a recorded conversation, for the only process that writes the recording.
 * A file next to the recording exists while they are taken. Its first line names the process; others append a line for
 * each change.
 */
export class AskedChanges {
  private readonly path: string;
  /** Number of bytes that were read; undefined while no changes are taken. */
  private read: number | undefined;
  private unwatch = () => {};

  constructor(recording: string) {
    this.path = pathBeside(recording);
  }

  /** Begins to take changes, unless it has begun. @param asked called when there may be new ones */
  async begin(asked: () => void): Promise<void> {
    if (this.read !== undefined) return;
    const owner = `${sealed(newOwner(''))}\n`;
    await replaceFile(this.path, owner, { flush: false });
    this.read = Buffer.byteLength(owner);
    this.unwatch = watchPath(this.path, asked);
  }

  /** Returns the changes that were asked for since the last call. Everything that is no change is skipped. */
  async take(): Promise<readonly AskedChange[]> {
    if (this.read === undefined) return [];
    const bytes = await readAt(this.path, this.read);
    const end = bytes.lastIndexOf('\n') + 1;
    const isOverlong = end === 0 && bytes.length === mostBytes;
    this.read += isOverlong ? bytes.length : end;
    const lines = bytes.subarray(0, end).toString('utf8').split('\n');
    return lines.flatMap((line) => changeIn(line) ?? []);
  }

  async end(): Promise<void> {
    if (this.read === undefined) return;
    this.read = undefined;
    this.unwatch();
    await rm(this.path, { force: true });
  }
}

/** The proxy that compacts a recorded conversation, as seen by another process. */
export interface RecordingProxy {
  /** True if it runs and takes changes. */
  isRunning(): Promise<boolean>;
  /** Asks for a change, which is made soon. @throws {SentenceError} if the proxy has stopped */
  ask(change: AskedChange): Promise<void>;
}

/** @param recording path of the recording */
export function proxyOf(recording: string): RecordingProxy {
  const path = pathBeside(recording);
  const isRunning = async () => {
    const [first = ''] = (await readAt(path, 0)).toString('utf8').split('\n', 1);
    return livingOwner(first) !== undefined;
  };
  return {
    isRunning,
    ask: async (change) => {
      const line = `${JSON.stringify(change)}\n`;
      const isAsked = (await isRunning()) && (await inFile(path, toAppend, (file) => file.write(line)));
      if (!isAsked) throw new SentenceError(bridgeSentences.say('proxyHasEnded'));
    },
  };
}

function pathBeside(recording: string): string {
  return `${recording.replace(/\.jsonl$/u, '')}.changes`;
}

async function readAt(path: string, position: number): Promise<Buffer> {
  const buffer = Buffer.alloc(mostBytes);
  const read = await inFile(path, toRead, (file) => file.read({ buffer, position })).catch(() => undefined);
  return buffer.subarray(0, read?.bytesRead ?? 0);
}

/** @returns undefined if the file cannot be opened, usually because it does not exist */
async function inFile<Result>(
  path: string,
  flags: number,
  work: (file: FileHandle) => Promise<Result>,
): Promise<Result | undefined> {
  const file = await open(path, flags).catch(() => undefined);
  try {
    return file && (await work(file));
  } finally {
    await file?.close();
  }
}

function changeIn(line: string): AskedChange | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
    const { undo, restore } = value;
    if (isId(undo)) return { undo };
    return isId(restore) ? { restore } : undefined;
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,40}$/u.test(value);
}
