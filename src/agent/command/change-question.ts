import { lstat, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalRequest } from '../approvals/approval-request.ts';
import type { FileChange } from '../edits/file-editor.ts';
import { agentSentences } from '../../language/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Bytes of the largest text whose change is shown line by line. */
const largestShown = 200_000;
/** Files of which a question shows the text. */
const mostShown = 40;
/** Changes in a folder that are named one by one. Of more, only the folder is named. */
const mostInFolder = 20;
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
  const named = inFolders(changes);
  const single = named.flatMap((each) => (each.changes.length === 1 ? each.changes : []));
  const texts = await Promise.all(single.slice(0, mostShown).map(textChange));
  const shown = texts.filter((text) => text !== undefined);
  const paths = new Set(shown.map((text) => text.shown));
  const others = named.filter((each) => !paths.has(each.shown));
  const only = changes.length === 1 ? changes[0]?.shown : undefined;
  return {
    kind: 'edit',
    title:
      only === undefined
        ? agentSentences.say('approvalKeepChanges', { count: changes.length })
        : agentSentences.say('approvalKeepChange', { file: only }),
    details: [
      ...(await Promise.all(others.slice(0, mostNamed).map(inWords))),
      ...(others.length > mostNamed
        ? [agentSentences.say('changeMore', { count: others.length - mostNamed })]
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
  const byFolder = new Map<string, ShownChange[]>();
  for (const change of changes) {
    const folder = specialFolderOf(change.shown);
    const others = byFolder.get(folder);
    if (others === undefined) byFolder.set(folder, [change]);
    else others.push(change);
  }
  return [...byFolder].flatMap(([folder, inIt]) =>
    inIt.length > mostInFolder
      ? [{ shown: folder, changes: inIt }]
      : inIt.map((change) => ({ shown: change.shown, changes: [change] })),
  );
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
