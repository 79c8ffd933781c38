import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { RegisteredStrategies } from '../../../src/agent/custom-strategy/registered-strategies.ts';
import { createServices, type Services } from '../../../src/extension/window/services.ts';
import { configured, levels, notices, resetEditor, workspace } from '../../support/editor/vscode-settings.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-settings.ts'));

let storage: string;
let services: Services;

beforeEach(async () => {
  resetEditor();
  storage = await mkdtemp(join(tmpdir(), 'services-'));
  const context = {
    secrets: { get: () => Promise.resolve(undefined) },
    globalState: { get: () => undefined, update: () => Promise.resolve() },
    globalStorageUri: { fsPath: storage },
    storageUri: undefined,
  } as unknown as vscode.ExtensionContext;
  const log = { info: () => {}, warn: () => {}, error: () => {} } as unknown as vscode.LogOutputChannel;
  services = createServices(context, log, new RegisteredStrategies());
});
afterEach(async () => {
  services.dispose();
  await services.hub.close();
  await rm(storage, { recursive: true, maxRetries: 5 });
});

describe('the services of a window', () => {
  it('tell the agent the name of the workspace only if it is trusted', () => {
    Object.assign(workspace, { name: 'driftwood' });
    expect(services.systemPrompt()).toContain('driftwood');
    workspace.isTrusted = false;
    expect(services.systemPrompt()).not.toContain('driftwood');
  });

  it('follow the current settings', () => {
    expect(services.settings().strategy.id).toBe('ladder');
    levels.workspace.set('contextBudget.strategy', 'none');
    configured.fire({});
    expect(services.settings().strategy.id).toBe('none');
    expect(services.sessionPorts.settings().strategy.id).toBe('none');
  });

  it('write and report nothing before there is a chat', async () => {
    expect(await readdir(storage)).toEqual([]);
    expect(notices).toEqual([]);
  });
});
