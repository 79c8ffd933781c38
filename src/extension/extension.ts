import * as vscode from 'vscode';
import { RegisteredStrategies } from '../agent/custom-strategy/registered-strategies.ts';
import type { PhaseEvent } from '../compaction/service/service-ports.ts';
import { type ContextBudgetApi, createApi } from './window/api.ts';
import { registerContributions } from './window/contributions.ts';
import type { EditorWindow } from './window/editor-window.ts';

let opened: Promise<EditorWindow> | undefined;

/** Registers everything that `package.json` contributes. The rest of our code is loaded when it is first used. */
export function activate(context: vscode.ExtensionContext): ContextBudgetApi {
  const log = vscode.window.createOutputChannel('Context Budget', { log: true });
  context.subscriptions.push(log);
  const registered = new RegisteredStrategies();
  const open = async (): Promise<EditorWindow> => {
    const { openEditorWindow } = await import('./window/editor-window.ts');
    return openEditorWindow({ context, log, registered, sessionsTree });
  };
  const window = () => (opened ??= open());
  const sessionsTree = registerContributions(context, window);
  window().catch((error: unknown) => {
    log.error(error instanceof Error ? error : String(error));
  });
  return createApi(registered, (listener) => followPhases(window, listener));
}

/** Finishes the work of this window's sessions, and takes back what was lent to settings. */
export async function deactivate(): Promise<void> {
  await (await opened)?.close();
}

/** Reports the phases of compactions to a listener until the result is disposed. */
function followPhases(
  window: () => Promise<EditorWindow>,
  listener: (event: PhaseEvent) => void,
): vscode.Disposable {
  let following: vscode.Disposable | undefined;
  let isEnded = false;
  const follow = async () => {
    const { hub } = (await window()).services;
    if (isEnded) return;
    following = hub.onDidHappen((event) => {
      if (event.type === 'compaction-phase') listener(event);
    });
  };
  // If the window cannot be opened, the log contains the reason.
  follow().catch(() => {});
  return new vscode.Disposable(() => {
    isEnded = true;
    following?.dispose();
  });
}
