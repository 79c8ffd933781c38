import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SandboxPlaces } from './sandbox-places.ts';
import type { Shell } from './shell.ts';

/** A sandbox that works, or why there is none: it is switched off, or missing. */
export type SandboxPort = () => Promise<Sandbox | 'off' | 'missing'>;

/** A command line and where it may get. */
export interface EnclosedCommand {
  readonly command: string;
  /** Absolute, inside of one of the roots. */
  readonly directory: string;
  /** Folders it may write, absolute and without symbolic links. */
  readonly roots: readonly string[];
  /** That of the host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hasNetwork: boolean;
}

/** A way to start one command in the sandbox. Disposing of it takes back what had to be put into the workspace. */
export interface Enclosure extends Disposable {
  /** Tells on file descriptor 3 that the command begins (`s`), and that it left something running (`b`). */
  readonly shell: Shell;
  /** Variables the command gets beside its own. */
  readonly environment: Readonly<Record<string, string>>;
  /** The process that is started only keeps the others: all of them are gone when it is. */
  readonly isKeeper: boolean;
}

/** Runs commands with less than the person may do. */
export interface Sandbox {
  /** False where a folder that is open has the home folder in it, which could not be hidden. */
  canHold(roots: readonly string[], environment: Readonly<Record<string, string | undefined>>): boolean;
  /** Prepares the start of a command. */
  enclose(command: EnclosedCommand): Enclosure;
  /** Removes the temporary folder that commands share. */
  dispose(): void;
}

/** The temporary folder that the commands of a window share, and nobody else looks into. */
export class PrivateFolder {
  private made: string | undefined;

  get path(): string {
    this.made ??= realpathSync(mkdtempSync(path.join(tmpdir(), 'context-budget-')));
    return this.made;
  }

  dispose(): void {
    if (this.made !== undefined) rmSync(this.made, { recursive: true, force: true });
    this.made = undefined;
  }
}

/** What a system has to offer: how it starts a command in given places. */
export interface SandboxProgram {
  readonly file: string;
  readonly isKeeper: boolean;
  /** Variables for the command; `temporary` is the folder that commands share. */
  environment(temporary: string): Readonly<Record<string, string>>;
  /** @param inner program and arguments to run */
  arguments(
    places: SandboxPlaces,
    temporary: string,
    hasNetwork: boolean,
    inner: readonly string[],
  ): readonly string[];
}
