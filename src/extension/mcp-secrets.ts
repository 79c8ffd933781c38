import * as vscode from 'vscode';

const namePattern = /^[\w.-]+$/;

/** Texts for `${secret:NAME}` in the settings of MCP servers, in the editor's secret storage. */
export class McpSecrets {
  private readonly secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
  }

  get(name: string): Thenable<string | undefined> {
    return this.secrets.get(keyOf(name));
  }

  /** Asks for a name and a text. An empty text takes the secret away. */
  async ask(): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Secret for MCP Server: Name'),
      prompt: vscode.l10n.t('Settings use it as {0}.', '${secret:NAME}'),
      ignoreFocusOut: true,
      validateInput: (value) =>
        namePattern.test(value)
          ? undefined
          : vscode.l10n.t('Letters, digits, dots, dashes and underscores only.'),
    });
    if (name === undefined) return;
    const value = await vscode.window.showInputBox({
      title: vscode.l10n.t('Secret {0}', name),
      prompt: vscode.l10n.t("Kept in the editor's secret storage. Leave it empty to take the secret away."),
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) return;
    if (value === '') await this.secrets.delete(keyOf(name));
    else await this.secrets.store(keyOf(name), value);
  }
}

function keyOf(name: string): string {
  return `mcpSecret:${name}`;
}
