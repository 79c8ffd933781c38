import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { type CommandPorts, registerCommands, reported } from '../../src/extension/register-commands.ts';
import { registered, runCommand } from '../support/vscode-commands.ts';

vi.mock('vscode', () => import('../support/vscode-commands.ts'));

/** The commands of `package.json`. */
const declared = (
  JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    readonly contributes: { readonly commands: readonly { readonly command: string }[] };
  }
).contributes.commands.map(({ command }) => command);

/** Calls that the commands made, newest last. */
const done: unknown[] = [];
const told =
  (name: string, result?: unknown) =>
  (...values: readonly unknown[]) => {
    done.push([name, ...values]);
    return Promise.resolve(result);
  };

const ports = {
  services: {
    hub: { newChat: told('newChat') },
    agent: { openMemory: () => Promise.reject(new Error('no disk')) },
    log: { show: told('showLog') },
  },
  actions: { compactNow: told('compactNow'), report: (error: unknown) => done.push(error) },
  chat: { focusComposer: told('focusComposer') },
  inspector: { show: told('inspect'), preview: told('preview') },
  liveStatus: { toggle: told('toggleLiveStatus') },
  sessions: { refresh: told('refreshSessions') },
  refresh: told('refresh'),
} as unknown as CommandPorts;

beforeEach(() => {
  done.length = 0;
  registered.clear();
  registerCommands({ subscriptions: [] } as never, ports);
});

describe('the commands', () => {
  it('are those that the manifest declares', () => {
    expect([...registered.keys()].sort()).toEqual(declared.toSorted());
  });

  it('make a new chat and put the cursor into it', async () => {
    await runCommand('contextBudget.newChat');
    expect(done).toEqual([['newChat'], ['focusComposer']]);
  });

  it('take from a caller names alone: menus pass what they were opened on', async () => {
    await runCommand('contextBudget.openInspector', { webview: 'chat' }, 7);
    await runCommand('contextBudget.openInspector', 'record-1', 'sub-agent-1');
    await runCommand('contextBudget.compactNow', 'a focus from elsewhere');
    await runCommand('contextBudget.compactWithPreview', { webview: 'chat', focus: 'the lock' });
    await runCommand('contextBudget.compactWithPreview', 7);
    expect(done).toEqual([
      ['inspect', undefined, undefined],
      ['inspect', 'record-1', 'sub-agent-1'],
      ['compactNow'],
      ['preview', { focus: 'the lock' }],
      ['preview', {}],
    ]);
  });

  it('show the person what goes wrong, and do not fail', async () => {
    expect(await runCommand('contextBudget.openMemory')).toBeUndefined();
    expect(done).toEqual([new Error('no disk')]);
  });

  it('return a string alone to who runs them', async () => {
    const actions = { report: () => undefined };
    expect(await reported(() => 'session-1', actions)).toBe('session-1');
    expect(await reported(() => ({ keys: ['sk-secret'] }), actions)).toBeUndefined();
  });
});
