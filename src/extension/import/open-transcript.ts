import { realpath } from 'node:fs/promises';
import { basename, parse } from 'node:path';
import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { proxyOf } from '../../agent/governed/asked-changes.ts';
import { CancelledError } from '../../compaction/signals/cancellation.ts';
import { warnWithLog } from '../sessions/session-notices.ts';
import type { ListedSession } from '../../presenters/import/found-sessions.ts';
import { sessionGroups, type SessionLine } from '../../presenters/import/session-groups.ts';
import type { OpenedTranscript } from '../../presenters/live/opened-transcripts.ts';
import { LiveSession } from '../../presenters/live/live-session.ts';
import type { ReadingPorts } from '../../presenters/live/session-reader.ts';
import { editorWording, hostText, liveText } from '../editor/editor-wording.ts';
import { SentenceError } from '../../language/sentence.ts';
import type { SessionCatalogue } from '../../presenters/sessions/session-catalogue.ts';
import type { WatchedSessions } from '../live/watched-sessions.ts';
import { isRecording } from '../../transcripts/session/recordings.ts';
import { openedLimits } from '../../transcripts/reading/read-limits.ts';
import { readSessionText } from '../../presenters/import/session-text.ts';
import { signalOf, noticeText, plainLabel } from '../editor/plain-notices.ts';

interface OpenTranscriptPorts extends ReadingPorts {
  readonly sessions: () => Promise<Pick<WatchedSessions, 'catalogue'>>;
  readonly log: vscode.LogOutputChannel;
}

interface Item extends vscode.QuickPickItem {
  /** The listed session; absent for the item that opens a file dialog. */
  readonly line?: SessionLine;
}

/**
 * Opens a session of any agent for reading.
 *
 * @returns undefined if the user cancels
 * @throws {Error} with a sentence for the user
 */
export async function openTranscript(
  ports: OpenTranscriptPorts,
  file?: vscode.Uri,
): Promise<OpenedTranscript | undefined> {
  const path = file?.fsPath ?? (await choosePath(ports));
  if (path === undefined) return undefined;
  const name = (await ports.listedAs?.(path))?.title ?? basename(path);
  try {
    const opened = await readWithProgress(path, name, ports);
    const { problems } = opened.session;
    for (const problem of problems) ports.log.warn(`${name}: ${problem}`);
    const count = problems.length;
    if (count > 0) void warnWithLog(hostText('readInPart', { name, count }), ports.log);
    return opened;
  } catch (error) {
    if (error instanceof CancelledError) return undefined;
    const sentence = hostText('openFailed', { name, reason: editorWording.error(error) });
    throw new Error(sentence, { cause: error });
  }
}

function readWithProgress(
  path: string,
  name: string,
  ports: OpenTranscriptPorts,
): Thenable<OpenedTranscript> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: noticeText(hostText('opening', { name })),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    const signal = signalOf(token);
    let shown = 0;
    let isTold = false;
    const failed = (error: unknown) => {
      const reason = editorWording.error(error);
      ports.log.debug(`${name}: ${reason}`);
      // Only errors with a sentence are permanent. Other errors may occur while a file is missing for a moment.
      if (isTold || !(error instanceof SentenceError)) return;
      isTold = true;
      void warnWithLog(hostText('followingEnded', { name, reason }), ports.log);
    };
    const listed = await ports.listedAs?.(path);
    const recording = listed?.recording ?? path;
    const live = {
      ...ports,
      reader: await ports.readerOf({ path, recording: listed?.recording, limits: openedLimits }),
      name: parse(path).name,
      marks: ports.marksOf?.(path),
      proxy: isRecording(surroundingsHere(), recording) ? proxyOf(recording) : undefined,
      listed: async () => ports.listedAs?.(path),
      failed,
    };
    const session = await LiveSession.open(live, signal, (share) => {
      const percent = Math.floor(share * 100);
      const message = hostText(percent < 100 ? 'reading' : 'countingTokens');
      progress.report({ message, increment: percent - shown });
      shown = percent;
    });
    // Sub-agents are read later in the background, without progress or a way to cancel.
    const read = (file: string) => readSessionText(file, new AbortController().signal, openedLimits);
    const { subAgentConversations } = await import('../../presenters/import/sub-agent-conversations.ts');
    const subAgents = await subAgentConversations(path, read, signal);
    return { path, session, subAgents };
  });
}

