import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeSetting } from '../../../src/extension/settings/editor-settings.ts';

const editor = vi.hoisted(() => ({
  folders: undefined as readonly object[] | undefined,
  written: [] as readonly unknown[][],
}));

vi.mock('vscode', () => ({
  env: { language: 'en' },
  ConfigurationTarget: { Global: 'global', Workspace: 'workspace' },
  workspace: {
    get workspaceFolders() {
      return editor.folders;
    },
    getConfiguration: (section: string) => ({
      update: (...given: unknown[]) => {
        editor.written = [...editor.written, [section, ...given]];
        return Promise.resolve();
      },
    }),
  },
}));

describe('changing a setting', () => {
  beforeEach(() => {
    editor.folders = undefined;
    editor.written = [];
  });

  it('writes to the workspace if a folder is open', async () => {
    editor.folders = [{}];
    await writeSetting('strategy', 'ladder');
    expect(editor.written).toEqual([['contextBudget', 'strategy', 'ladder', 'workspace']]);
  });

  it.each([undefined, []])("writes to the user's settings if no folder is open: %j", async (folders) => {
    editor.folders = folders;
    await writeSetting('triggerRatio', 0.8);
    expect(editor.written).toEqual([['contextBudget', 'triggerRatio', 0.8, 'global']]);
  });
});
