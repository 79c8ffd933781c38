import * as vscode from 'vscode';
import { createContextTools } from '../../bridge/server/context-tools.ts';
import type { ContextToolName } from '../../bridge/server/tool-names.ts';
import { FolderSessions } from '../../bridge/server/folder-sessions.ts';
import { codeBlock } from '../../insights/export/markdown-text.ts';
import type { Tool } from '../../agent/tools/support/tool.ts';
import type { ReadOnlyPorts } from '../../presenters/import/read-only-session.ts';
import { openFolders } from '../editor/open-folders.ts';
import { editorStorageOf, placesOf } from '../live/watched-sessions.ts';
import { signalOf } from '../editor/plain-notices.ts';

/** The tools for sessions of the open folders, which language models and users in this window can call. */
export function contextTools(
  context: vscode.ExtensionContext,
  ports: ReadOnlyPorts,
): ReadonlyMap<ContextToolName, Tool> {
  const places = placesOf(editorStorageOf(context.globalStorageUri));
  return createContextTools({
    sessions: new FolderSessions(places, ports, () => Promise.resolve(openFolders())),
    // A user who asks in this window most likely means Copilot's session in the same window.
    agent: () => 'copilot-chat',
    count: (texts) => ports.meterOf().countTexts(texts),
  });
}

/** Runs a tool for a language model of VS Code. */
export async function invokeTool(
  tool: Tool,
  input: object,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const { content } = await tool.run({ ...input }, signalOf(token));
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(content)]);
}

/** Answers `@budget` without a model: shows the fill of the context, lost facts, or search results. */
export async function answerBudget(
  tools: ReadonlyMap<ContextToolName, Tool>,
  { command, prompt }: vscode.ChatRequest,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const query = prompt.trim();
  const [name, input] =
    command === 'lost'
      ? (['what_was_lost', {}] as const)
      : command === 'usage' || query === ''
        ? (['context_usage', {}] as const)
        : (['search_history', { query }] as const);
  const { content } = (await tools.get(name)?.run(input, signalOf(token))) ?? { content: '' };
  // Untrusted text is shown as code, so that links and pictures in it have no effect.
  stream.markdown(new vscode.MarkdownString(codeBlock(content, 'markdown')));
}
