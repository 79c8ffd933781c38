import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { projectFolder } from '../../../scripts/project.ts';
import { registerContributions } from '../../../src/extension/window/contributions.ts';
import type { EditorWindow } from '../../../src/extension/window/editor-window.ts';
import { views } from '../../support/editor/vscode-contributions.ts';
import { registered, runCommand } from '../../support/editor/vscode-commands.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-contributions.ts'));

const { contributes } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
  };
};

/** Requests to the window. */
const done: unknown[] = [];
let openings: number;
let context: { readonly subscriptions: { dispose(): void }[] };

const window = {
  run: (id: string, values: readonly unknown[]) => {
    done.push([id, ...values]);
    return Promise.resolve('chat-1');
  },
  chat: { resolveWebviewView: (view: unknown) => done.push(['chat', view]) },
  inspector: { deserialize: (panel: unknown) => Promise.resolve(done.push(['inspector', panel])) },
  documents: { provideTextDocumentContent: (uri: unknown) => Promise.resolve(`text of ${String(uri)}`) },
  chatProvider: {
    loaded: { get: () => Promise.resolve({ models: () => Promise.resolve(['model']) }) },
    onDidChange: () => ({ dispose: () => {} }),
  },
  sessions: {
    load: () =>
      Promise.resolve({
        tree: { children: () => Promise.resolve(['row']), item: (node: unknown) => ({ label: node }) },
      }),
  },
} as unknown as EditorWindow;

beforeEach(() => {
  done.length = openings = 0;
  registered.clear();
  views.clear();
  context = { subscriptions: [] };
  registerContributions(context as unknown as vscode.ExtensionContext, () => {
    openings++;
    return Promise.resolve(window);
  });
});

describe('the contributions of the manifest', () => {
  it('are registered without loading any part of the window', () => {
    const declared = contributes.commands.map(({ command }) => command);
    expect([...registered.keys()].toSorted()).toEqual(declared.toSorted());
    const declaredViews = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    expect([...views.keys()]).toEqual(expect.arrayContaining(declaredViews));
    expect(openings).toBe(0);
  });

  it('are removed when the extension ends', () => {
    for (const registration of context.subscriptions) registration.dispose();
    expect(registered.size + views.size).toBe(0);
  });
});

describe('the first use', () => {
  it('of a command runs it with its arguments, and returns its result', async () => {
    expect(await runCommand('contextBudget.openChat', 'chat-1', 2)).toBe('chat-1');
    expect(done).toEqual([['contextBudget.openChat', 'chat-1', 2]]);
    expect(openings).toBe(1);
  });

  it('of the chat fills its view', async () => {
    const view = { title: 'Chat' };
    await (views.get('contextBudget.chat') as vscode.WebviewViewProvider).resolveWebviewView(
      view as never,
      undefined as never,
      undefined as never,
    );
    expect(done).toEqual([['chat', view]]);
  });

  it('of an open inspector fills its tab', async () => {
    const panel = { title: 'Inspector' };
    const serializer = views.get('contextBudget.inspector') as vscode.WebviewPanelSerializer;
    await serializer.deserializeWebviewPanel(panel as never, undefined);
    expect(done).toEqual([['inspector', panel]]);
  });

  it('of a document in the diff editor reads the document', async () => {
    const documents = views.get('context-budget') as vscode.TextDocumentContentProvider;
    expect(await documents.provideTextDocumentContent('a.ts' as never, undefined as never)).toBe(
      'text of a.ts',
    );
  });

  it('of the tree of sessions lists them', async () => {
    const { treeDataProvider } = views.get('contextBudget.sessions') as vscode.TreeViewOptions<unknown>;
    expect(await treeDataProvider.getChildren()).toEqual(['row']);
    expect(await treeDataProvider.getTreeItem('row')).toEqual({ label: 'row' });
  });

  it('of the models for other chats lists them', async () => {
    const models = views.get('models/context-budget') as vscode.LanguageModelChatProvider;
    const listed = models.provideLanguageModelChatInformation({ silent: true }, undefined as never);
    expect(await listed).toEqual(['model']);
  });
});
