import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { isInside } from '../files/workspace.ts';
import type { CommandShell } from './command-words.ts';
import { trackedPaths } from './git-index.ts';
import { directoryEntries, isWithoutSecrets } from './searched-files.ts';

/** An open folder. Its path is absolute, and its symbolic links are resolved. */
interface Root {
  readonly name: string;
  readonly path: string;
}

/** The directory in which a command runs. Resolves the paths among the command's words. */
export class CommandPlace {
  private readonly directory: string;
  private readonly roots: readonly Root[];
  private readonly shell: CommandShell;

  /** @param directory absolute path with all symbolic links resolved */
  constructor(directory: string, roots: readonly Root[], shell: CommandShell) {
    this.directory = directory;
    this.roots = roots;
    this.shell = shell;
  }

  /** The directory as rules name it: relative to the workspace, and empty for its only folder. */
  get shown(): string {
    const root = this.roots.find((candidate) => isInside(this.directory, candidate.path));
    const relative = path
      .relative(root?.path ?? '', this.directory)
      .split(path.sep)
      .join('/');
    const parts = this.roots.length > 1 ? [root?.name ?? '', relative] : [relative];
    return parts.filter((part) => part !== '').join('/');
  }

  /** Returns the place after `cd`; undefined if the target is not a directory of the workspace. */
  changedTo(given: string): CommandPlace | undefined {
    const real = this.resolve(given);
    return real !== undefined && isDirectory(real)
      ? new CommandPlace(real, this.roots, this.shell)
      : undefined;
  }

  /** Returns the real path of a word, with links and `..` resolved; undefined outside the workspace. */
  resolve(given: string): string | undefined {
    const native = this.shell === 'windows' ? given.replaceAll('\\', path.sep) : given;
    if (this.shell === 'windows' && !isPlainWindowsPath(native)) return undefined;
    let current = path.isAbsolute(native) ? path.parse(native).root : this.directory;
    let isThere = true;
    for (const name of native.split(path.sep)) {
      if (name === '' || name === '.') continue;
      if (name === '..') {
        // The target depends on a path that does not exist yet.
        if (!isThere) return undefined;
        current = path.dirname(current);
        continue;
      }
      const next: string = path.join(current, name);
      const real: string | undefined = isThere ? realPath(next) : undefined;
      isThere = real !== undefined;
      current = real ?? next;
    }
    return this.roots.some((root) => isInside(current, root.path)) ? current : undefined;
  }

  holds(given: string): boolean {
    return this.resolve(given) !== undefined;
  }

  isThere(given: string): boolean {
    const real = this.resolve(given);
    return real !== undefined && statSync(real, { throwIfNoEntry: false }) !== undefined;
  }

  mayRead(given: string): boolean {
    const real = this.resolve(given);
    return real !== undefined && !isSecretPath(given) && !isSecretPath(this.below(real));
  }

  mayReadFile(given: string): boolean {
    const real = this.resolve(given);
    return this.mayRead(given) && real !== undefined && isFile(real);
  }

  /** True if a word names a file, or a directory without secrets. @param isHiddenToo to include hidden files */
  maySearch(given: string, isHiddenToo: boolean): boolean {
    const real = this.resolve(given);
    if (real === undefined || !this.mayRead(given)) return false;
    return isDirectory(real) ? isWithoutSecrets(real, isHiddenToo) : isFile(real);
  }

  /** True if the shell would find a program in the directory before it looks at the PATH. */
  shadows(program: string): boolean {
    if (this.shell !== 'windows') return false;
    const wanted = program.toLowerCase();
    return directoryEntries(this.directory).some(({ name }) => {
      const found = name.toLowerCase();
      return found === wanted || found.startsWith(`${wanted}.`);
    });
  }

  /** True if `npx` would run an installed package and download nothing. */
  hasPackageProgram(name: string): boolean {
    if (!/^[a-z][\w-]*$/.test(name)) return false;
    for (let current = this.directory; ; current = path.dirname(current)) {
      const program = realPath(path.join(current, 'node_modules', '.bin', name));
      if (program !== undefined) return this.roots.some((root) => isInside(program, root.path));
      if (this.roots.some((root) => root.path === current) || current === path.dirname(current)) return false;
    }
  }

  /** True if git would treat the directory, or one above it, as a repository without a work tree. */
  get isBareRepository(): boolean {
    for (let current = this.directory; ; current = path.dirname(current)) {
      const names = new Set(directoryEntries(current).map(({ name }) => name.toLowerCase()));
      // Checked before `.git`, because git treats it as a bare repository even if it has an invalid `.git`.
      if (names.has('head') && (names.has('objects') || names.has('refs') || names.has('commondir')))
        return true;
      if (names.has('.git')) return false;
      if (this.roots.some((root) => root.path === current) || current === path.dirname(current)) return false;
    }
  }

  /** True if git tracks no file here that may contain a secret; false if that is uncertain. */
  get tracksNoSecrets(): boolean {
    for (let current = this.directory; ; current = path.dirname(current)) {
      const paths = trackedPaths(path.join(current, '.git', 'index'));
      if (paths !== undefined) return !paths.some(isSecretPath);
      const isRepository = directoryEntries(current).some(({ name }) => name.toLowerCase() === '.git');
      if (isRepository || this.roots.some((root) => root.path === current)) return false;
      if (current === path.dirname(current)) return false;
    }
  }

  /** Returns a path relative to its workspace folder, because the name of that folder does not matter. */
  private below(real: string): string {
    const root = this.roots.find((candidate) => isInside(real, candidate.path));
    return path.relative(root?.path ?? '', real);
  }
}

/** True for a relative path without drives, streams, devices, or names that Windows would change. */
function isPlainWindowsPath(native: string): boolean {
  const devices = /^(?:aux|com\d|con|conin\$|conout\$|lpt\d|nul|prn)(?:\.|$)/i;
  return (
    !/^[\\/]|:/.test(native) &&
    native.split(/[\\/]/).every((name) => /^\.{1,2}$/.test(name) || !/[. ]$|~\d/.test(name)) &&
    !native.split(/[\\/]/).some((name) => devices.test(name))
  );
}

function realPath(given: string): string | undefined {
  try {
    return realpathSync.native(given);
  } catch {
    return undefined;
  }
}

function isFile(real: string): boolean {
  return statSync(real, { throwIfNoEntry: false })?.isFile() === true;
}

function isDirectory(real: string): boolean {
  return statSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
}
