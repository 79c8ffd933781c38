import { posix } from 'node:path';
import * as vscode from 'vscode';
import { CancelledError, orCancelled } from '../../compaction/cancellation.ts';
import { messageOf } from '../../compaction/failure.ts';
import type { SessionHub } from '../session-hub.ts';
import type { ImportPorts } from './imported-chat.ts';

/** Bytes of the largest file that is read. The text, its messages and their rows are all in memory at once. */
const largestFile = 200_000_000;
/** Bytes from which on an import takes long enough that people may want to stop it. */
const largeFile = 5_000_000;

const filters = {
  Sessions: ['jsonl', 'json', 'traj', 'md', 'log'],
  'All Files': ['*'],
};

/**
 * Opens a session of another agent as a new chat.
 *
 * @param file asked for where not given
 * @returns whether there is one: nobody has to choose a file, or to wait for a large one
 * @throws {Error} with a sentence for a person where the file could not be imported; then there is no new chat
 */
export async function importSession(
  hub: SessionHub,
  ports: ImportPorts,
  log: vscode.LogOutputChannel,
  file: vscode.Uri | undefined,
): Promise<boolean> {
  const chosen = file ?? (await askForFile());
  if (chosen === undefined) return false;
  const name = posix.basename(chosen.path);
  try {
    const problems = await importFile(hub, ports, chosen, name);
    for (const problem of problems) log.warn(`${name}: ${problem}`);
    if (problems.length > 0) void tellProblems(name, problems.length, log);
    return true;
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      throw new Error(`“${name}” could not be imported. ${messageOf(error)}`, { cause: error });
    }
    void vscode.window.setStatusBarMessage(`The import of “${name}” was cancelled.`, 4_000);
    return false;
  }
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const title = 'Import Session of Another Agent';
  const [file] = (await vscode.window.showOpenDialog({ title, openLabel: 'Import', filters })) ?? [];
  return file;
}

/** @returns what could not be read, a sentence each */
async function importFile(
  hub: SessionHub,
  ports: ImportPorts,
  file: vscode.Uri,
  name: string,
): Promise<readonly string[]> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > largestFile) {
    throw new Error(
      `It has ${inMegabytes(size)} MB, and no more than ${inMegabytes(largestFile)} MB can be read.`,
    );
  }
  const isLarge = size >= largeFile;
  return vscode.window.withProgress(
    {
      location: isLarge ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window,
      title: `Importing “${name}”`,
      cancellable: isLarge,
    },
    async (progress, token) => {
      const stopper = new AbortController();
      token.onCancellationRequested(() => stopper.abort());
      const { signal } = stopper;
      const bytes = await orCancelled(Promise.resolve(vscode.workspace.fs.readFile(file)), signal);
      const { readImportedChat } = await import('./imported-chat.ts');
      progress.report({ message: 'counting tokens' });
      const text = new TextDecoder().decode(bytes);
      const chat = await readImportedChat(text, posix.parse(name).name, ports, signal);
      progress.report({ message: 'saving' });
      await hub.openImported(chat, signal);
      return chat.problems;
    },
  );
}

async function tellProblems(name: string, count: number, log: vscode.LogOutputChannel): Promise<void> {
  const parts = count === 1 ? 'one part of it' : `${count} parts of it`;
  const choice = await vscode.window.showWarningMessage(
    `“${name}” was imported, but ${parts} could not be read; the log says which. The file was left as it is.`,
    'Show Log',
  );
  if (choice !== undefined) log.show();
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1_000_000).toLocaleString('en');
}
