import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../agent/files/workspace.ts';
import { isRecord } from '../../language/is-record.ts';
import type { SessionHead } from '../../transcripts/reading/agent-files.ts';
import { readJsonHead } from '../../transcripts/reading/json-head.ts';
import type { FoundAgent } from '../../transcripts/found-agents.ts';
import { beginningOfText } from './transcript-file.ts';

/** The file in which Gemini CLI names the project of a session folder, and the number of bytes to read. */
const projectFile = { name: '.project_root', size: 4_096 } as const;
/** Bytes of Cline's metadata file to read. The folder is near the beginning. */
const manifestSize = 4_096;
/** The file in which VS Code notes the workspace of a storage folder, and the number of bytes to read. */
const workspaceFile = { name: 'workspace.json', size: 4_096 } as const;

/** Claude Code's name for an absolute path. Names after this many characters end with a hash. */
const absoluteProject = /^(?:-|[a-z]--)/iu;
const longestProject = 200;

/** Finds the folder of a session and checks whether it is open. Follows links; a linked worktree is another folder. */
export class SessionWorkspaces {
  /** The paths of the open folders, both as given and with links resolved. */
  private readonly open: readonly string[];
  private readonly homes = [homedir(), userInfo().homedir].flatMap((home) => [home, realOf(home) ?? home]);
  /** Names that Claude Code gives the open folders. */
  private readonly projects: readonly string[];
  private readonly places = new Map<string, string | undefined>();
  private readonly openByHash: ReadonlyMap<string, string>;
  /** Folder → content of the file that names the project. Cached because many sessions share a folder. */
  private readonly noted = new Map<string, Promise<string | undefined>>();

  /** @param open absolute paths of the open folders */
  constructor(open: readonly string[]) {
    this.open = [...new Set(open.flatMap((folder) => [folder, placeOf(folder) ?? folder]))];
    this.projects = this.open.map(projectOf);
    this.openByHash = new Map(
      this.open.flatMap((folder) => spellingsOf(folder).map((spelling) => [hashOf(spelling), folder])),
    );
  }

  /**
   * Finds the folder of a session in the session's head or in a file near it; undefined if neither names a folder.
   *
   * @param names folders and file name below the place
   */
  async of(
    agent: FoundAgent,
    head: SessionHead,
    place: string,
    [first = '', second]: readonly string[],
  ): Promise<string | undefined> {
    if (head.workspace !== undefined) return head.workspace;
    if (agent === 'copilot-chat' && second !== undefined) {
      return this.note(join(place, first), workspaceFile, workspaceIn);
    }
    if (agent === 'cline' && second?.endsWith('.messages.json') === true) {
      return this.note(join(place, first), { name: `${first}.json`, size: manifestSize }, folderIn);
    }
    if (agent !== 'gemini-cli') return this.openByHash.get(head.workspaceHash ?? first);
    const project = await this.note(join(place, first), projectFile, (text) => text.trim() || undefined);
    return project ?? this.openByHash.get(head.workspaceHash ?? first);
  }

  /**
   * Tells from a path alone whether a session is about an open folder. Claude Code names the folders of its sessions
   * after the folders in which they began.
   *
   * @param names folders and file name below the place
   * @returns undefined if the session has to be read
   */
  named(agent: FoundAgent, names: readonly string[]): 'open' | 'other' | undefined {
    const name = names.at(-2);
    if (agent !== 'claude-code' || name === undefined) return undefined;
    if (this.projects.includes(name)) return 'open';
    const isBelow = this.projects.some((project) => {
      const start = project.slice(0, longestProject).replace(/-$/u, '').toLowerCase();
      return name.toLowerCase().startsWith(start);
    });
    return absoluteProject.test(name) && !isBelow ? 'other' : undefined;
  }

  /** True for an open folder, and for a folder below it unless the open folder contains the home folder. */
  isOpen(workspace: string | undefined): boolean {
    if (workspace === undefined || !isAbsolute(workspace) || !this.isWithin(workspace)) return false;
    // Only folders with a matching name are looked up, because others may be on slow drives.
    if (!this.places.has(workspace)) this.places.set(workspace, placeOf(workspace));
    const place = this.places.get(workspace);
    return place !== undefined && this.isWithin(place);
  }

  private isWithin(folder: string): boolean {
    return this.open.some((one) =>
      this.homes.some((home) => isInside(home, one)) ? isSame(folder, one) : isInside(folder, one),
    );
  }

  private note(
    folder: string,
    file: { readonly name: string; readonly size: number },
    read: (text: string) => string | undefined,
  ): Promise<string | undefined> {
    const known = this.noted.get(folder);
    if (known !== undefined) return known;
    const noted = beginningOfFile(join(folder, file.name), file.size).then((text) => read(text ?? ''));
    this.noted.set(folder, noted);
    return noted;
  }
}

/** The folder that a path leads to through links; undefined if it does not exist. */
export function realOf(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}

/** Resolves links in a path whose end may no longer exist. @returns undefined if a link in the path leads nowhere */
function placeOf(folder: string): string | undefined {
  const real = realOf(folder);
  if (real !== undefined) return real;
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return undefined;
  } catch {
    return undefined;
  }
  const around = dirname(folder) === folder ? undefined : placeOf(dirname(folder));
  return around && join(around, basename(folder));
}

/** Claude Code's name for a folder, in which every other character is a hyphen. */
function projectOf(folder: string): string {
  return folder.replaceAll(/[^a-zA-Z\d]/g, '-');
}

function isSame(folder: string, other: string): boolean {
  return isInside(folder, other) && isInside(other, folder);
}

/** The folder in Cline's metadata. Source: `session-manifest.ts` of Cline's SDK. */
function folderIn(text: string): string | undefined {
  const value = readJsonHead(text);
  const { cwd, workspace_root: root } = isRecord(value) ? value : {};
  return typeof root === 'string' ? root : typeof cwd === 'string' ? cwd : undefined;
}

/** Path of the folder or multi-root workspace file that VS Code stores as a URI. */
function workspaceIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { folder, workspace } = isRecord(value) ? value : {};
    const uri = new URL(String(folder ?? workspace));
    // For a folder on another computer, only the path matters. The folder is open if VS Code runs there.
    return uri.protocol === 'file:' ? fileURLToPath(uri) : decodeURIComponent(uri.pathname);
  } catch {
    return undefined;
  }
}

/** Reads the beginning of a file. Does not follow links. */
async function beginningOfFile(path: string, size: number): Promise<string | undefined> {
  try {
    return (await lstat(path)).isFile() ? await beginningOfText(path, size) : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex');
}

/** Spellings of a folder's path. Agents write the drive in upper case or like their terminal, VS Code in lower case. */
function spellingsOf(folder: string): readonly string[] {
  const [drive = ''] = /^[a-z]:(?=[/\\])/iu.exec(folder) ?? [];
  const rest = folder.slice(drive.length);
  return [drive.toLowerCase() + rest, drive.toUpperCase() + rest];
}
