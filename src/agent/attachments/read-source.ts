import path from 'node:path';
import { createDiagnostics, type ProblemFinder } from '../tools/diagnostics.ts';
import { createGitDiff } from '../tools/git-diff.ts';
import type { CommandPorts } from '../tools/run-command-tool.ts';
import type { Tool } from '../tools/support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { createFileReader } from './file-reader.ts';
import { numberedLines } from './numbered-lines.ts';
import type { LineRange } from '../../compaction/attached.ts';
import type { AttachmentSource, ContextSource } from './reference.ts';

/** The text that is open in the editor. */
export interface OpenText {
  /** Absolute; of a text that was never saved its title. */
  readonly path: string;
  /** As it stands in the editor, saved or not. */
  readonly text: string;
  /** What is selected; undefined where nothing is. */
  readonly selection?: { readonly lines: LineRange; readonly text: string };
}

/** What attachments are taken from. */
export interface AttachmentPorts {
  /** Undefined where no folder is open, or it is not trusted. */
  readonly workspace: Workspace | undefined;
  readonly openText: () => OpenText | undefined;
  readonly problems: ProblemFinder;
  readonly commands: CommandPorts;
}

/** What goes with a message, whole, or why it does not. */
export type SourceReading = ReadSource | UnreadSource;

export interface ReadSource {
  readonly type: 'path' | ContextSource;
  /** As the model should write it. */
  readonly path?: string;
  readonly lines?: LineRange;
  readonly content: string;
  /** There is more that was not read. */
  readonly isCut?: boolean;
  readonly warning?: string;
}

export interface UnreadSource {
  /** One sentence. Undefined for a word that only looks like a path: it is part of the text. */
  readonly problem: string | undefined;
}

/**
 * Reads what a message names.
 *
 * @throws {DOMException} `AbortError` where the signal was aborted
 */
export type ReadAttachmentSource = (source: AttachmentSource, signal: AbortSignal) => Promise<SourceReading>;

const noFolder = 'Attaching this needs a folder that is open and trusted.';

export function createSourceReader(ports: AttachmentPorts): ReadAttachmentSource {
  const { workspace } = ports;
  const readFile = workspace && createFileReader(workspace);
  const diagnostics = workspace && createDiagnostics(workspace, ports.problems);
  const gitDiff = workspace && createGitDiff(workspace, ports.commands);

  return async (source, signal) => {
    switch (source.type) {
      case 'path': {
        if (readFile === undefined) return { problem: source.isExplicit ? noFolder : undefined };
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
  if (open === undefined) return { problem: 'No text is open in the editor.' };
  const shown = await shownPath(open.path, workspace);
  if (type === 'file') return { type, path: shown, ...numberedLines(open.text, 1) };
  if (open.selection === undefined) return { problem: 'Nothing is selected in the editor.' };
  const { lines, text } = open.selection;
  return { type, path: shown, lines, ...numberedLines(text, lines.first) };
}

/** Of what is open from outside the workspace only the name: where it lies is nobody's business. */
async function shownPath(given: string, workspace: Workspace | undefined): Promise<string> {
  const resolution = path.isAbsolute(given) ? await workspace?.resolve(given) : undefined;
  return resolution !== undefined && 'place' in resolution ? resolution.place.shown : path.basename(given);
}

async function resultOf(
  type: ContextSource,
  tool: Tool | undefined,
  signal: AbortSignal,
): Promise<SourceReading> {
  if (tool === undefined) return { problem: noFolder };
  const { content, isError, isTruncated = false } = await tool.run({}, signal);
  return isError ? { problem: content } : { type, content, isCut: isTruncated };
}
