/** The fake window with all kinds of contributions, for `vi.mock('vscode', …)`. */
import { window as plainWindow, workspace as plainWorkspace, EventEmitter } from './vscode-window.ts';

export * from './vscode-commands.ts';

/** Registrations for views, kinds of tabs and schemes of documents, by their ids. */
export const views = new Map<string, unknown>();

function add(id: string, provider: unknown): { dispose(): void } {
  views.set(id, provider);
  return { dispose: () => views.delete(id) };
}

export const window = {
  ...plainWindow,
  registerWebviewViewProvider: add,
  registerWebviewPanelSerializer: add,
  createTreeView: add,
};
export const workspace = { ...plainWorkspace, registerTextDocumentContentProvider: add };
const nothing = () => ({ dispose: () => {} });
export const lm = {
  registerTool: nothing,
  registerMcpServerDefinitionProvider: nothing,
  registerLanguageModelChatProvider: (vendor: string, provider: unknown) => add(`models/${vendor}`, provider),
};
export const chat = { createChatParticipant: nothing };
export { EventEmitter };
