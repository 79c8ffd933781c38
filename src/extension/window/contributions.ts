import * as vscode from 'vscode';
import { registerContext } from '../connect/register-context.ts';
import { type CommandId, commandIds, documentScheme, modelVendor, viewIds } from '../editor/ids.ts';
import type { EditorWindow } from './editor-window.ts';
import type { SessionNode } from '../live/session-tree.ts';
import type { SessionsTreeView } from './session-displays.ts';

/** Registers everything that `package.json` contributes. @param window loads the rest of our code on the first call */
export function registerContributions(
  context: vscode.ExtensionContext,
  window: () => Promise<EditorWindow>,
): SessionsTreeView {
  const { subscriptions } = context;
  for (const id of Object.values<CommandId>(commandIds)) {
    const run = async (...values: readonly unknown[]) => (await window()).run(id, values);
    subscriptions.push(vscode.commands.registerCommand(id, run));
  }
  subscriptions.push(
    vscode.window.registerWebviewViewProvider(viewIds.chat, {
      resolveWebviewView: async (view) => (await window()).chat.resolveWebviewView(view),
    }),
    vscode.window.registerWebviewPanelSerializer(viewIds.inspector, {
      deserializeWebviewPanel: async (panel) => (await window()).inspector.deserialize(panel),
    }),
    vscode.workspace.registerTextDocumentContentProvider(documentScheme, {
      provideTextDocumentContent: async (uri) => (await window()).documents.provideTextDocumentContent(uri),
    }),
  );
  registerChatProvider(subscriptions, window);
  registerContext(context, async () => (await window()).services.transcriptPorts);
  return registerSessionsTree(subscriptions, window);
}

/** Offers the model to VS Code's own chat. VS Code asks for it again when something about it has changed. */
function registerChatProvider(
  subscriptions: vscode.ExtensionContext['subscriptions'],
  window: () => Promise<EditorWindow>,
): void {
  const changed = new vscode.EventEmitter<void>();
  let following: vscode.Disposable | undefined;
  const provider = async () => {
    const { loaded, onDidChange } = (await window()).chatProvider;
    following ??= onDidChange(() => changed.fire());
    return loaded.get();
  };
  subscriptions.push(
    changed,
    vscode.lm.registerLanguageModelChatProvider(modelVendor, {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: async () => (await provider()).models(),
      provideLanguageModelChatResponse: async (_model, ...request) => (await provider()).reply(...request),
      provideTokenCount: async (_model, text) => (await provider()).count(text),
    }),
  );
}

function registerSessionsTree(
  subscriptions: vscode.ExtensionContext['subscriptions'],
  window: () => Promise<EditorWindow>,
): SessionsTreeView {
  const tree = async () => (await (await window()).sessions.load()).tree;
  const changed = new vscode.EventEmitter<undefined>();
  const view = vscode.window.createTreeView<SessionNode>(viewIds.sessions, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => [...(await (await tree()).children(node))],
      getTreeItem: async (node) => (await tree()).item(node),
    },
  });
  subscriptions.push(view, changed);
  return { view, changed };
}
