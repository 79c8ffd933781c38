import { homedir, userInfo } from 'node:os';
import path from 'node:path';

/** Environment that determines where other programs keep their files. Paths are absolute. */
export interface Surroundings {
  readonly home: string;
  /** Platform in Node's terms, for example `linux`, `darwin`, `win32`. */
  readonly platform: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Suffixes of variables that name folders. */
const namesFolder = /(?:_DIR|_HOME|_STATE|APPDATA)$/u;

/** The environment of this process. Relative folders in variables are ignored, as XDG requires. */
export function surroundingsHere(environment: NodeJS.ProcessEnv = process.env): Surroundings {
  const named = Object.entries(environment).filter(
    ([name, value = '']) => !namesFolder.test(name) || path.isAbsolute(value),
  );
  return { home: homeFolder(), platform: process.platform, environment: Object.fromEntries(named) };
}

/** The home folder from the environment; if that is not absolute, the one that the system has for the user. */
function homeFolder(): string {
  const home = homedir();
  return path.isAbsolute(home) ? home : userInfo().homedir;
}
