import * as vscode from 'vscode';
import {
  type ConsentState,
  type ConsentStore,
  type McpConsents,
  referencesOf,
  visibleLine,
} from '../../agent/mcp/consents.ts';
import { hostText } from '../editor/editor-wording.ts';
import type { McpServer } from '../../agent/mcp/server-settings.ts';
import { showError, showInformation, showWarning } from '../editor/plain-notices.ts';

/** Maximum characters that a dialog can show without hiding its end. */
const longestDetail = 2_500;
const mostLines = 40;

export interface ReviewPorts {
  readonly consents: McpConsents;
  readonly servers: () => readonly McpServer[];
  /** Path of the first folder. */
  readonly folder: () => string | undefined;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

/** Shows the user the programs and data of MCP servers before the servers start. */
export class McpReview {
  private readonly ports: ReviewPorts;
  private readonly told = new Set<string>();

  constructor(ports: ReviewPorts) {
    this.ports = ports;
  }

  /** Notifies the user once about servers that wait for permission. Does not wait for the answer. */
  async tell(servers: readonly McpServer[]): Promise<void> {
    const fresh = servers.filter((server) => !this.told.has(JSON.stringify(server)));
    if (fresh.length === 0) return;
    for (const server of fresh) this.told.add(JSON.stringify(server));
    const names = fresh.map(({ name }) => name).join(', ');
    this.ports.log.warn(`MCP servers wait for leave to start: ${names}`);
    const review = hostText('reviewMcpServersButton');
    const said = await showWarning(hostText('mcpServersWait', { names }), review);
    if (said === review) for (const server of fresh) await this.ask(server);
  }

  /** Lets the user choose a server that needs permission, and allow or refuse it. */
  async choose(): Promise<void> {
    const { consents, folder, servers } = this.ports;
    const items = servers().flatMap((server) => {
      const consent = consents.consentTo(server, folder());
      if (consent === 'allowed' && server.declaredBy === 'person') return [];
      const description = {
        allowed: hostText('allowed'),
        refused: hostText('refused'),
        unasked: hostText('needsYourAnswer'),
      }[consent];
      return [{ label: server.name, description, server }];
    });
    if (items.length === 0) {
      void showInformation(hostText('noMcpServerWaits'));
      return;
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: hostText('reviewMcpServers'),
    });
    if (picked !== undefined) await this.ask(picked.server);
  }

  private async ask(server: McpServer): Promise<void> {
    const detail = describeServer(server);
    if (detail.length > longestDetail || detail.split('\n').length > mostLines) {
      void showError(hostText('mcpServerTooLong', { name: server.name }));
      return;
    }
    const [allow, refuse] = [hostText('start'), hostText('doNotStart')];
    const said = await showWarning(
      hostText('startMcpServer', { name: server.name }),
      { modal: true, detail },
      allow,
      refuse,
    );
    const { consents, folder } = this.ports;
    if (said === allow) await consents.answer(server, folder(), 'allowed');
    if (said === refuse) await consents.answer(server, folder(), 'refused');
  }
}

/** All properties of a server and the data it gets, one line each. Every character is visible. */
export function describeServer(server: McpServer): string {
  const { secrets, variables } = referencesOf(server);
  const fields = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([name, value]) => `  ${visibleLine(name)}: ${visibleLine(value)}`);
  const section = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : [title, ...lines]);
  const what =
    server.type === 'http'
      ? [
          hostText('mcpAddress', { address: visibleLine(server.url) }),
          ...section(hostText('mcpHeaders'), fields(server.headers)),
        ]
      : [
          hostText('mcpProgram', { program: visibleLine(server.command) }),
          ...section(
            hostText('mcpArguments'),
            server.args.map((argument) => `  ${visibleLine(argument)}`),
          ),
          ...(server.directory === undefined
            ? []
            : [hostText('mcpFolder', { folder: visibleLine(server.directory) })]),
          ...section(hostText('mcpEnvironment'), fields(server.environment)),
        ];
  const none = hostText('none');
  return [
    server.declaredBy === 'workspace' ? hostText('mcpFromFolder') : hostText('mcpFromYou'),
    ...what,
    hostText('mcpSecrets', { names: secrets.join(', ') || none }),
    hostText('mcpVariables', { names: variables.join(', ') || none }),
    ...(server.type === 'http' ? [] : [hostText('mcpRights')]),
  ].join('\n');
}

const namePattern = /^[\w.-]+$/;

/** Values for `${secret:NAME}` in the settings of MCP servers, in VS Code's secret storage. */
export class McpSecrets {
  private readonly secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
  }

  get(name: string): Thenable<string | undefined> {
    return this.secrets.get(keyOf(name));
  }

  /** All secrets of the extension, including API keys of models. */
  async all(): Promise<readonly string[]> {
    const values = await Promise.all((await this.secrets.keys()).map((key) => this.secrets.get(key)));
    return values.filter((value) => value !== undefined);
  }

  /** Asks for a name and a value. An empty value removes the secret. @returns the name of the removed secret */
  async ask(): Promise<string | undefined> {
    const name = await vscode.window.showInputBox({
      title: hostText('secretNameTitle'),
      prompt: hostText('secretReference', { reference: '${secret:NAME}' }),
      ignoreFocusOut: true,
      validateInput: (value) => (namePattern.test(value) ? undefined : hostText('secretNameRule')),
    });
    if (name === undefined) return undefined;
    const value = await vscode.window.showInputBox({
      title: hostText('secretTitle', { name }),
      prompt: hostText('secretKept'),
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) return undefined;
    if (value !== '') {
      await this.secrets.store(keyOf(name), value);
      return undefined;
    }
    await this.secrets.delete(keyOf(name));
    return name;
  }
}

function keyOf(name: string): string {
  return `mcpSecret:${name}`;
}

const storedAs = 'contextBudget.mcpConsents';

/** Stores the user's decisions about servers in the extension's storage, which no workspace can change. */
export class StoredConsents implements ConsentStore {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  read(): ConsentState {
    const stored = this.memory.get<Partial<ConsentState>>(storedAs);
    return { servers: stored?.servers ?? {}, secrets: stored?.secrets ?? {} };
  }

  write(state: ConsentState): Thenable<void> {
    return this.memory.update(storedAs, state);
  }
}
