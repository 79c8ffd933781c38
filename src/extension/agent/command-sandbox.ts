import type * as vscode from 'vscode';
import { findSandbox } from '../../agent/command/find-sandbox.ts';
import type { Sandbox } from '../../agent/command/sandbox.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';

export interface CommandSandboxPorts {
  readonly settings: () => Settings;
  readonly log: Pick<vscode.LogOutputChannel, 'warn'>;
}

/** The sandbox for the commands of this window, searched once. */
export class CommandSandbox {
  private readonly ports: CommandSandboxPorts;
  private found: Promise<Sandbox | 'missing'> | undefined;

  constructor(ports: CommandSandboxPorts) {
    this.ports = ports;
  }

  async get(): Promise<Sandbox | 'off' | 'missing'> {
    if (this.ports.settings().commandSandbox === 'off') return 'off';
    this.found ??= this.find();
    return this.found;
  }

  dispose(): void {
    void this.found?.then((found) => found !== 'missing' && found.dispose());
  }

  private async find(): Promise<Sandbox | 'missing'> {
    const found = await findSandbox();
    if (typeof found !== 'string') return found;
    this.ports.log.warn(`Commands run outside a sandbox. ${found}`);
    return 'missing';
  }
}
