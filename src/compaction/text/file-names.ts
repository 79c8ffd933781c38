import { continuesAfter, continuesBefore, unspaced } from './boundaries.ts';
import { memoisedByText } from '../messages/memoise.ts';
import { normalisedPath } from './file-path.ts';

/**
 * All forms of a path that lead to a file. Paths may start at the root, the home folder, the agent's working
 * folder or a folder above it. URLs and the notations of Windows, WSL and Windows shells also count.
 */

/** Path of a file URL, after the server name, if any. */
const fileUrl =
  /^(?:file:\/\/(?:localhost(?=\/))?|vscode:\/\/file(?=\/)|vscode-remote:\/\/wsl(?:\+|%2b)[^/]+)/iu;
const wslShare = /^\/\/wsl(?:\$|\.localhost)\/[^/]+(?=\/)/iu;
/** A Windows drive in the notation of WSL or a shell. The last form counts only if other paths are Windows paths. */
const mountedDrive = /^\/(?:mnt|cygdrive)\/([a-z])(?=\/|$)/iu;
const shellDrive = /^\/([a-z])(?=\/|$)/iu;
const homeFolder = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)(?=\/|$)/u;

/** Returns the canonical spelling of a path: from the root, with forward slashes; relative if no `folder` is known. */
export function wholePath(path: string, folder?: string): string {
  const own = onOneSystem(path);
  if (folder === undefined) return own;
  const from = onOneSystem(folder);
  if (own === '~' || own.startsWith('~/')) {
    const home = homeFolder.exec(from)?.[0];
    return home === undefined ? own : home + own.slice(1);
  }
  const local = /^[A-Z]:/u.test(from) ? onOneSystem(own.replace(shellDrive, '$1:')) : own;
  return isFromRoot(local) ? local : normalisedPath(`${from}/${local}`);
}

function isFromRoot(path: string): boolean {
  return /^(?:\/|[A-Z]:)/u.test(path);
}

const onOneSystem = memoisedByText((path): string => {
  const written = path.trim();
  const url = fileUrl.exec(written)?.[0];
  const plain = url === undefined ? written : withoutUrl(url, decoded(written.slice(url.length)));
  const unmarked = plain.replaceAll('\\', '/').replace(/^\/\/\?\/(UNC\/)?/iu, (_mark, isServer) => {
    return isServer === undefined ? '' : '//';
  });
  return normalisedPath(unmarked)
    .replace(wslShare, '')
    .replace(mountedDrive, '$1:')
    .replace(/^\/?([a-z]:)(?=\/|$)/iu, (_drive, letter: string) => letter.toUpperCase());
});

/** `file://server/share/x` is a path on a server. All other URLs begin at a root. */
function withoutUrl(url: string, path: string): string {
  return url.toLowerCase() === 'file://' && !path.startsWith('/') ? `//${path}` : path;
}

/** Decodes percent signs; returns a malformed text unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns each file once, in its first form. Leaves out folders that contain another path, and `folder`. */
export function distinctFiles(paths: readonly string[], folder?: string): readonly string[] {
  const byKey = new Map<string, string>();
  const folders = new Set(folder === undefined ? [] : withFoldersAbove(wholePath(folder)));
  for (const path of paths) {
    const key = wholePath(path, folder);
    if (!byKey.has(key)) byKey.set(key, path);
    for (const above of withFoldersAbove(key).slice(1)) folders.add(above);
  }
  return [...byKey].flatMap(([key, path]) => (folders.has(key) ? [] : path));
}

function withFoldersAbove(path: string): readonly string[] {
  const all = [path];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    all.push(path.slice(0, end));
  }
  return all;
}

/** Number of characters before a name in which the search looks for the beginning of the path. */
const longestOpening = 120;

/** Context before a path that shows it to be complete, not the end of a longer path. */
const border = String.raw`(?:(?:^|\s)@?|[^\p{L}\p{N}\p{M}_$~./@+-]|${unspaced})`;
const wslPrefix = String.raw`(?:\/wsl(?:\$|\.localhost)\/[^/\s]{1,60})?`;
const rootOpening = new RegExp(
  String.raw`${border}(?:file:\/\/(?:localhost|wsl(?:\$|\.localhost)\/[^/\s]{1,60})?|vscode:\/\/file|vscode-remote:\/\/wsl(?:\+|%2b)[^/\s]{1,60}|${wslPrefix})(?<!\p{L}:)\/$`,
  'iu',
);
const driveOpening = new RegExp(
  String.raw`${border}(?:(?:(?:file:\/\/|vscode:\/\/file)?\/?(?:\/\?\/)?([a-z])(?::|%3a))|(?:vscode-remote:\/\/wsl(?:\+|%2b)[^/\s]{1,60}|${wslPrefix})\/(?:mnt|cygdrive)\/([a-z])|\/([a-z]))\/$`,
  'iu',
);
const serverOpening = new RegExp(String.raw`${border}(?:file:\/\/|\/\?\/UNC\/|\/)$`, 'iu');
const homeOpening = new RegExp(
  String.raw`(?:${border}~|\$(?:\{?HOME\}?|env:USERPROFILE)|%USERPROFILE%)\/$`,
  'iu',
);
const someHome = /(?:\/home|\/Users|[A-Z]:\/Users)\/[^/\s]{1,60}\/$/iu;
const folderOpening = /(?:\$\{?PWD\}?|\$\(pwd\)|%CD%|\$\{workspace(?:Folder|Root)\})\/$/iu;
const hereOpening = new RegExp(String.raw`${border}(?:\.\/)+$`, 'u');
const aboveOpening = new RegExp(String.raw`${border}((?:\.\.\/)+)$`, 'u');
/** Prefixes of paths relative to a repository, in diffs and web links, and of shortened paths. */
const sideOpening =
  /(?:--- |\+\+\+ |diff --git (?:\S{1,100} )?)"?[ab]\/$|\/(?:blob|raw|tree)\/[^/\s]{1,80}\/$/u;
