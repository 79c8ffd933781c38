import { randomBytes } from 'node:crypto';
import { access, chmod, constants, lstat, mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import {
  HeldDirectory,
  type Reading,
  readWholeText,
  type Unusable,
  UnusablePathError,
  withDirectory,
  withRealFile,
} from '../files/real-file.ts';
import { type FileChange, FileEditError, type FileEditor } from './file-editor.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { type Sentence, toModel } from '../../language/sentence.ts';
import { startupSentences } from '../../language/english/startup-english.ts';

/** Edits files on disk. The directory of a written file is held open, so that no new link redirects the write. */
export const diskEditor: FileEditor = { read: readTextFile, apply };

interface Staged {
  readonly change: FileChange;
  readonly directory: HeldDirectory;
  /** Name of the file with the new text; undefined for a deletion. */
  readonly beside: string | undefined;
}

async function apply(changes: readonly FileChange[]): Promise<void> {
  const directories = new HeldDirectories();
  try {
    await applyIn(directories, changes);
  } finally {
    await directories.close();
  }
}

async function applyIn(directories: HeldDirectories, changes: readonly FileChange[]): Promise<void> {
  const staged: Staged[] = [];
  const done: Staged[] = [];
  try {
    for (const change of changes) {
      const stage = await explained(change, () => staging(change, directories));
      if (stage !== undefined) staged.push(stage);
    }
    for (const { path, shown, before } of changes) {
      if ((await readTextFile(path)) !== before) {
        throw new FileEditError(agentSentences.say('fileChangedNothingWritten', { file: shown }));
      }
    }
    for (const stage of staged) {
      const { change, directory, beside } = stage;
      await explained(change, async () => {
        const target = directory.at(basename(change.path));
        await directory.check();
        await (beside === undefined ? rm(target) : rename(directory.at(beside), target));
        done.push(stage);
        await directory.check();
      });
    }
  } catch (error) {
    for (const { directory, beside } of staged) {
      if (beside !== undefined) await rm(directory.at(beside), { force: true });
    }
    for (const stage of done.toReversed()) await restore(stage);
    await directories.removeMade();
    throw error;
  }
}

/** Writes the new text next to the file, and creates the directory; undefined if there is no file to delete. */
async function staging(change: FileChange, directories: HeldDirectories): Promise<Staged | undefined> {
  const { path, before, after } = change;
  if (before === undefined && after === undefined) return undefined;
  const directory = await directories.open(dirname(path));
  if (before !== undefined) await access(directory.at(basename(path)), constants.W_OK);
  const beside = after === undefined ? undefined : await writeBeside(directory, basename(path), after);
  return { change, directory, beside };
}

/** @returns the name of the written file, which has the mode of the original */
async function writeBeside(directory: HeldDirectory, name: string, text: string): Promise<string> {
  const beside = `.${randomBytes(8).toString('hex')}.new`;
  const mode = await lstat(directory.at(name)).then(
    (status) => (status.isFile() ? status.mode & 0o7777 : undefined),
    () => undefined,
  );
  try {
    await directory.check();
    await writeFile(directory.at(beside), text, {
      flag: 'wx',
      ...(mode === undefined ? {} : { mode: 0o600 }),
    });
    if (mode !== undefined) await chmod(directory.at(beside), mode);
  } catch (error) {
    await rm(directory.at(beside), { force: true });
    throw error;
  }
  return beside;
}

async function restore({ change: { path, before }, directory }: Staged): Promise<void> {
  const name = basename(path);
  if (before === undefined) await rm(directory.at(name), { force: true });
  else await rename(directory.at(await writeBeside(directory, name, before)), directory.at(name));
}

class HeldDirectories {
  private readonly held = new Map<string, HeldDirectory>();
  /** Directories that were missing, outermost first. */
  private readonly made: string[] = [];

  async open(directory: string): Promise<HeldDirectory> {
    const known = this.held.get(directory);
    if (known !== undefined) return known;
    const held = await this.openOrMake(directory);
    this.held.set(directory, held);
    return held;
  }

  async removeMade(): Promise<void> {
    for (const directory of this.made.toReversed()) {
      await withDirectory(dirname(directory), (parent) => rmdir(parent.at(basename(directory)))).catch(
        () => {},
      );
    }
  }

  async close(): Promise<void> {
    for (const directory of this.held.values()) await directory.close();
  }

  private async openOrMake(directory: string): Promise<HeldDirectory> {
    try {
      return await HeldDirectory.open(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(directory) === directory) throw error;
    }
    const parent = await this.open(dirname(directory));
    await parent.check();
    await mkdir(parent.at(basename(directory)));
    this.made.push(directory);
    return HeldDirectory.open(directory);
  }
}

async function explained<R>({ shown }: FileChange, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asFileEditError(error, shown, 'write');
  }
}

/** Maximum bytes of a file, the same as for `read_file`. */
const largestFile = 20_000_000;

/** Error for a file that is not UTF-8 text. */
export class EncodingError extends FileEditError {}

/** Reads a real path with its byte order mark; undefined if missing. @throws {EncodingError} @throws {FileEditError} */
export async function readTextFile(path: string): Promise<string | undefined> {
  const name = basename(path);
  let reading: Reading;
  try {
    reading = await withRealFile(path, (file) => readWholeText(file, largestFile));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asFileEditError(error, name, 'read');
  }
  if ('refusal' in reading && reading.refusal === 'too-large') {
    throw new FileEditError(agentSentences.say('fileTooLarge', { file: name }));
  }
  try {
    if ('refusal' in reading) throw new TypeError('NUL');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(reading.bytes);
  } catch (error) {
    throw new EncodingError(agentSentences.say('fileNotUtf8', { file: name }), { cause: error });
  }
}

const unusable = {
  directory: 'fileIsDirectory',
  'not-a-directory': 'fileBelowFile',
  special: 'fileNotRegular',
  moved: 'fileMoved',
} as const satisfies Record<Unusable, string>;

/** Converts an error of the file system into a sentence. Other errors are returned unchanged. */
function asFileEditError(error: unknown, file: string, access: 'read' | 'write'): unknown {
  if (error instanceof UnusablePathError) {
    const advice = error.reason === 'moved' ? toModel` Read it again.` : undefined;
    return new FileEditError(agentSentences.say(unusable[error.reason], { file }), { cause: error, advice });
  }
  const code = codeOf(error);
  const sentence = code === undefined ? undefined : sentenceFor(code, file, access);
  return sentence === undefined ? error : new FileEditError(sentence, { cause: error });
}

function sentenceFor(code: string, file: string, access: 'read' | 'write'): Sentence {
  const isRead = access === 'read';
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return agentSentences.say(isRead ? 'fileReadDenied' : 'fileWriteDenied', { file });
    case 'ENOENT':
      return agentSentences.say('fileIsGone', { file });
    case 'ENOTDIR':
    case 'EEXIST':
      return agentSentences.say('fileBelowFile', { file });
    case 'ELOOP':
      return agentSentences.say('fileLinkNowhere', { file });
    case 'ENAMETOOLONG':
      return startupSentences.say('pathIsTooLong');
    case 'ENOSPC':
      return agentSentences.say('fileWriteDiskFull', { file });
    default:
      return agentSentences.say(isRead ? 'fileReadFailed' : 'fileWriteFailed', { file, code });
  }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
