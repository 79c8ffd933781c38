import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** Environment that the places of other programs' files depend on. Paths are absolute. */
export interface Surroundings {
  readonly home: string;
  /** As Node names it, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Ends of the names of variables that name folders. */
const namesFolder = /(?:_DIR|_HOME|_STATE|APPDATA)$/u;

/**
 * The environment of this process. A folder that it names counts only if it is absolute, as XDG has it: a relative one
 * would be part of whatever folder the process was started in.
 */
export function surroundingsHere(environment: NodeJS.ProcessEnv = process.env): Surroundings {
  const named = Object.entries(environment).filter(
    ([name, value = '']) => !namesFolder.test(name) || path.isAbsolute(value),
  );
  return { home: homeFolder(), platform: process.platform, environment: Object.fromEntries(named) };
}

/** The home folder; the one that the system has for the user if the environment names none that is absolute. */
function homeFolder(): string {
  const home = homedir();
  return path.isAbsolute(home) ? home : userInfo().homedir;
}
