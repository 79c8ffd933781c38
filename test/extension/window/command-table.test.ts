import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandPorts, commandTable, reported } from '../../../src/extension/window/command-table.ts';
import { type CommandId, commandIds } from '../../../src/extension/editor/ids.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-commands.ts'));

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

/** Runs a command as the editor does. */
const run = (command: CommandId, ...values: readonly unknown[]) =>
  reported(() => commandTable(ports)[command](...values), ports.actions);

beforeEach(() => {
  done.length = 0;
});

describe('the commands', () => {
  it('have exactly the declared ids', () => {
    expect(Object.keys(commandTable(ports)).toSorted()).toEqual(Object.values(commandIds).toSorted());
  });

  it('start a new chat and focus it', async () => {
    await run(commandIds.newChat);
    expect(done).toEqual([['newChat'], ['focusComposer']]);
  });

  it('accept only names from a caller, because menus pass other arguments', async () => {
    await run(commandIds.openInspector, { webview: 'chat' }, 7);
    await run(commandIds.openInspector, 'record-1', 'sub-agent-1');
    await run(commandIds.compactNow, 'a focus from elsewhere');
    await run(commandIds.compactWithPreview, { webview: 'chat', focus: 'the lock' });
    await run(commandIds.compactWithPreview, 7);
    expect(done).toEqual([
      ['inspect', undefined, undefined],
      ['inspect', 'record-1', 'sub-agent-1'],
      ['compactNow'],
      ['preview', { focus: 'the lock' }],
      ['preview', {}],
    ]);
  });

  it('show failures to the user, and do not throw', async () => {
    expect(await run(commandIds.openMemory)).toBeUndefined();
    expect(done).toEqual([new Error('no disk')]);
  });

  it('return nothing but strings to callers', async () => {
    const actions = { report: () => undefined };
    expect(await reported(() => 'session-1', actions)).toBe('session-1');
    expect(await reported(() => ({ keys: ['sk-secret'] }), actions)).toBeUndefined();
  });
});
