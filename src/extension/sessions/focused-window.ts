import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Milliseconds in which a window answers, even when busy. */
const timeToAnswer = 8_000;

/**
 * Finds out whether this extension host still has a window. After a crash, or a reload whose message was lost, a remote
 * host runs on for hours, and its requests are never answered.
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
