import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { LineRange } from '../../compaction/messages/message.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { isSecretPath } from '../edits/sensitive-path.ts';
import type { Workspace } from '../files/workspace.ts';
import { createDiagnostics, type ProblemFinder } from '../tools/diagnostics.ts';
import { createGitDiff } from '../tools/git-diff.ts';
import { createReadFile } from '../tools/read-file.ts';
import type { RunCommandPorts } from '../tools/run-command-tool.ts';
import type { Tool, ToolResult } from '../tools/support/tool.ts';
import type { AttachmentSource, ContextSource, FileSource } from './parse-references.ts';
import { isPicturePath } from './picture.ts';
import { type PicturePorts, type PictureReading, readKept, readPictureFile } from './read-picture.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** The text that is open in the editor. */
export interface OpenText {
  /** Absolute path, or the title of an unsaved document. */
  readonly path: string;
  readonly text: string;
  readonly selection?: { readonly lines: LineRange; readonly text: string };
}

/** Sources from which attachments are read. */
export interface AttachmentPorts {
  /** Undefined if no folder is open, or the workspace is not trusted. */
  readonly workspace: Workspace | undefined;
  readonly openText: () => OpenText | undefined;
  readonly problems: ProblemFinder;
  readonly commands: RunCommandPorts;
  /** If undefined, only pictures of the workspace can be attached. */
  readonly pictures?: PicturePorts;
}

/** The whole content of an attachment, or the reason why it is left out. */
export type SourceReading = ReadSource | UnreadSource | PictureReading;

export interface ReadSource {
  readonly type: 'path' | ContextSource;
  /** The path that the model should use. */
  readonly path?: string;
  readonly lines?: LineRange;
  readonly content: string;
  /** True if the end of the source was not read. */
  readonly isCut?: boolean;
  readonly warning?: Sentence;
}

interface UnreadSource {
  /** Sentence for the user. Undefined for a word that only looks like a path and stays part of the text. */
  readonly problem: Sentence | string | undefined;
}

/** Reads the attachments that a message references. @throws {CancelledError} if the signal was aborted */
type ReadAttachmentSource = (source: AttachmentSource, signal: AbortSignal) => Promise<SourceReading>;

const noFolder = () => agentSentences.say('attachNoFolder');

export function createSourceReader(ports: AttachmentPorts): ReadAttachmentSource {
  const { workspace } = ports;
  const readFile = workspace && createFileReader(workspace);
  const diagnostics = workspace && createDiagnostics(workspace, ports.problems);
  const gitDiff = workspace && createGitDiff(workspace, ports.commands);

  return async (source, signal) => {
    switch (source.type) {
      case 'picture':
        return readKept(source.name, ports.pictures);
      case 'path': {
        if (workspace === undefined || readFile === undefined)
          return { problem: source.isExplicit ? noFolder() : undefined };
        if (isPicturePath(source.path) && source.lines === undefined) {
          const picture = await readPictureFile(source.path, workspace, signal);
          const isNoPath = 'problem' in picture && !picture.isPicture && !source.isExplicit;
          return isNoPath ? { problem: undefined } : picture;
        }
        const reading = await readFile(source, signal);
        if ('problem' in reading) {
          return { problem: reading.isAbsent && !source.isExplicit ? undefined : reading.problem };
        }
        const { lines } = source;
        return { type: 'path', ...reading, ...(lines === undefined ? {} : { lines }) };
      }
      case 'selection':
      case 'file':
        return readOpenText(source.type, ports);
      case 'problems':
        return resultOf('problems', diagnostics, signal);
      case 'changes':
        return resultOf('changes', gitDiff, signal);
    }
  };
}

