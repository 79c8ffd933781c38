import { lstat, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalRequest } from '../approvals/approval-request.ts';
import type { FileChange } from '../edits/file-editor.ts';
import { agentSentences } from '../../language/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Bytes of the largest text whose change is shown line by line. */
const largestShown = 200_000;
/** Files of which a question shows the text. Of more, it names the folders. */
const mostShown = 40;
/** Lines that name changes without text. */
const mostNamed = 60;

/** A change and its path as people read it. */
export interface ShownChange extends WorkspaceChange {
  readonly shown: string;
}

/** A file, or a folder with all that changed in it. */
interface Named {
  readonly shown: string;
  readonly changes: readonly ShownChange[];
}

/** Asks whether changes of a command may be made in the workspace, and shows all of them. */
export async function questionAbout(changes: readonly ShownChange[]): Promise<ApprovalRequest> {
  const texts = changes.length > mostShown ? [] : await Promise.all(changes.map(textChange));
  const shown = texts.filter((text) => text !== undefined);
  const without = changes.filter((_, index) => texts[index] === undefined);
  const named = inFolders(without);
  const only = named.length + shown.length === 1 ? (shown[0]?.shown ?? named[0]?.shown) : undefined;
  return {
    kind: 'edit',
    title:
      only === undefined
        ? agentSentences.say('approvalKeepChanges', { count: changes.length })
        : agentSentences.say('approvalKeepChange', { file: only }),
    details: [
      ...(await Promise.all(named.slice(0, mostNamed).map(inWords))),
      ...(named.length > mostNamed
        ? [agentSentences.say('changeMore', { count: named.length - mostNamed })]
        : []),
    ],
    warnings: [agentSentences.say('changesCanRun')],
    changes: shown,
    subjects: [],
  };
}

/** @returns undefined if it is no change of text, or of too much of it */
async function textChange(change: ShownChange): Promise<FileChange | undefined> {
  const { kind, root, path: at, shown, written, mode, before } = change;
  const isExecutable = (mode & 0o111) !== 0 && (mode & 0o111) !== ((before?.mode ?? 0) & 0o111);
  if ((kind !== 'file' && kind !== 'removed') || isExecutable) return undefined;
  if (before !== undefined && !before.isFile()) return undefined;
  const place = path.join(root, at);
  const was = before === undefined ? undefined : await textOf(place);
  const is = kind === 'removed' ? undefined : await textOf(written);
  if ((before !== undefined && was === undefined) || (kind === 'file' && is === undefined)) return undefined;
  return { path: place, shown, before: was, after: is };
}

/** @returns undefined if it is not text, or too long */
async function textOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true || found.size > largestShown) return undefined;
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return text.includes('\u{FFFD}') ? undefined : text;
}

/** Names files one by one, and of folders with many changes the folder. */
export function inFolders(changes: readonly ShownChange[]): readonly Named[] {
  const all = changes.map((change) => ({ shown: change.shown, changes: [change] }));
  if (all.length <= mostShown) return all;
  const byFolder = new Map<string, ShownChange[]>();
  for (const change of changes) {
    const folder = specialFolderOf(change.shown);
    const others = byFolder.get(folder);
    if (others === undefined) byFolder.set(folder, [change]);
    else others.push(change);
  }
  return [...byFolder].map(([shown, inIt]) => ({ shown, changes: inIt }));
}

/** The outermost folder whose name says that programs look into it; else the folder it is in. */
function specialFolderOf(shown: string): string {
  const names = shown.split('/');
  const special = names.findIndex((name) => name.startsWith('.') || name === 'node_modules');
  const folders = special < 0 ? names.slice(0, -1) : names.slice(0, special + 1);
  return folders.length === 0 ? shown : folders.join('/');
}

async function inWords({ shown: file, changes }: Named): Promise<Sentence> {
  const [first] = changes;
  if (first === undefined || changes.length > 1) {
    return agentSentences.say('changeFolder', { folder: file, count: changes.length });
  }
  if (first.kind === 'removed') return agentSentences.say('changeRemoved', { file });
  if (first.kind === 'link') {
    return agentSentences.say('changeLink', { file, target: await readlink(first.written) });
  }
  if (first.kind === 'folder') return agentSentences.say('changeNewFolder', { file });
  return agentSentences.say((first.mode & 0o111) === 0 ? 'changeNotText' : 'changeProgram', { file });
}
