import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentSettings, settingReader } from '../../../src/extension/settings/editor-settings.ts';
import { moveSettings, offerToMoveSettings } from '../../../src/extension/settings/move-settings.ts';
import {
  choices,
  commandsRun,
  levels,
  notices,
  resetEditor,
  workspace,
} from '../../support/editor/vscode-settings.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-settings.ts'));

type Kept = Parameters<typeof offerToMoveSettings>[0];

/** The extension's state for the user. */
function state(): Kept {
  const values = new Map<string, unknown>();
  const update = (name: string, value: unknown) => Promise.resolve(void values.set(name, value));
  return { get: (name: string) => values.get(name), update } as unknown as Kept;
}

beforeEach(() => {
  resetEditor();
  commandsRun.length = 0;
});

describe('settings of earlier versions', () => {
  beforeEach(() => {
    levels.global.set('contextBudget.maxSummaryRequests', 7);
    levels.workspace.set('contextBudget.triggerTurns', 9);
    levels.workspace.set('contextBudget.triggers', { tokens: 5_000 });
  });

  it('are reported once, and stay until the user agrees', async () => {
    const kept = state();
    await offerToMoveSettings(kept);
    await offerToMoveSettings(kept);
    expect(notices).toEqual([expect.stringContaining('Your old settings still work.')]);
    expect(levels.workspace.get('contextBudget.triggerTurns')).toBe(9);
  });

  it('are each moved within their scope', async () => {
    choices.push('Move Settings');
    await offerToMoveSettings(state());
    expect(Object.fromEntries(levels.global)).toEqual({ 'contextBudget.spendingLimit': { requests: 7 } });
    expect(Object.fromEntries(levels.workspace)).toEqual({
      'contextBudget.triggers': { tokens: 5_000, turns: 9 },
    });
  });

  it('are moved within a folder of a multi-root workspace', async () => {
    Object.assign(workspace, { workspaceFile: '/project.code-workspace' });
    levels.folder.set('contextBudget.middleTruncation.maxChars', 900);
    await moveSettings();
    expect(Object.fromEntries(levels.folder)).toEqual({
      'contextBudget.strategies.middle-truncation': { maxChars: 900 },
    });
  });

  it('enable the command that moves them', async () => {
    await offerToMoveSettings(state());
    expect(commandsRun.at(-1)).toEqual(['setContext', 'contextBudget.hasOldSettings', true]);
    await moveSettings();
    expect(commandsRun.at(-1)).toEqual(['setContext', 'contextBudget.hasOldSettings', false]);
  });

  it('are not moved within a folder if only the user may set them', async () => {
    levels.global.set('contextBudget.durability', 'write');
    levels.workspace.set('contextBudget.commandSandbox', 'off');
    await moveSettings();
    expect(levels.global.get('contextBudget.safety')).toEqual({ durability: 'write' });
    expect(levels.workspace.has('contextBudget.safety')).toBe(false);
  });

  it('cause no notice if there are none', async () => {
    resetEditor();
    await offerToMoveSettings(state());
    expect(notices).toEqual([]);
  });
});

describe('the effective settings', () => {
  it('include the settings of the folder if it is trusted', () => {
    levels.global.set('contextBudget.triggerTurns', 4);
    levels.workspace.set('contextBudget.triggerTurns', 9);
    expect(settingReader()('triggerTurns')).toBe(9);
  });

  it('exclude the settings of the folder if it is not trusted', () => {
    levels.global.set('contextBudget.triggerTurns', 4);
    levels.workspace.set('contextBudget.triggerTurns', 9);
    workspace.isTrusted = false;
    expect(settingReader()('triggerTurns')).toBe(4);
  });

  it.each([
    ['commandSandbox', 'off'],
    ['safety', { commandSandbox: 'off' }],
  ])('keep commands in the sandbox, whatever %s of a trusted folder says', (name, value) => {
    for (const level of [levels.workspace, levels.folder]) level.set(`contextBudget.${name}`, value);
    expect(currentSettings().commandSandbox).toBe('on');
    levels.global.set(`contextBudget.${name}`, value);
    expect(currentSettings().commandSandbox).toBe('off');
  });
});
