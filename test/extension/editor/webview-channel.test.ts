import { beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadWebviewsOnBuild } from '../../../src/extension/editor/webview-channel.ts';

/** Requests to the fake editor, and the function its file watcher calls. */
const editor = vi.hoisted(() => ({
  patterns: [] as string[],
  commands: [] as string[],
  changed: () => {},
  created: () => {},
}));

vi.mock('vscode', () => ({
  env: { language: 'en' },
  Uri: { joinPath: (folder: string, ...names: readonly string[]) => [folder, ...names].join('/') },
  RelativePattern: function RelativePattern(folder: string, pattern: string) {
    editor.patterns.push(`${folder}/${pattern}`);
  },
  workspace: {
    createFileSystemWatcher: () => ({
      onDidChange: (told: () => void) => {
        editor.changed = told;
        return { dispose: () => {} };
      },
      onDidCreate: (told: () => void) => {
        editor.created = told;
        return { dispose: () => {} };
      },
      dispose: () => {},
    }),
  },
  commands: { executeCommand: (command: string) => editor.commands.push(command) },
}));

/** An extension with only the members that are used. */
const extension = () => ({ extensionUri: '/extension', subscriptions: [] as { dispose: () => void }[] });

describe('webviews in development', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    editor.commands.length = 0;
    return () => vi.useRealTimers();
  });

  it('are reloaded once for a build of several files', () => {
    reloadWebviewsOnBuild(extension() as never);
    expect(editor.patterns.at(-1)).toBe('/extension/dist/webview/*.{js,css}');
    editor.changed();
    editor.created();
    editor.changed();
    expect(editor.commands).toEqual([]);
    vi.runAllTimers();
    expect(editor.commands).toEqual(['workbench.action.webview.reloadWebviewAction']);
  });

  it('are not reloaded after the extension has ended', () => {
    const ended = extension();
    reloadWebviewsOnBuild(ended as never);
    editor.changed();
    for (const each of ended.subscriptions) each.dispose();
    vi.runAllTimers();
    expect(editor.commands).toEqual([]);
  });
});
