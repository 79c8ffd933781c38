import type * as vscode from 'vscode';
import { hostText } from '../editor/editor-wording.ts';
import { clearTextOrigin } from '../../agent/network/base-url.ts';
import { showWarning } from '../editor/plain-notices.ts';

/** Storage key of the servers that the user allowed without encryption. */
const storedAs = 'contextBudget.unencryptedOrigins';

/** The user's permissions for unencrypted connections to other computers, by origin. */
export class ClearTextConsent {
  private readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  private readonly asked = new Map<string, Promise<boolean>>();

  constructor(memory: Pick<vscode.Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  get origins(): readonly string[] {
    const stored: unknown = this.memory.get(storedAs);
    return Array.isArray(stored) ? stored.filter((origin) => typeof origin === 'string') : [];
  }

  /** True if data may be sent to an address. Does not ask the user. */
  allows(baseUrl: string): boolean {
    const origin = clearTextOrigin(baseUrl);
    return origin === undefined || this.origins.includes(origin);
  }

  /** Asks for a missing permission, with one question at a time for each origin. @returns true if allowed */
  ask(baseUrl: string): Promise<boolean> {
    const origin = clearTextOrigin(baseUrl);
    if (origin === undefined || this.origins.includes(origin)) return Promise.resolve(true);
    const asking = this.asked.get(origin) ?? this.question(origin).finally(() => this.asked.delete(origin));
    this.asked.set(origin, asking);
    return asking;
  }

  async withdraw(origin: string): Promise<void> {
    await this.memory.update(
      storedAs,
      this.origins.filter((other) => other !== origin),
    );
  }

  private async question(origin: string): Promise<boolean> {
    const allow = hostText('sendUnencrypted');
    const answer = await showWarning(
      hostText('sendUnencryptedQuestion', { origin }),
      {
        modal: true,
        detail: hostText('sendUnencryptedDetail'),
      },
      allow,
    );
    if (answer !== allow) return false;
    await this.memory.update(storedAs, [...this.origins, origin]);
    return true;
  }
}

/** API keys in VS Code's secret storage, by the origin of the endpoint, so that no other server receives a key. */
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
