import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { CancelledError } from '../../compaction/signals/cancellation.ts';
import { warnWithLog } from '../sessions/session-notices.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import type { ReadingPorts } from '../../presenters/live/session-reader.ts';
import type { EngineReading } from '../../presenters/engine/engine-reader.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { inDatabase } from '../../presenters/import/opencode-database.ts';
import { signalOf, noticeText } from '../editor/plain-notices.ts';
import { askForSessionFile } from './open-transcript.ts';

/** Number of bytes from which an import takes so long that users may want to stop it. */
const largeFile = 5_000_000;

interface ImportPorts extends EngineReading, Pick<ReadingPorts, 'listedAs'> {
  readonly systemPrompt: () => string;
}

/**
 * Imports a session of another agent as a new chat.
 *
 * @returns false if the user cancels
 * @throws {Error} with a sentence for the user; no chat is created
 */
export async function importSession(
  hub: SessionHub,
  ports: ImportPorts,
  log: vscode.LogOutputChannel,
  file: vscode.Uri | undefined,
): Promise<boolean> {
  const chosen = file ?? (await askForSessionFile(hostText('importSession'), hostText('import')));
  if (chosen === undefined) return false;
  const title = (await ports.listedAs?.(chosen.fsPath))?.title;
  const name = title ?? posix.basename(chosen.path);
  try {
    const problems = await importFile(hub, ports, chosen, title);
    for (const problem of problems) log.warn(`${name}: ${problem}`);
    if (problems.length > 0)
      void warnWithLog(hostText('importedInPart', { name, count: problems.length }), log);
    return true;
  } catch (error) {
    if (!(error instanceof CancelledError)) {
      const sentence = hostText('importFailed', { name, reason: editorWording.error(error) });
      throw new Error(sentence, { cause: error });
    }
    void vscode.window.setStatusBarMessage(hostText('importCancelled', { name }), 4_000);
    return false;
  }
}

/** @returns a sentence for each part that could not be read */
async function importFile(
  hub: SessionHub,
  { systemPrompt, ...reading }: ImportPorts,
  file: vscode.Uri,
  listedTitle: string | undefined,
): Promise<readonly string[]> {
  const name = listedTitle ?? posix.basename(file.path);
  const { size } = await stat(inDatabase(file.fsPath)?.database ?? file.fsPath);
  const isLarge = size >= largeFile;
  return vscode.window.withProgress(
    {
      location: isLarge ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window,
      title: noticeText(hostText('importing', { name })),
      cancellable: isLarge,
    },
    async (progress, token) => {
      const signal = signalOf(token);
      const { importOn } = await import('../../presenters/engine/engine-reader.ts');
      progress.report({ message: hostText('countingTokens') });
      const run = { path: file.fsPath, name: posix.parse(file.path).name, systemPrompt: systemPrompt() };
      const imported = await importOn(reading, run, signal);
      const chat = { ...imported, title: listedTitle ?? imported.title };
      progress.report({ message: hostText('saving') });
      await hub.openImported(chat, signal);
      return chat.problems;
    },
  );
}
