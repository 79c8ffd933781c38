import * as vscode from 'vscode';
import type { Tool } from '../../agent/tools/support/tool.ts';
import {
  type ContextToolName,
  contextToolNames,
  languageModelToolName,
} from '../../bridge/server/tool-names.ts';
import type { ReadOnlyPorts } from '../../presenters/import/read-only-session.ts';

/**
 * Offers the sessions of the open folders to agents in VS Code: through a server, tools, and the participant
 * `@budget`.
 */
export function registerContext(context: vscode.ExtensionContext, ports: () => Promise<ReadOnlyPorts>): void {
  const services = () => import('./context-services.ts');
  let tools: Promise<ReadonlyMap<ContextToolName, Tool>> | undefined;
  const load = async () => (await services()).contextTools(context, await ports());
  const loaded = () => (tools ??= load());
  for (const name of contextToolNames) {
    const registered = vscode.lm.registerTool<object>(languageModelToolName(name), {
      async invoke({ input }, token) {
        const { invokeTool } = await services();
        return invokeTool((await loaded()).get(name)!, input, token);
      },
    });
    context.subscriptions.push(registered);
  }
  const participant = vscode.chat.createChatParticipant(
    'contextBudget.budget',
    async (request, _history, stream, token) => {
      const { answerBudget } = await services();
      await answerBudget(await loaded(), request, stream, token);
    },
  );
  participant.iconPath = new vscode.ThemeIcon('dashboard');
  context.subscriptions.push(
    participant,
    vscode.lm.registerMcpServerDefinitionProvider('contextBudget.sessions', {
      provideMcpServerDefinitions: () => [contextServerDefinition(context.extension)],
    }),
  );
}

/** Definition of the server for sessions of the first open folder. @param extension our own extension */
export function contextServerDefinition({
  extensionUri,
  packageJSON,
}: Pick<vscode.Extension<unknown>, 'extensionUri' | 'packageJSON'>): vscode.McpStdioServerDefinition {
  const program = vscode.Uri.joinPath(extensionUri, 'dist', 'cli.js').fsPath;
  const { version } = packageJSON as { readonly version: string };
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  // VS Code's own executable can run as Node, so Node need not be installed.
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  const server = new vscode.McpStdioServerDefinition(
    'Context Budget',
    process.execPath,
    [program, 'mcp'],
    environment,
    version,
  );
  if (folder !== undefined) server.cwd = folder.uri;
  return server;
}
