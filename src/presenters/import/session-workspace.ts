import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../../agent/files/workspace.ts';
import { isRecord } from '../../language/is-record.ts';
import type { SessionHead } from '../../transcripts/head-fields.ts';
import { readJsonHead } from '../../transcripts/reading/json-head.ts';
import type { FoundAgent } from '../../transcripts/session-places.ts';
import { beginningOfText } from './transcript-file.ts';

/** The file in which Gemini CLI notes what project its folder is about, and the bytes of it that are read. */
const projectFile = { name: '.project_root', size: 4_096 } as const;
/** Bytes of the file about a session of Cline that are read: the folder is in its beginning. */
const manifestSize = 4_096;
/** The same of a folder in which the editor keeps what belongs to a workspace. */
const workspaceFile = { name: 'workspace.json', size: 4_096 } as const;

/**
 * Tells which folder a session was held in, and whether that is open now. A folder is what its links lead to: the same
 * folder by another name is open, and a link in it to a folder elsewhere is not. A linked worktree of Git is a folder of
 * its own.
 */
export class SessionWorkspaces {
  /** By each of its names. */
  private readonly open: readonly string[];
  private readonly homes = [homedir(), userInfo().homedir].flatMap((home) => [home, realOf(home) ?? home]);
  private readonly places = new Map<string, string | undefined>();
  private readonly openByHash: ReadonlyMap<string, string>;
  /** Content of the file in a folder, by the folder: many sessions have the same one. */
  private readonly noted = new Map<string, Promise<string | undefined>>();

  /** @param open folders that are open, absolute */
  constructor(open: readonly string[]) {
    this.open = [...new Set(open.flatMap((folder) => [folder, placeOf(folder) ?? folder]))];
    this.openByHash = new Map(
      this.open.flatMap((folder) => spellingsOf(folder).map((spelling) => [hashOf(spelling), folder])),
    );
  }

  /**
   * @param head of the session's file
   * @param place folder in which the agent keeps sessions
   * @param names on the way from there to the file
   * @returns undefined if neither the file nor one near it tells
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

  /** True for an open folder, and for one below it unless the open one holds the home folder. */
  isOpen(workspace: string | undefined): boolean {
    if (workspace === undefined || !isAbsolute(workspace) || !this.isWithin(workspace)) return false;
    // Only what is named as if it were open is looked at: other folders may be far away.
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

/** The folder that a path leads to through links; undefined if it is not there. */
export function realOf(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}

/**
 * Where the links lead on the way to a folder that may be gone.
 *
 * @returns undefined if a link on the way leads nowhere
 */
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

function isSame(folder: string, other: string): boolean {
  return isInside(folder, other) && isInside(other, folder);
}

/** The folder that Cline's file about a session names. Source: `session-manifest.ts` of its SDK. */
function folderIn(text: string): string | undefined {
  const value = readJsonHead(text);
  const { cwd, workspace_root: root } = isRecord(value) ? value : {};
  return typeof root === 'string' ? root : typeof cwd === 'string' ? cwd : undefined;
}

/** Path of the folder, or of the file about several folders, that the editor names as a URI. */
function workspaceIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { folder, workspace } = isRecord(value) ? value : {};
    const uri = new URL(String(folder ?? workspace));
    // Of a folder on another computer only the path is of use: it is open if an editor there looks at it.
    return uri.protocol === 'file:' ? fileURLToPath(uri) : decodeURIComponent(uri.pathname);
  } catch {
    return undefined;
  }
}

/** Links are not followed. */
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

/** Agents write a drive in upper case, or as their terminal has it; the editor writes it in lower case. */
function spellingsOf(folder: string): readonly string[] {
  const [drive = ''] = /^[a-z]:(?=[/\\])/iu.exec(folder) ?? [];
  const rest = folder.slice(drive.length);
  return [drive.toLowerCase() + rest, drive.toUpperCase() + rest];
}
