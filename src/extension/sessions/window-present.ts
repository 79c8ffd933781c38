import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';

/** Milliseconds within which even a busy window answers. */
const timeToAnswer = 8_000;

/** True if this extension host has a window. After a crash, a remote host runs on for hours, but gets no answers. */
export async function hasWindow(): Promise<boolean> {
  const question = vscode.commands.executeCommand('setContext', 'contextBudget.isAttended', true);
  return Promise.race([
    Promise.resolve(question).then(
      () => true,
      () => true,
    ),
    wait(timeToAnswer, false, { ref: false }),
  ]);
}