const shortenedOpening = /(?:…|\.\.\.)\/$/u;

interface SoughtFile {
  /** Forms of the path's last part, plain and URL-encoded. Every name of the file ends with one of them. */
  readonly names: readonly string[];
  /** True if a path with its last part at this position leads to the file. */
  readonly isNamedAt: (text: string, start: number, end: number) => boolean;
}

/** Prepares a file for a search in texts; without an absolute `folder` only the path itself is known. */
export function soughtFile(path: string, folder?: string): SoughtFile {
  const [root, parts] = inParts(wholePath(path, folder));
  const [folderRoot, folderParts] = folder === undefined ? [undefined, []] : inParts(wholePath(folder));
  const differing = folderParts.findIndex((part, index) => part !== parts[index]);
  const shared = folderRoot === root ? (differing < 0 ? folderParts.length : differing) : -1;
  const home = homeFolder.exec(wholePath(path, folder))?.[0];
  const homeParts = root === '~' ? 0 : home === undefined ? -1 : inParts(home)[1].length;
  const isSame = (one: string, other: string) =>
    one === other || (root !== '/' && root !== '' && one.toLowerCase() === other.toLowerCase());

  /** @param first index of the first written part of a path from the folder or a parent */
  const isRelative = (first: number): boolean => {
    if (root === '') return first === 0;
    if (first > shared) return false;
    // Outside the folder, a bare file name means a file in the folder.
    return shared === folderParts.length || first === folderParts.length || parts.length - first > 1;
  };
  const isAfter = (opening: string, first: number): boolean => {
    // Most openings end otherwise, and the patterns are slow.
    const isDotted = opening.endsWith('./');
    if ((isDotted && hereOpening.test(opening)) || sideOpening.test(opening)) return isRelative(first);
    const ups = isDotted ? aboveOpening.exec(opening)?.[1] : undefined;
    if (ups !== undefined) return first <= shared && folderParts.length - ups.length / 3 === first;
    if (homeOpening.test(opening)) return first === homeParts;
    if (folderOpening.test(opening)) return first === folderParts.length && first <= shared;
    if (shortenedOpening.test(opening)) return parts.length - first > 1;
    if (first > 0) return false;
    if (root === '~') return someHome.test(opening);
    if (root === '/') return rootOpening.test(opening);
    if (root === '//') return serverOpening.test(opening);
    const drive = driveOpening.exec(opening);
    return drive !== null && (drive[1] ?? drive[2] ?? drive[3])?.toUpperCase() === root[0];
  };
  const isNamedAt = (text: string, start: number, end: number): boolean => {
    if (continuesAfter(text, end)) return false;
    let first = parts.length - 1;
    let place = start;
    for (; first > 0; first--) {
      const until = startOfSlashes(text, place);
      const part = spellingsOf(parts[first - 1] ?? '').find((one) =>
        isSame(text.slice(Math.max(0, until - one.length), until), one),
      );
      if (until === place || part === undefined) break;
      place = until - part.length;
    }
    if (startOfSlashes(text, place) === place) return !continuesBefore(text, place) && isRelative(first);
    const opening = text
      .slice(Math.max(0, place - longestOpening), place)
      .replaceAll(/\\+/gu, '/')
      .replaceAll(/(?<![:/])\/{2,}/gu, '/');
    return isAfter(opening, first);
  };
  return { names: spellingsOf(parts.at(-1) ?? ''), isNamedAt };
}

/** Returns a part of a path, plain and also URL-encoded if this is different. */
function spellingsOf(part: string): readonly string[] {
  if (/^[\w.-]*$/u.test(part)) return [part];
  try {
    return [part, encodeURI(part)];
  } catch {
    return [part];
  }
}

function startOfSlashes(text: string, end: number): number {
  let start = end;
  while (start > 0 && (text[start - 1] === '/' || text[start - 1] === '\\')) start--;
  return start;
}

/** @returns the root (`/`, `C:`, `//` of a server, `~` of a home folder, empty for a relative path) and the rest */
function inParts(path: string): readonly [root: string, parts: readonly string[]] {
  const root = /^(?:\/\/|\/|[A-Z]:|~(?=\/|$))/u.exec(path)?.[0] ?? '';
  return [
    root,
    path
      .slice(root.length)
      .split('/')
      .filter((part) => part !== ''),
  ];
}
