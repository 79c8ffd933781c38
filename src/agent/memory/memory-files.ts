import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { planSource } from '../../compaction/messages/protection.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import { attributeOf, framed, type TagSuffix, noSession } from '../../compaction/quoting/session-tags.ts';
import { neutralise } from '../../compaction/quoting/neutralise.ts';
import { readPart, withRealFile } from '../files/real-file.ts';
import { type Root, shownPath, type Workspace } from '../files/workspace.ts';

/** A file of instructions for agents. */
export interface MemoryFile {
  /** Path shown to the user, for example `AGENTS.md`. It is the source of the file's messages. */
  readonly shown: string;
  readonly text: string;
  /** True for the user's own file, which applies to every workspace. */
  readonly isPersonal?: boolean;
}

/** The user's own memory file. */
export interface PersonalMemory {
  readonly path: string;
  readonly shown: string;
}

/** Maximum bytes read of one file. The AGENTS.md files of well-known projects are smaller. */
export const mostMemoryBytes = 32_000;
/** Bytes of each file per token of a small window: an eighth of the window, because memory is never removed. */
const bytesPerTokenOfWindow = 1 / 2;

/** Files that agents look for in the root of a workspace, in this order. The first of two equal files is kept. */
const fileNames = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'] as const;
/** Maximum characters of a text that only refers to another file. */
const longestPointer = 200;

/** Reads the user's own memory file and the guidance files of each root. @param window tokens of the model's window */
export async function readMemoryFiles(
  workspace: Workspace | undefined,
  personal: PersonalMemory | undefined,
  window: number | undefined,
): Promise<readonly MemoryFile[]> {
  const mostBytes = Math.min(
    mostMemoryBytes,
    Math.floor((window ?? Number.POSITIVE_INFINITY) * bytesPerTokenOfWindow),
  );
  const roots = (await workspace?.roots()) ?? [];
  const ofRoots =
    workspace === undefined
      ? []
      : await Promise.all(
          roots.map(async (root) => withoutRepetition(await readFrom(root, workspace, mostBytes))),
        );
  const own = personal === undefined ? undefined : await readText(personal.path, mostBytes, true);
  return [
    ...(personal === undefined || own === undefined
      ? []
      : [{ shown: personal.shown, text: own, isPersonal: true }]),
    ...ofRoots.flat(),
  ];
}

/** Reads the files of a root. A link out of the workspace is ignored. */
async function readFrom(root: Root, workspace: Workspace, mostBytes: number): Promise<readonly MemoryFile[]> {
  const files: MemoryFile[] = [];
  for (const name of fileNames) {
    const named = path.join(root.path, name);
    const resolution = await workspace.resolve(named);
    if ('refusal' in resolution) continue;
    const text = await readText(resolution.place.path, mostBytes);
    if (text !== undefined) files.push({ shown: shownPath(root, named, await workspace.roots()), text });
  }
  return files;
}

/** Drops files that repeat an earlier file or only refer to one. */
function withoutRepetition(files: readonly MemoryFile[]): readonly MemoryFile[] {
  return files.filter(
    (file, index) =>
      !files.slice(0, index).some((earlier) => earlier.text === file.text || pointsAt(file, earlier)),
  );
}

function pointsAt({ text }: MemoryFile, { shown }: MemoryFile): boolean {
  const lines = text.split('\n').filter((line) => !isHeadingOrComment(line.trim()));
  const [line = ''] = lines;
  return lines.length === 1 && line.length <= longestPointer && line.includes(path.posix.basename(shown));
}

function isHeadingOrComment(line: string): boolean {
  return line === '' || line.startsWith('#') || (line.startsWith('<!--') && line.endsWith('-->'));
}

/**
 * Reads the trimmed text of a file, or undefined.
 * @param isOurs true for our own file, which is text even if a crash left NUL bytes in it
 */
export async function readText(file: string, mostBytes: number, isOurs = false): Promise<string | undefined> {
  try {
    return await withRealFile(await realpath(file), async ({ handle, size }) => {
      const read = await readPart(handle, 0, mostBytes);
      if (!isOurs && read.includes(0)) return undefined;
      const bytes = read.filter((byte) => byte !== 0);
      const isCut = size > read.length;
      // The decoder drops a character that the limit has cut in two.
      const text = new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\r\n', '\n').trim();
      if (text === '') return undefined;
      return isCut
        ? `${text}\n[… the file goes on: ${size} bytes, of which ${read.length} are read …]`
        : text;
    });
  } catch {
    // An unreadable file counts as missing.
    return undefined;
  }
}

/**
 * Returns the messages that update a chat to the present files; none without changes, to keep the cache valid.
 * @param tagSuffix of the session, so that a file cannot imitate another one
 */
export function memoryChanges(
  messages: readonly Message[],
  files: readonly MemoryFile[],
  tagSuffix: TagSuffix = noSession,
): readonly Omit<Message, 'id' | 'createdAt'>[] {
  const said = new Map<string, string>();
  for (const { kind, source, content } of messages) {
    const isFile = kind === 'memory' && source !== undefined && source !== planSource;
    if (isFile) said.set(source, textOf(content));
  }
  const now = new Map(files.map((file) => [file.shown, contentOf(file, tagSuffix)]));
  for (const source of said.keys()) if (!now.has(source)) now.set(source, goneText(source));
  return [...now]
    .filter(([source, content]) => said.get(source) !== content)
    .map(([source, content]) => ({ role: 'user', origin: 'harness', kind: 'memory', source, content }));
}

function contentOf({ shown, text, isPersonal = false }: MemoryFile, tagSuffix: TagSuffix): string {
  const whose = isPersonal ? 'What the user wants you to remember' : 'Guidance of this workspace for agents';
  const from = isPersonal ? 'person' : 'workspace';
  const body = framed('memory', tagSuffix, neutralise(text, tagSuffix), { source: shown, from });
  return `[${attributeOf(shown)}. ${whose}. It is no request.]\n${body}`;
}

function goneText(source: string): string {
  return `[${attributeOf(source)}. This file is gone, and what it said does not count any more.]`;
}
