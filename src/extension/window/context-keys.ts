import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { stateFolder } from '../../transcripts/session/state-folder.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import { type CommandId, commandIds } from '../editor/ids.ts';
import type { Services } from './services.ts';

/** Context keys of `package.json`. They hide commands that have nothing to act on, and tick steps of the walkthrough. */
type Key =
  | 'hasMessages'
  | 'hasCompaction'
  | 'hasApiKey'
  | 'isConnected'
  | 'hasMcpServers'
  | 'hasSessions'
  | 'hasOpenedSession'
  | 'hasUndone';

type KeyPorts = Pick<Services, 'hub' | 'keys' | 'settings' | 'foreignSessions' | 'log'> & {
  readonly provider: Pick<Services['provider'], 'keyUrl'>;
};

/** Updates the context keys that show which commands are possible. */
export class ContextKeys {
  private readonly ports: KeyPorts;
  private readonly values = new Map<Key, boolean>();

  constructor(ports: KeyPorts) {
    this.ports = ports;
    const { hub } = ports;
    hub.onDidSwitch(() => this.log(this.readChat()));
    hub.onDidOpenFirst(() => this.log(this.readOpened()));
    hub.onDidHappen((event) => {
      if (event.type !== 'entry') return;
      if (event.entry.type === 'undo') this.set('hasUndone', true);
      if (event.entry.type !== 'pin') this.log(this.readChat());
    });
    this.log(Promise.all([this.watchSessions(), this.readConnections()]));
  }

  /** Reads the keys again that depend on settings and secrets. */
  async readSettings(): Promise<void> {
    const { keys, provider, settings } = this.ports;
    this.set('hasMcpServers', settings().mcpServers.length > 0);
    this.set('hasApiKey', (await keys.get(provider.keyUrl ?? settings().baseUrl)) !== undefined);
  }

  /** Reads the keys again that a command may have changed. Never rejects. */
  async readAfter(command: CommandId): Promise<void> {
    // The editor does not notice a command that the chat runs.
    if (command === commandIds.openTranscript || command === commandIds.openSampleSession)
      this.set('hasOpenedSession', true);
    const isConnection = command === commandIds.connectAgent || command === commandIds.disconnectAgent;
    if (isConnection) await this.readConnections().catch(() => {});
  }

  private async readOpened(): Promise<void> {
    await this.readSettings();
    await this.readChat();
  }

  private async readChat(): Promise<void> {
    const { session, readOnly } = await this.ports.hub.current();
    this.set('hasMessages', !session.isEmpty);
    this.set(
      'hasCompaction',
      readOnly === undefined && recordsInForce(session.transcript.entries).length > 0,
    );
  }

  private async readConnections(): Promise<void> {
    const { findConnections } = await import('../../bridge/connect/connections.ts');
    const { connections } = await findConnections(stateFolder(surroundingsHere()), surroundingsHere());
    this.set('isConnected', connections.length > 0);
  }

  /** Watches the sessions of other agents until there is one. */
  private async watchSessions(): Promise<void> {
    const sessions = await this.ports.foreignSessions();
    const look = async () => {
      const hasSessions = (await sessions.catalogue.listOnce()).length > 0;
      this.set('hasSessions', hasSessions);
      if (hasSessions) unlisten();
    };
    const unlisten = sessions.onDidChange(() => void look());
    await look();
  }

  /** Logs why keys could not be read. Their commands stay as they were. */
  private log(reading: Promise<unknown>): void {
    reading.catch((error: unknown) => this.ports.log.debug(String(error)));
  }

  private set(key: Key, value: boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', `contextBudget.${key}`, value);
  }
}
