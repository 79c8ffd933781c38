import { lstat, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import type { ApprovalRequest } from '../approvals/approval-request.ts';
import type { FileChange } from '../edits/file-editor.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { visibleText } from '../../compaction/quoting/visible-text.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Bytes of the largest file whose change is shown line by line. */
const largestShown = 200_000;
/** Maximum number of files whose text a question shows. */
const mostShown = 40;
/** Maximum number of changes listed for one folder. With more changes, only the folder is named. */
const mostInFolder = 20;
/** Maximum number of lines that name changes without showing text. */
const mostNamed = 200;

/** A change with the path shown to the user. */
export interface ShownChange extends WorkspaceChange {
  readonly shown: string;
}

interface Named {
  readonly shown: string;
  readonly changes: readonly [ShownChange, ...ShownChange[]];
}

interface ChangeQuestion {
  readonly request: ApprovalRequest;
  readonly named: readonly ShownChange[];
}

/** Builds the question to the user whether to make the changes of a command in the workspace. */
export async function questionAbout(changes: readonly ShownChange[]): Promise<ChangeQuestion> {
  const groups = inFolders(changes);
  const single = groups.filter((each) => each.changes.length === 1).slice(0, mostShown);
  const texts = new Map<Named, FileChange>();
  const look = async (each: Named) => {
    const text = await textChange(each.changes[0]);
    if (text !== undefined) texts.set(each, text);
  };
  await Promise.all(single.map(look));
  const inText = groups.filter((each) => texts.has(each));
  const others = groups.filter((each) => !texts.has(each) || becomesProgram(each.changes[0]));
  const unnamed = new Set(
    others
      .slice(mostNamed)
      .filter((each) => !texts.has(each))
      .flatMap((each) => each.changes),
  );
  const only = changes.length === 1 ? changes[0]?.shown : undefined;
  const request: ApprovalRequest = {
    kind: 'edit',
    title:
      only === undefined
        ? agentSentences.say('approvalKeepChanges', { count: changes.length })
        : agentSentences.say('approvalKeepChange', { file: only }),
    details: [
      ...(await Promise.all(others.slice(0, mostNamed).map(inWords))),
      ...(unnamed.size > 0 ? [agentSentences.say('changeMore', { count: unnamed.size })] : []),
    ],
    warnings: [agentSentences.say('changesCanRun')],
    changes: inText.map((each) => texts.get(each)!),
    patterns: [],
  };
  return { request, named: changes.filter((change) => !unnamed.has(change)) };
}

/** Reads the text before and after a change. @returns undefined if the file is not text, or is too large */
async function textChange(change: ShownChange): Promise<FileChange | undefined> {
  const { kind, root, path: at, shown, written, before } = change;
  if (kind !== 'file' && kind !== 'removed') return undefined;
  if (before !== undefined && !before.isFile()) return undefined;
  const place = path.join(root, at);
  const was = before === undefined ? undefined : await textOf(place);
  const is = kind === 'removed' ? undefined : await textOf(written);
  if ((before !== undefined && was === undefined) || (kind === 'file' && is === undefined)) return undefined;
  return { path: place, shown, before: was, after: is };
}

function becomesProgram({ kind, mode, before }: ShownChange): boolean {
  return kind === 'file' && (mode & 0o111) !== 0 && (mode & 0o111) !== ((before?.mode ?? 0) & 0o111);
}

/** @returns undefined if the file is not text, or if it is too large */
async function textOf(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (found?.isFile() !== true || found.size > largestShown) return undefined;
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return text.includes('\u{FFFD}') ? undefined : text;
}

/** Groups changes: lists each file, or only the folder if many of its files changed. */
export function inFolders(changes: readonly ShownChange[]): readonly Named[] {
  const byFolder = new Map<string, [ShownChange, ...ShownChange[]]>();
  for (const change of changes) {
    const folder = specialFolderOf(change.shown);
    const others = byFolder.get(folder);
    if (others === undefined) byFolder.set(folder, [change]);
    else others.push(change);
  }
  return [...byFolder].flatMap(([folder, inIt]): readonly Named[] =>
    inIt.length > mostInFolder
      ? [{ shown: folder, changes: inIt }]
      : inIt.map((change) => ({ shown: change.shown, changes: [change] })),
  );
}

/** Returns the outermost folder with a name that programs look for, otherwise the parent folder. */
function specialFolderOf(shown: string): string {
  const names = shown.split('/');
  const special = names.findIndex((name) => name.startsWith('.') || name === 'node_modules');
  const folders = special < 0 ? names.slice(0, -1) : names.slice(0, special + 1);
  return folders.length === 0 ? shown : folders.join('/');
}

async function inWords({ shown: file, changes }: Named): Promise<Sentence> {
  const [first] = changes;
  if (changes.length > 1) {
    return agentSentences.say('changeFolder', { folder: file, count: changes.length });
  }
  if (first.kind === 'removed') return agentSentences.say('changeRemoved', { file });
  if (first.kind === 'link') {
    const target = visibleText((await readlink(first.written)).replaceAll('\n', '\u240A'));
    return agentSentences.say('changeLink', { file, target });
  }
  if (first.kind === 'folder') return agentSentences.say('changeNewFolder', { file });
  return agentSentences.say(becomesProgram(first) ? 'changeProgram' : 'changeNotText', { file });
}