/** Lets the user search all sessions, at first those already known, or choose a file. The newest is preselected. */
async function choosePath({ sessions }: OpenTranscriptPorts): Promise<string | undefined> {
  const stopper = new AbortController();
  const pick = vscode.window.createQuickPick<Item>();
  const other: Item = { label: `$(folder-opened) ${hostText('chooseFile')}`, alwaysShow: true };
  const title = hostText('openTranscript');
  pick.title = title;
  pick.placeholder = hostText('openTranscriptHint');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  // Keeps the scroll position while more sessions are added.
  pick.keepScrollPosition = true;
  pick.busy = true;
  pick.show();
  const chosen = new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
  });
  let isListed = false;
  const listed = listSessions((await sessions()).catalogue, stopper.signal, (items) => {
    // The Enter key opens the newest session, unless the user selects another one.
    const [active] = isListed ? pick.activeItems : [];
    isListed = true;
    pick.items = [...items, { label: '', kind: vscode.QuickPickItemKind.Separator }, other];
    const listedSessions = items.filter(({ line }) => line !== undefined);
    const same = listedSessions.find(({ line }) => line?.session.path === active?.line?.session.path);
    const next = active === other ? other : (same ?? listedSessions[0]);
    if (next !== undefined) pick.activeItems = [next];
  });
  // A list that arrives too late is ignored. If listing fails, the user can still choose a file.
  void listed
    .catch(() => {})
    .finally(() => {
      if (pick.items.length === 0) pick.items = [other];
      pick.busy = false;
    });
  const item = await chosen;
  stopper.abort();
  pick.dispose();
  if (item === undefined) return undefined;
  if (item.line !== undefined) return item.line.session.path;
  return (await askForSessionFile(title, hostText('open')))?.fsPath;
}

/** Asks for the file of a session. Resolves links, because readers do not follow them. */
export async function askForSessionFile(title: string, openLabel: string): Promise<vscode.Uri | undefined> {
  const filters = sessionFilters();
  const [file] = (await vscode.window.showOpenDialog({ title, openLabel, filters })) ?? [];
  return file && vscode.Uri.file(await realpath(file.fsPath).catch(() => file.fsPath));
}

/** Lists known sessions first, and then all sessions after reading their files, because change events may be late. */
async function listSessions(
  catalogue: SessionCatalogue,
  signal: AbortSignal,
  show: (items: readonly Item[]) => void,
): Promise<void> {
  await catalogue.listOnce();
  const known = await catalogue.all(signal);
  if (known.length > 0) show(itemsOf(known));
  await catalogue.lookAtAll();
  await catalogue.readAll(signal);
  const all = await catalogue.all(signal);
  if (!isSameList(all, known)) show(itemsOf(all));
}

function isSameList(some: readonly ListedSession[], others: readonly ListedSession[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ path, changedAt }, index) => {
      const other = others[index];
      return path === other?.path && changedAt === other.changedAt;
    })
  );
}

function itemsOf(sessions: readonly ListedSession[]): readonly Item[] {
  const here = liveText('thisWorkspace');
  return sessionGroups(sessions, { here, now: Date.now(), wording: editorWording }).flatMap(
    (group): readonly Item[] => [
      { label: group.title, kind: vscode.QuickPickItemKind.Separator },
      ...group.lines.map((line): Item => ({
        label: plainLabel(line.label),
        description: line.description,
        detail: plainLabel(line.detail),
        line,
      })),
    ],
  );
}

/** Filters of a file dialog for files with sessions. */
function sessionFilters(): Record<string, string[]> {
  return {
    [hostText('sessions')]: ['jsonl', 'json', 'traj', 'md', 'log'],
    [hostText('allFiles')]: ['*'],
  };
}