async function readOpenText(
  type: 'selection' | 'file',
  { openText, workspace }: AttachmentPorts,
): Promise<SourceReading> {
  const open = openText();
  if (open === undefined) return { problem: agentSentences.say('attachNoText') };
  const shown = await shownPath(open.path, workspace);
  if (type === 'file') return { type, path: shown, ...numberedLines(open.text, 1) };
  if (open.selection === undefined) return { problem: agentSentences.say('attachNoSelection') };
  const { lines, text } = open.selection;
  return { type, path: shown, lines, ...numberedLines(text, lines.first) };
}

/** Returns the path, or only the file name outside the workspace, because the location of such a file is private. */
async function shownPath(given: string, workspace: Workspace | undefined): Promise<string> {
  const resolution = path.isAbsolute(given) ? await workspace?.resolve(given) : undefined;
  return resolution !== undefined && 'place' in resolution ? resolution.place.shown : path.basename(given);
}

async function resultOf(
  type: ContextSource,
  tool: Tool | undefined,
  signal: AbortSignal,
): Promise<SourceReading> {
  if (tool === undefined) return { problem: noFolder() };
  const { content, isError, isTruncated = false, summary } = await tool.run({}, signal);
  return isError ? { problem: summary ?? content } : { type, content, isCut: isTruncated };
}

type FileReading =
  | {
      readonly path: string;
      readonly content: string;
      readonly isCut: boolean;
      readonly warning?: Sentence;
    }
  /** @property isAbsent true if no file has this name */
  | { readonly problem: Sentence | string; readonly isAbsent: boolean };

type ReadAttachedFile = (source: FileSource, signal: AbortSignal) => Promise<FileReading>;

interface Remembered {
  /** Time of the last change in milliseconds, and size in bytes. While both are unchanged, the text is reused. */
  readonly modified: number;
  readonly size: number;
  readonly result: ToolResult;
}

const mostRemembered = 32;

/** Reads files for messages as `read_file` does, with the same refusals. An unchanged file is not read again. */
export function createFileReader(workspace: Workspace): ReadAttachedFile {
  const readFile = createReadFile(workspace);
  const remembered = new Map<string, Remembered>();

  return async (source, signal) => {
    const { path, lines } = source;
    const resolution = await workspace.resolve(path);
    if ('refusal' in resolution) return { problem: resolution.refusal, isAbsent: false };
    const { place } = resolution;
    const status = await stat(place.path).catch(() => undefined);
    throwIfCancelled(signal);
    const key = JSON.stringify([place.path, lines]);
    const known = remembered.get(key);
    const isCurrent = known?.modified === status?.mtimeMs && known?.size === status?.size;
    const result =
      known !== undefined && isCurrent
        ? known.result
        : await readFile.run(
            { path, ...(lines === undefined ? {} : { start_line: lines.first, end_line: lines.last }) },
            signal,
            // The user named the file and sees the warning.
            true,
          );
    remembered.delete(key);
    if (result.isError) {
      const { summary, content } = result;
      return { problem: summary ?? content, isAbsent: status === undefined };
    }
    if (status !== undefined) {
      remembered.set(key, { modified: status.mtimeMs, size: status.size, result });
      for (const oldest of [...remembered.keys()].slice(0, -mostRemembered)) remembered.delete(oldest);
    }
    return {
      path: place.shown,
      content: result.content,
      isCut: result.isTruncated === true,
      ...(isSecretPath(place.shown)
        ? { warning: agentSentences.say('secretsAreSent', { file: place.shown }) }
        : {}),
    };
  };
}

/** Maximum characters attached from an editor. A longer text would be shortened later anyway. */
const mostCharacters = 200_000;

/** Puts the line number before each line, as `read_file` does. @param first number of the first line */
function numberedLines(text: string, first: number): { readonly content: string; readonly isCut: boolean } {
  const shown = headOf(text, mostCharacters);
  const lines = shown.split(/\r?\n/u);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const numbered = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  const missing = text.length - shown.length;
  const isCut = missing > 0;
  const note = isCut ? `\n\n[${missing} more characters are not attached.]` : '';
  return { content: `${numbered}${note}`, isCut };
}
