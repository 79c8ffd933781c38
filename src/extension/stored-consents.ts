import type * as vscode from 'vscode';
import type { ConsentState, ConsentStore } from '../agent/mcp/consents.ts';

const storedAs = 'contextBudget.mcpConsents';

/** Keeps what a person said of servers beside the extension, where no folder writes. */
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
