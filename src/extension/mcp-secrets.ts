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

  /** Asks for a name and a text. An empty text takes the secret away. @returns the name of one that was taken away */
  async ask(): Promise<string | undefined> {
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Secret for MCP Server: Name'),
      prompt: vscode.l10n.t('Settings use it as {0}.', '${secret:NAME}'),
      ignoreFocusOut: true,
      validateInput: (value) =>
        namePattern.test(value)
          ? undefined
          : vscode.l10n.t('Letters, digits, dots, dashes and underscores only.'),
    });
    if (name === undefined) return undefined;
    const value = await vscode.window.showInputBox({
      title: vscode.l10n.t('Secret {0}', name),
      prompt: vscode.l10n.t("Kept in the editor's secret storage. Leave it empty to take the secret away."),
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
