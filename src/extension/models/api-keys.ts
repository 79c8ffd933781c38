import type * as vscode from 'vscode';

/**
 * API keys, in the editor's secret storage. A key belongs to the origin of an endpoint: when the base URL is changed
 * to another host, that host never gets it.
 */
export class ApiKeys {
  private readonly secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
  }

  get(baseUrl: string): Thenable<string | undefined> {
    return this.secrets.get(nameOf(baseUrl));
  }

  set(baseUrl: string, key: string): Thenable<void> {
    return this.secrets.store(nameOf(baseUrl), key);
  }

  clear(baseUrl: string): Thenable<void> {
    return this.secrets.delete(nameOf(baseUrl));
  }
}

function nameOf(baseUrl: string): string {
  return `apiKey:${new URL(baseUrl).origin}`;
}
