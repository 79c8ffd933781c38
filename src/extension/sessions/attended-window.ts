import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Milliseconds in which the window of an editor answers, also when it is busy. */
const timeToAnswer = 8_000;

/**
 * Finds out if this extension host still has a window. After a crash, or a reload whose goodbye was lost, a remote host
 * runs on for hours, and what it asks of its window is never answered.
 */
export async function isAttended(): Promise<boolean> {
  const question = vscode.commands.executeCommand('setContext', 'contextBudget.isAttended', true);
  return Promise.race([
    Promise.resolve(question).then(
      () => true,
      () => true,
    ),
    wait(timeToAnswer, false, { ref: false }),
  ]);
}
