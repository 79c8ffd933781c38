import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** Surroundings that determine where other programs keep their files. Paths are absolute. */
export interface Surroundings {
  readonly home: string;
  /** Platform as Node names it, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Matches names of variables that contain the path of a folder. */
const namesFolder = /(?:_DIR|_HOME|_STATE|APPDATA)$/u;

/** Returns the surroundings of this process. Ignores relative folders in variables, as XDG requires. */
export function surroundingsHere(environment: NodeJS.ProcessEnv = process.env): Surroundings {
  const named = Object.entries(environment).filter(
    ([name, value = '']) => !namesFolder.test(name) || path.isAbsolute(value),
  );
  return { home: homeFolder(), platform: process.platform, environment: Object.fromEntries(named) };
}

/** Returns the home folder from the environment. If it is not absolute, returns the user's folder from the system. */
function homeFolder(): string {
  const home = homedir();
  return path.isAbsolute(home) ? home : userInfo().homedir;
}
