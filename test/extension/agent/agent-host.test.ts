import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SubAgentHost } from '../../../src/agent/delegation/sub-agent-session.ts';
import type { ToolAccess } from '../../../src/agent/session/session-ports.ts';
import { AgentHost, type AgentHostPorts, RulesOfChat } from '../../../src/extension/agent/agent-host.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';
import { Uri, workspace } from '../../support/editor/vscode-window.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

function hostWith(values: Readonly<Record<string, unknown>> = {}): AgentHost {
  return new AgentHost({
    settings: () => readSettings((name) => values[name]),
    window: () => undefined,
    ripgrepPath: undefined,
    stored: (name: string) => `/storage/${name}`,
    memory: { path: '/storage/memory.md', shown: 'memory.md' },
    log: { info: () => {}, warn: () => {} },
    report: () => {},
  } as unknown as AgentHostPorts);
}

beforeEach(() => {
  workspace.workspaceFolders = [{ uri: Uri.file('/project') }, { uri: { fsPath: '/far', scheme: 'ssh' } }];
});
afterEach(() => {
  workspace.isTrusted = true;
  workspace.workspaceFolders = [];
});

describe('the agent of a window', () => {
  it('works in the trusted folders of this machine', () => {
    const host = hostWith();
    expect(host.folders).toEqual(['/project']);
    workspace.isTrusted = false;
    expect(host.folders).toEqual([]);
    host.dispose();
  });

  it('reads no memory and no skills if the setting is off', async () => {
    const host = hostWith({ memory: false });
    expect(await host.memory()).toEqual([]);
    expect(await host.skills()).toEqual([]);
    host.dispose();
  });

  it('has acting tools only if the workspace is trusted', async () => {
    const host = hostWith();
    const tools = async () => {
      const all = await host.toolsOf(
        { editor: {}, isOff: () => false } as unknown as ToolAccess,
        {} as Omit<SubAgentHost, 'tools'>,
      );
      return all.filter((tool) => 'propose' in tool).map(({ name }) => name);
    };
    expect(await tools()).toContain('edit_file');
    workspace.isTrusted = false;
    expect(await tools()).toEqual([]);
    host.dispose();
  });

  it('keeps separate checkpoints for each session', () => {
    const host = hostWith();
    expect(host.checkpointFolder('s1')).toBe('/storage/checkpoints/s1');
    host.dispose();
  });
});

describe('the rules of a chat', () => {
  it('are loaded once, with the first question', async () => {
    let loads = 0;
    const isAllowed = vi.fn(() => true);
    const rules = new RulesOfChat(() => {
      loads++;
      return Promise.resolve(() => ({ isAllowed }) as unknown as Awaited<RulesOfChat['rules']>);
    });
    expect(loads).toBe(0);
    const request = {} as Parameters<RulesOfChat['isAllowed']>[0];
    expect(await rules.isAllowed(request)).toBe(true);
    await rules.isAllowed(request);
    expect(loads).toBe(1);
    expect(isAllowed).toHaveBeenCalledTimes(2);
  });
});
