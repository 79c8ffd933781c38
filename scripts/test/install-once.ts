import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { runCommand } from './run-command.ts';

/** A tool in the user's cache folder. */
export interface Installation {
  /** Name of the tool's folder in the cache, which includes the version. */
  readonly name: string;
  /** Path of a file in the folder. If it exists, the installation is complete. */
  readonly marker: string;
  /**
   * Builds the tool in an empty folder.
   *
   * @returns the folder to keep, which is the given folder or inside it
   */
  readonly build: (building: string) => Promise<string>;
}

/** Hours after which an unfinished installation counts as abandoned. */
const abandonedAfter = 6;

/** Folder of the user, outside the checkout, for the VS Code server, a browser, and data of `npm start`. */
export function cacheFolder(): string {
  const named = process.env['CONTEXT_BUDGET_CACHE'];
  return named || join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'context-budget');
}

/** @throws Error with a remedy if the cache folder cannot be written */
export async function makeCacheFolder(): Promise<void> {
  const folder = cacheFolder();
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${folder} cannot be written (${message}). Set XDG_CACHE_HOME to a folder that can.`, {
      cause: error,
    });
  }
}

/**
 * Installs a tool into the cache folder, unless it is installed.
 *
 * The tool is built next to its final place and renamed when it is complete, so an interrupted installation is never
 * used. If two processes install at the same time, the second one uses the result of the first.
 *
 * @returns the folder of the tool
 * @throws Error with a remedy if the cache folder cannot be written or the disk is full
 */
export async function installOnce({ name, marker, build }: Installation): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(join(folder, marker))) return folder;
  await makeCacheFolder();
  try {
    await removeAbandoned(folder);
    const building = await mkdtemp(`${folder}.partial-`);
    try {
      await place(await build(building), folder);
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  } catch (error) {
    throw installationError(name, error);
  }
  return folder;
}

/** An exact version of a package in the npm registry. */
export interface PinnedPackage {
  /** Name and exact version, as `name@1.2.3`. */
  readonly identifier: string;
  /** Hash of the package's archive, as in lock files. */
  readonly integrity: string;
}

/**
 * Downloads a package from the npm registry and unpacks it, without running its scripts.
 *
 * @returns the folder of the package
 * @throws Error with npm's message if the package cannot be downloaded, or its archive is not the expected one
 */
export async function unpackPackage(
  folder: string,
  { identifier, integrity }: PinnedPackage,
): Promise<string> {
  await installer('npm', ['pack', identifier, '--ignore-scripts', '--loglevel=error'], folder);
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) throw new Error(`npm pack ${identifier} left no archive.`);
  const hash = createHash('sha512').update(await readFile(join(folder, archive)));
  if (`sha512-${hash.digest('base64')}` !== integrity) {
    throw new Error(`The archive of ${identifier} is not the one that this project was tested with.`);
  }
  await installer('tar', ['-xzf', archive], folder);
  return join(folder, 'package');
}

/**
 * Runs a command of an installation.
 *
 * @throws Error with the output of the command if it fails
 */
export async function installer(
  command: string,
  commandArguments: readonly string[],
  cwd: string,
): Promise<void> {
  const { code, output } = await runCommand(command, commandArguments, { cwd });
  if (code !== 0) throw new Error(`${command} ${commandArguments.join(' ')} failed:\n${output.trim()}`);
}

/** Explains the remedy for a failed installation. */
export function installationError(name: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  const cause = { cause: error };
  if (/\bENOSPC\b|no space left/i.test(message)) {
    return new Error(`The disk with ${cacheFolder()} is full. Free 1 GB to install ${name}.`, cause);
  }
  return new Error(`${name} could not be installed: ${message}`, cause);
}

/** @throws if the folder cannot be renamed and no other process has put one in its place */
async function place(built: string, folder: string): Promise<void> {
  try {
    await rename(built, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Removes the remains of interrupted installations. Installations that still run are newer. */
async function removeAbandoned(folder: string): Promise<void> {
  const oldest = Date.now() - abandonedAfter * 60 * 60 * 1000;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.partial-`)) continue;
    const path = join(dirname(folder), name);
    const isAbandoned = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < oldest,
      () => false,
    );
    if (isAbandoned) await rm(path, { recursive: true, force: true });
  }
}
