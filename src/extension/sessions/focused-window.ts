import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Milliseconds in which a window answers, even when busy. */
const timeToAnswer = 8_000;

/** True if this extension host has a window. A remote host runs on for hours after a crash, without any answers. */
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
